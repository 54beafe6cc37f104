// What a conversation is asked and what it answers about itself: the words between it and the ways in.
import type { AgentState, PlanEntry, TurnOutcome } from "./events.ts";

export interface Ask {
  readonly text: string;
  readonly agent: string;
  readonly model?: string | undefined;
  /** person or agent:NAME. */
  readonly actor: string;
  readonly step_by_step: boolean;
  readonly max_steps: number;
  readonly time_limit_ms: number;
}

export interface Status {
  readonly session_id: string;
  readonly agent: string | null;
  readonly state: AgentState;
  readonly note: string | null;
  readonly outcome: TurnOutcome | null;
  readonly steps: number;
  readonly steps_max: number;
  readonly step_by_step: boolean;
  readonly plan: readonly PlanEntry[];
  readonly approval_id: string | null;
  readonly seq: number;
}

export type Control = "pause" | "resume" | "step" | "stop";
