// The list above the prompt: what the shell offers at Tab.
import { createEffect, For, Show } from "solid-js";
import { marked, STRICT } from "../../src/core/base/invisible.ts";
import type { Choices } from "./completion.ts";
import type { Composer } from "./composer.ts";

/** `list` is the list's own id: several prompts may stand side by side. */
export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

export function ComposerList(props: { id: string; choices: Choices; composer: Composer }) {
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
      <div class="list" id={props.id} role="listbox" aria-label="Completions" ref={list}>
        <For each={props.choices.all}>
          {(candidate, at) => (
            // The prompt keeps the focus: the list is worked from there.
            <div
              class="choice"
              id={optionId(props.id, at())}
              role="option"
              tabIndex={-1}
              aria-selected={at() === props.choices.at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(at())}
              onKeyDown={() => undefined}
            >
              <span class="what">{marked(candidate.text, STRICT)}</span>
              <Show when={candidate.about}>
                <span class="about">{marked(candidate.about)}</span>
              </Show>
              <Show when={KINDS[candidate.kind]}>{(kind) => <span class="kind">{kind()}</span>}</Show>
            </div>
          )}
        </For>
      </div>
      <p class="mut">
        <span role="status">{props.choices.note ?? "Completions"}</span> · <kbd>↑↓</kbd> choose · <kbd>⏎</kbd> use ·{" "}
        <kbd>Esc</kbd> close
        <Show when={props.choices.more > 0}> · {props.choices.more} more</Show>
      </p>
    </div>
  );
}

/** What needs to be told apart. */
const KINDS: Readonly<Record<Choices["all"][number]["kind"], string>> = {
  command: "command",
  option: "option",
  variable: "variable",
  script: "script",
  folder: "folder",
  file: "file",
  word: "",
};
