// What an attached person knows about the agent besides the conversation: its state and progress. Pure.
import type { AgentEvent, AgentState, AgentStatus } from "../../protocol/ops/agent.ts";

export interface AgentGlimpse {
  readonly name: string | null;
  readonly state: AgentState;
  readonly note: string | null;
  readonly steps: number;
  /** Known when the daemon was asked. */
  readonly steps_max: number | null;
  readonly step_by_step: boolean;
  /** A program that it started has the screen. */
  readonly suggests: "terminal" | null;
}

/** The name under which duetty's own agent acts. */
const BUILT_IN_ACTOR = "duetty";
const NOBODY: AgentGlimpse = {
  name: null,
  state: "idle",
  note: null,
  steps: 0,
  steps_max: null,
  step_by_step: false,
  suggests: null,
};

export function glimpsed(before: AgentGlimpse | undefined, event: AgentEvent): AgentGlimpse {
  const known = before ?? NOBODY;
  switch (event.type) {
    case "prompt":
      return { ...NOBODY, name: event.agent, state: "thinking", steps_max: known.steps_max };
    case "status":
      return { ...known, state: event.state, note: event.note };
    case "step":
      return { ...known, steps: event.step, suggests: null };
    case "observation":
      return { ...known, suggests: event.suggests };
    case "ended":
      return { ...known, state: "idle", note: null, steps: event.steps };
    case "plan":
    case "chunk":
    case "message":
    case "proposal":
    case "trouble":
    case "exit":
      return known;
    default:
      return newer(known, event);
  }
}

/** A newer daemon may send states that we do not know. */
function newer(known: AgentGlimpse, _: never): AgentGlimpse {
  return known;
}

export function fromStatus(status: AgentStatus, before: AgentGlimpse | undefined): AgentGlimpse {
  const { agent: name, state, note, steps, steps_max, step_by_step } = status;
  return { name, state, note, steps, steps_max, step_by_step, suggests: before?.suggests ?? null };
}

export function isAtWork(agent: AgentGlimpse | undefined): boolean {
  return agent !== undefined && agent.state !== "idle";
}

/** Whether the agent asked here has the keyboard but has nothing to do. */
export function isResting(agent: AgentGlimpse | undefined, hold: string): boolean {
  if (!agent || isAtWork(agent)) return false;
  return hold === `agent:${agent.name === "built-in" ? BUILT_IN_ACTOR : agent.name}`;
}

/** Longest first, for a line that may have to be short. */
export function agentTexts(agent: AgentGlimpse): string[] {
  const { state, steps, steps_max, note } = agent;
  const count = steps === 0 ? "" : steps_max === null ? ` ${steps}` : ` ${steps}/${steps_max}`;
  const said = note ? ` (${note})` : "";
  return [`agent: ${state}${count}${said}`, `agent: ${state}${count}`, `agent: ${state}`, state];
}
