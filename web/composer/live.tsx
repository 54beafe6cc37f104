// Replaces the prompt while a person's command runs: says where keys go, and offers the keys that a phone lacks.
import { createSignal, For } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { ShownSession } from "../app/page-state.ts";
import { TouchKeys } from "../terminal/touch-keys.tsx";
import { leaveTerminal } from "../widgets/keys.ts";

const KEYS = [
  { label: "^C", name: "Interrupt", text: "\x03" },
  { label: "^D", name: "End of input", text: "\x04" },
  { label: "Esc", name: "Escape", text: "\x1b" },
] as const;

export function ComposerLive(props: { shown: ShownSession; block: Block }) {
  const live = () => props.shown.live;
  return (
    <>
      <TouchKeys live={live()} />
      <div class="inp live">
        <span class="ps" aria-hidden="true">
          ⌨
        </span>
        <p role="status">
          Keys go to <code>{props.block.cmd ?? "the program"}</code>
        </p>
        <SendLine shown={props.shown} />
        <span class="btns opt">
          <For each={KEYS}>
            {(key) => (
              <button
                type="button"
                aria-label={`${key.label} ${key.name}`}
                // The focus stays where the person types.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => live().press(key.text)}
              >
                {key.label}
              </button>
            )}
          </For>
          {/* In one place: a click beside them gives the terminal the focus, and must not move what is clicked. */}
          <span class="in-or-out">
            <button type="button" class="out-of-terminal" onClick={() => live().terminal.focus()}>
              Focus
            </button>
            <button type="button" class="in-terminal" aria-keyshortcuts="F6" onClick={leaveTerminal}>
              Leave <kbd>F6</kbd>
            </button>
          </span>
        </span>
      </div>
    </>
  );
}

/** Sends whole lines, for keyboards that cannot send single keys. */
function SendLine(props: { shown: ShownSession }) {
  const [line, setLine] = createSignal("");
  const isSecret = () => props.shown.control.facts.waiting?.kind === "password";
  function send(event: SubmitEvent): void {
    event.preventDefault();
    props.shown.live.press(`${line()}\r`);
    setLine("");
  }
  return (
    <form class="line" onSubmit={send}>
      <input
        type={isSecret() ? "password" : "text"}
        aria-label="Send a line to the program"
        placeholder="send a line"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={line()}
        onInput={(event) => setLine(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!event.ctrlKey || event.key !== "c" || line() !== "") return;
          event.preventDefault();
          props.shown.live.press("\x03");
        }}
      />
    </form>
  );
}
