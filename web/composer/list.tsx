// The list above the prompt: files.
import { createEffect, For, Show } from "solid-js";
import type { Choices } from "./completion.ts";
import type { Composer } from "./composer.ts";

export const LIST_ID = "choices";

export function optionId(at: number): string {
  return `${LIST_ID}-${at}`;
}

export function ComposerList(props: { choices: Choices; composer: Composer }) {
  let list: HTMLDivElement | undefined;
  createEffect(() => {
    const at = props.choices.at;
    if (at >= 0) list?.children[at]?.scrollIntoView({ block: "nearest" });
  });
  const pick = (at: number) => {
    props.composer.completion.point(at);
    props.composer.accept();
  };
  return (
    <div class="choices">
      <div class="list" id={LIST_ID} role="listbox" aria-label="Files" ref={list}>
        <For each={props.choices.all}>
          {(candidate, at) => (
            // The prompt keeps the focus: the list is worked from there.
            <div
              class="choice"
              id={optionId(at())}
              role="option"
              tabIndex={-1}
              aria-selected={at() === props.choices.at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(at())}
              onKeyDown={() => undefined}
            >
              {candidate.text}
            </div>
          )}
        </For>
      </div>
      <p class="mut">
        Files · <kbd>↑↓</kbd> choose · <kbd>⏎</kbd> use · <kbd>Esc</kbd> close
        <Show when={props.choices.more > 0}> · {props.choices.more} more</Show>
      </p>
    </div>
  );
}
