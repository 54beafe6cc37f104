// Keys that a phone's keyboard lacks. Shown on small screens only.
import { For } from "solid-js";
import type { Live } from "./live.ts";

const KEYS = [
  { label: "Esc", text: "\x1b" },
  { label: "Tab", text: "\t" },
  { label: "⇧Tab", text: "\x1b[Z" },
  { label: "⏎", text: "\r" },
  { label: "^C", text: "\x03" },
  { label: "^D", text: "\x04" },
  { label: "↑", arrow: "A" },
  { label: "↓", arrow: "B" },
  { label: "←", arrow: "D" },
  { label: "→", arrow: "C" },
] as const;

export function TouchKeys(props: { live: Live }) {
  const press = (key: (typeof KEYS)[number]) =>
    props.live.press("arrow" in key ? props.live.terminal.arrow(key.arrow) : key.text);
  return (
    <div class="keys" role="toolbar" aria-label="Extra keys">
      <For each={KEYS}>
        {(key) => (
          // The terminal keeps the focus, and with it the phone's keyboard.
          <button type="button" onPointerDown={(event) => event.preventDefault()} onClick={() => press(key)}>
            {key.label}
          </button>
        )}
      </For>
    </div>
  );
}
