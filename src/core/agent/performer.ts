// Port: whoever carries out a turn. Adapters: driver.ts (built-in agent), serve/acp (hosted agents).
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

/** exit: the session is over; shutdown: the daemon ends, the turn goes on after it. Default: person. */
export type StopReason = "person" | "exit" | "shutdown";

/** How the performer reaches the conversation it belongs to. */
export interface ConversationLink {
  /** `ended` is told with the tokens, if they are known; the conversation passes it on when `perform` has resolved. */
  tell(event: AgentEvent): void;
  /** Kept for the agent's next thought, and over restarts. */
  remember(entry: Entry): void;
  /** By which the agent itself knows this conversation; null when it does not, or does not know all of it. */
  thread(): string | null;
  /** Kept over restarts, until another agent has a turn. */
  noteThread(thread: string | null): void;
}

export interface Performer {
  /**
   * Resolves when the turn is over, however. Never rejects. `history` ends with the prompt; with what was done since, when
   * a turn is resumed after a restart.
   */
  perform(turn: Turn, history: readonly Entry[]): Promise<TurnOutcome>;
  pause(): Fault | undefined;
  resume(): Fault | undefined;
  /** One action, then paused again. Only while it is paused. */
  step(): Fault | undefined;
  /** In the same turn of the loop: nothing new begins after this returns. */
  stop(why?: StopReason): void;
  /** A person took the keyboard, or gave it back. */
  held(by: "person" | "nobody"): void;
  /** Ends what it is made of: processes, connections. */
  dispose(): Promise<void>;
}
