// Port: one thing an agent can do. The driver runs it. The agent gets the result, and people see it.
import type { PlanEntry } from "../../protocol/ops/agent.ts";
import type { Cancelled } from "../base/cancellation.ts";
import type { Fault } from "../base/fault.ts";
import type { Kind } from "./agent.ts";
import type { ToolSpec } from "./model.ts";

export interface Seen {
  readonly ok: boolean;
  /** For the agent, within what a model can read. */
  readonly text: string;
  readonly again: string | null;
  readonly block_id: string | null;
  /** A program has the whole screen, or waits for keys. */
  readonly suggests: "terminal" | null;
  /** Nothing more can be done until a person acts, because they have the keyboard. */
  readonly held?: boolean;
  /** An internal tool changed the plan. */
  readonly plan?: readonly PlanEntry[];
}

export interface Tool extends ToolSpec {
  readonly kind: Kind;
  /** What this call does, in one line, for people. */
  title(args: unknown): string;
  /** Arguments that do not fit are a Fault and nothing happens. */
  run(args: unknown, cancelled: Cancelled): Promise<Seen | Fault>;
}

/** What an agent is told of a fault. */
export function faultSeen({ code, message, hint }: Fault): Seen {
  return { ok: false, text: `${code}: ${message}\n${hint}`, again: null, block_id: null, suggests: null };
}

/** What an agent is told when it calls a tool that does not exist. */
export function unknownTool(name: string, known: readonly string[]): Seen {
  const text = `no tool is called "${name}"\nThe tools are: ${known.join(", ")}`;
  return { ok: false, text, again: null, block_id: null, suggests: null };
}
