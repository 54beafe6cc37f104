// How one agent CLI is known and read: its program's names, and rules over its title and its screen.
import type { AgentState, BlockedKind } from "../../protocol/words/agent-state.ts";

/** A regular expression, ours or a person's. */
export interface Pattern {
  test(text: string): boolean;
}

export interface Rule {
  readonly id: string;
  readonly state: Exclude<AgentState, "starting" | "unknown">;
  readonly kind?: BlockedKind | undefined;
  readonly title?: Pattern;
  /** The title moves while this is true: one that stands still is old. */
  readonly spins?: true;
  /** Each is in one of the last rows. */
  readonly screen?: readonly Pattern[];
}

export interface Preset {
  readonly name: string;
  /** Names of its program, or of the script that node, bun or python runs. */
  readonly programs: readonly string[];
  /** How it calls itself in OSC 7501. */
  readonly apps: readonly string[];
  readonly rules: readonly Rule[];
}
