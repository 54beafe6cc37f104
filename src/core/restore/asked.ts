// What is asked of restore points, and what they answer.
import type { Comparison, Counts, InWay, LeftAlone, Moved, Plan, ShownDiff, StoredPoint } from "./state.ts";

/** An agent is about to do something. */
export interface Before {
  readonly cwd: string;
  readonly session_id: string | null;
  readonly actor: string;
  readonly text: string;
  readonly input: "line" | "keys";
}

export interface ListedPoint {
  readonly point: StoredPoint;
  /** What changed from it to the next one that has files; null when there is none. */
  readonly changed: Counts | null;
}

/** What an undo would do, or did. */
export interface Undo {
  readonly point: StoredPoint;
  readonly compared: Comparison;
  readonly plan: Plan;
  readonly diff: ShownDiff;
  readonly left_alone: readonly LeftAlone[];
  readonly moved: readonly Moved[];
  /** The point of the files as they were before the undo; null when nothing was done. */
  readonly saved_as: string | null;
}

export interface UndoAsk {
  readonly workspace: string;
  readonly actor: string;
  readonly session_id: string;
  readonly to: string | undefined;
  readonly paths: readonly string[];
  readonly in_way: InWay;
  readonly apply: boolean;
  /** The state that the person saw. Another one is not touched. */
  readonly seen: string | undefined;
}
