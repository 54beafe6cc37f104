// One step of the agent in one line: what it does, how it went, the way to its card, and on demand what it saw.
import { createSignal, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { blockAddress } from "../sessions/address.ts";
import type { StepItem } from "./items.ts";
import { STEP_SIGNS } from "./words.ts";

/** How much of an observation we show. The card has all of it. */
const SEEN_CHARS_MAX = 4_000;

export function AgentStep(props: { page: PageState; session: string; step: StepItem }) {
  const { page, step } = props;
  const [open, setOpen] = createSignal(false);
  const sign = () => STEP_SIGNS[step.state];
  return (
    <li class="step" data-state={step.state}>
      <div class="line">
        <span class="sign" role="img" aria-label={sign().word}>
          {sign().sign}
        </span>
        <Show when={step.block_id} fallback={<span class="title">{step.title}</span>}>
          {(id) => (
            <a
              class="title"
              href={blockAddress(props.session, id())}
              title="Go to this command"
              onClick={(event) => {
                event.preventDefault();
                page.goToBlock(props.session, id());
              }}
            >
              {step.title}
            </a>
          )}
        </Show>
        <Show when={step.text !== ""}>
          <button
            type="button"
            class="icon see"
            aria-expanded={open()}
            aria-label={`${open() ? "Hide" : "Show"} what came of: ${step.title}`}
            onClick={() => setOpen(!open())}
          >
            {open() ? "▾" : "▸"}
          </button>
        </Show>
      </div>
      <Show when={open()}>
        <pre>{bounded(step.text)}</pre>
      </Show>
      <Show when={step.suggests === "terminal"}>
        <button type="button" class="small" onClick={() => showTerminal(page)}>
          Show the terminal
        </button>
      </Show>
    </li>
  );
}

function showTerminal(page: PageState): void {
  page.settings.set({ view: "plain" });
  page.setSheet("shut");
  queueMicrotask(() => page.shown()?.live.terminal.focus());
}

function bounded(text: string): string {
  if (text.length <= SEEN_CHARS_MAX) return text;
  return `${text.slice(0, SEEN_CHARS_MAX)}\n… ${text.length - SEEN_CHARS_MAX} more characters`;
}
