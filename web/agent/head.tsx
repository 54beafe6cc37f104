// Which agent works, what it is doing, how far it is, and the buttons that control it.
import { For, Show } from "solid-js";
import type { AgentStatus } from "../../src/protocol/ops/agent.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import type { Lead } from "./conversation.ts";
import { agentName, agentStateWord } from "./words.ts";

const DOTS: Readonly<Record<AgentStatus["state"], string>> = {
  idle: "",
  thinking: "run",
  acting: "run",
  waiting: "wait",
  paused: "wait",
};

interface TurnButton {
  readonly action: Lead;
  readonly title: string;
  readonly says: string;
}

const PAUSE: TurnButton = { action: "pause", title: "Pause", says: "Pause before its next action" };
const STOP: TurnButton = { action: "stop", title: "Stop", says: "End this task" };
const RESUME: TurnButton = { action: "resume", title: "Resume", says: "Let it continue on its own" };
const STEP: TurnButton = { action: "step", title: "Step", says: "Let it take one step" };

const NOT_LED = "This agent cannot be paused: stop it, or take the keyboard to keep it from the terminal";

export function AgentHead(props: { page: PageState; shown: ShownSession }) {
  const { agent } = props.shown;
  const status = () => agent.status;
  return (
    <header>
      <Show when={status()} fallback={<b>Agent</b>}>
        {(now) => (
          <>
            <b class="who">{agentName(now().agent)}</b>
            <span class="at" role="status">
              <i class={`dot ${DOTS[now().state]}`} /> {agentStateWord(now())}
            </span>
            <Show when={now().steps > 0 || agent.busy()}>
              <span class="mut count" title="steps taken, out of the limit">
                {now().steps}/{now().steps_max}
              </span>
            </Show>
            <p class="note-line mut">{now().note}</p>
            <TurnButtons shown={props.shown} state={now().state} />
            <Show when={now().state === "waiting" && now().approval_id !== null}>
              <button type="button" class="answer narrow-only" onClick={() => props.page.setSheet("shut")}>
                Show the question
              </button>
            </Show>
          </>
        )}
      </Show>
    </header>
  );
}

function TurnButtons(props: { shown: ShownSession; state: AgentStatus["state"] }) {
  const buttons = (): readonly TurnButton[] => {
    if (props.state === "idle") return [];
    return props.state === "paused" ? [RESUME, STEP, STOP] : [PAUSE, STOP];
  };
  const isBeyond = (action: Lead) => props.shown.agent.hosted() && (action === "pause" || action === "step");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not a form's group
    <span class="reins" role="group" aria-label="Control the agent">
      <For each={buttons()}>
        {({ action, title, says }) => (
          <button
            type="button"
            classList={{ bad: action === "stop" }}
            disabled={isBeyond(action)}
            title={isBeyond(action) ? NOT_LED : says}
            onClick={() => void props.shown.agent.control(action)}
          >
            {title}
          </button>
        )}
      </For>
    </span>
  );
}
