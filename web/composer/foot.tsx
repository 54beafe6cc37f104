// Below the prompt: the folder, how the last command ended, and the keys that matter here.
import { Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { statusOf } from "../sessions/command-words.ts";
import { shortPath } from "../sessions/labels.ts";
import { insideWord } from "../sessions/words.ts";
import { TAKE_KEY } from "../widgets/browser-keys.ts";

export function ComposerFoot(props: { page: PageState; shown: ShownSession }) {
  const where = () => {
    const info = props.page.info();
    return info?.nested ? insideWord(info.nested) : info && shortPath(info.cwd);
  };
  const branch = () => (props.page.info()?.nested ? undefined : props.page.info()?.branch);
  const last = () => props.shown.transcript.blocks.findLast(({ state }) => state !== "running");
  const went = () => {
    const block = last();
    return block && statusOf(block);
  };
  return (
    <p class="hint">
      <Show when={where()}>
        {(place) => (
          <span class="where" title={place()}>
            {place()}
          </span>
        )}
      </Show>
      <Show when={branch()}>{(name) => <span class="branch">⎇ {name()}</span>}</Show>
      <span class="ended" data-tone={went()?.tone} title={last()?.cmd ?? "the last command"}>
        {went()?.word}
      </span>
      <span class="opt">
        <kbd>Ctrl `</kbd> mode
      </span>
      <span class="opt">
        <kbd>{TAKE_KEY}</kbd> take over / hand back
      </span>
      <span class="opt">
        <kbd>Esc</kbd> stop agent
      </span>
      <span class="opt">
        <kbd>Ctrl R</kbd> history
      </span>
    </p>
  );
}
