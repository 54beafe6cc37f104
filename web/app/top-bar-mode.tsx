// Who works in the session: a choice of three, worked with arrow keys as one control.
import { For } from "solid-js";
import type { Control, Mode } from "../approvals/control.ts";

const MODES: readonly { readonly mode: Mode; readonly name: string; readonly hint: string }[] = [
  { mode: "terminal", name: "Terminal", hint: "Agents must ask for everything" },
  { mode: "agent_terminal", name: "Shared", hint: "You and agents work here; you approve and can take over" },
  { mode: "agent", name: "Agent", hint: "What you type goes to the agent" },
];

export function TopBarMode(props: { control: Control }) {
  const now = () => props.control.facts.policy?.mode;
  let group: HTMLDivElement | undefined;
  function onKey(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = (MODES.findIndex(({ mode }) => mode === now()) + by + MODES.length) % MODES.length;
    const next = MODES[at];
    if (next) props.control.setMode(next.mode);
    group?.querySelectorAll<HTMLElement>("[role=radio]")[at]?.focus();
  }
  return (
    <div class="seg" ref={group} role="radiogroup" aria-label="Mode" title="Ctrl+`: next mode" onKeyDown={onKey}>
      <For each={MODES}>
        {({ mode, name, hint }) => (
          // biome-ignore lint/a11y/useSemanticElements: arrow keys choose at once, which native radios in a form do not draw like this
          <button
            type="button"
            role="radio"
            aria-checked={now() === mode}
            tabindex={now() === mode ? 0 : -1}
            title={hint}
            onClick={() => props.control.setMode(mode)}
          >
            {name}
          </button>
        )}
      </For>
    </div>
  );
}
