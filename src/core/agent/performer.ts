// Port: carries out a turn. Adapters: driver/driver.ts (built-in agent), src/serve/acp (hosted agents).
import type { TurnOutcome } from "../../protocol/ops/agent.ts";
import type { Fault } from "../base/fault.ts";
import type { AgentEvent } from "./events.ts";
import type { Entry } from "./history.ts";

export interface Turn {
  readonly text: string;
  readonly step_by_step: boolean;
  readonly max_steps: number;
  readonly time_limit_ms: number;
}

/** What a conversation is asked: a turn, and who carries it out. */
export interface Ask extends Turn {
  readonly agent: string;
  readonly model?: string | undefined;
  /** person or agent:NAME. */
  readonly actor: string;
}

/** exit: the session is over. shutdown: the daemon ends and the turn continues later. Default: person. */
export type StopReason = "person" | "exit" | "shutdown";

/** How the performer reaches the conversation it belongs to. */
export interface ConversationLink {
  /** `ended` carries the tokens if they are known. The conversation passes it on when `perform` has resolved. */
  tell(event: AgentEvent): void;
  /** Kept for the agent's next thought, and over restarts. */
  remember(entry: Entry): void;
  /** The agent's own id for this conversation. Null when it does not know all of it. */
  thread(): string | null;
  /** Kept over restarts, until another agent has a turn. */
  noteThread(thread: string | null): void;
}

export interface Performer {
  /**
   * Resolves when the turn is over. Never rejects. `history` ends with the prompt, or with what was done since when
   * a turn is resumed after a restart.
   */
  perform(turn: Turn, history: readonly Entry[]): Promise<TurnOutcome>;
  pause(): Fault | undefined;
  resume(): Fault | undefined;
  /** One action, then paused again. Only while it is paused. */
  step(): Fault | undefined;
  /** Stops at once: nothing new begins after this returns. */
  stop(why?: StopReason): void;
  /** A person took the keyboard, or gave it back. */
  held(by: "person" | "nobody"): void;
  /** Ends what it is made of: processes, connections. */
  dispose(): Promise<void>;
}
