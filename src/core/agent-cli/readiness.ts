// Whether an agent CLI may be prompted now, and whether a prompt has begun a turn. Pure. In doubt it may not, and it has not.
import { advice } from "../base/advice.ts";
import { type Fault, fault } from "../base/fault.ts";
import { type BoxNow, shows } from "./prompt-box.ts";
import type { AgentStatus } from "./watch.ts";

/** A program that draws late shows by then what was typed. */
const DRAWN_MS = 3_000;

export interface PromptFacts {
  readonly agent: AgentStatus | null;
  /** Undefined: nothing is known of its box. */
  readonly box: BoxNow | undefined;
  /** How long ago somebody typed what nobody has entered since. */
  readonly openMs: number | undefined;
}

/** Why not. Without the agent's own words: what a program wrote is no text of ours. */
export function notReady({ agent, box, openMs }: PromptFacts, session_id: string): Fault | undefined {
  if (!agent)
    return fault("agent.unread", "no agent CLI that we can read is in front", advice("send_keys", session_id));
  const { name, now } = agent;
  const is = `${name} is ${now.state}${now.kind ? ` (${now.kind})` : ""}`;
  if (now.state === "starting" || now.state === "working")
    return fault("session.busy", is, advice("when_ready", session_id));
  if (now.state === "blocked") return fault("agent.blocked", is, advice("agent_asks", session_id));
  if (now.state !== "idle" && now.state !== "done") return fault("agent.unread", is, advice("send_keys", session_id));
  if (!box || box.is === "missing") {
    const what = `nobody can tell whether a draft stands in the prompt box of ${name}`;
    return fault("agent.unread", what, advice("send_keys", session_id));
  }
  const hint = "Whoever wrote it sends or removes it. Nothing was typed.";
  if (box.is === "text") return fault("prompt.busy", `unfinished text stands in the prompt box of ${name}`, hint);
  if (openMs === undefined || (openMs >= DRAWN_MS && !box.isGuess)) return undefined;
  if (openMs >= DRAWN_MS)
    return fault("prompt.busy", "somebody typed, and what stands in the prompt box may be a draft", hint);
  return fault("prompt.busy", "somebody typed a moment ago, and it may not be drawn yet", hint);
}

/** What was seen right before Enter. */
export interface Before {
  readonly text: string;
  /** When the agent's state began. */
  readonly since: number;
  /** How often the text stood above the box. */
  readonly count: number;
}

/** By which evidence a turn has begun since. */
export function begun(
  { text, since, count }: Before,
  { agent, box }: Pick<PromptFacts, "agent" | "box">,
  countNow: number,
): "state" | "screen" | undefined {
  const state = agent?.now.state;
  if (state === "working") return "state";
  if (!agent || shows(box, text) !== "no") return undefined;
  // It came to a question or to its end between two looks.
  if (state === "blocked" || state === "error") return "state";
  if (box?.is !== "empty") return undefined;
  if (state === "done" && agent.now.since > since) return "state";
  return countNow > count ? "screen" : undefined;
}
