// How one agent CLI is known and read: its program's names, and rules over its title and its screen.
import type { AgentState, BlockedKind } from "../../protocol/words/agent-state.ts";
import type { Find } from "../base/finder.ts";

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

/** Which row of a dialog says what is asked: the lowest of its kind, or the one below a row of its kind. */
type Asked = { readonly row: Pattern } | { readonly under: Pattern };

export interface Preset {
  readonly name: string;
  /** Names of its program, or of the script that node, bun or python runs. */
  readonly programs: readonly string[];
  /** How it calls itself in OSC 7501. */
  readonly apps: readonly string[];
  readonly rules: readonly Rule[];
  /** The first that is found is told in place of the row that says only that something is asked. */
  readonly asked?: readonly Asked[] | undefined;
  /** It says that it works while it loads its servers, though nobody gave it anything to do. */
  readonly loads?: true | undefined;
  /** Missing: nothing tells whether somebody's draft stands there, so nobody may prompt it. */
  readonly box?: Box | undefined;
}

/** Where a person writes to it: between two lines, or open. All lines of a text but the first are indented. */
export interface Box {
  /** What the row of its first line begins with. */
  readonly sign: Find;
  /** No lines are around it. Then it is empty only if a hint stands in it. */
  readonly isOpen?: boolean | undefined;
  /** All that an empty one says, where that is not faint. Nothing of it is in the terminal's own colour. */
  readonly hint?: Pattern | undefined;
  /** The key for a line break that does not send, where the program takes no pastes. */
  readonly newline?: string | undefined;
}
