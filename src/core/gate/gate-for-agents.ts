// The part of the gate that the agents' lane uses.
import type { Fault } from "../base/fault.ts";
import type { Probe } from "../journal/holding.ts";
import type { Actor } from "./actor.ts";
import type { Policy } from "./policy.ts";
import type { Typed } from "./prompt-keys.ts";

/** How often a person had taken or stopped when something began. */
export interface Epoch {
  readonly takes: number;
  readonly stops: number;
}

/**
 * line: a whole command, which never meets a half-typed one. entered: text and Enter, at whatever is in front. next: the same,
 * as soon as another agent's line is over.
 */
export type AgentInput = "line" | "keys" | "entered" | "next";

export interface GateForAgents {
  epoch(): Epoch;
  policy(): Policy;
  /** The session's first program. */
  leader(): number | null;
  /** Undefined while the gate is shut. */
  probe(): Promise<Probe | undefined>;
  refused(actor: Actor, what: AgentInput, probe: Probe | undefined, since: Epoch): Fault | undefined;
  type(actor: Actor, bytes: Uint8Array): Promise<Typed>;
  log(event: object): void;
  pause(ms: number): Promise<void>;
}
