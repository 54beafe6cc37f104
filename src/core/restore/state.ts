// What a workspace looked like at one moment, and the port to what keeps it. A path is written as git has it: relative, with
// one character per byte, because a file's name need not be text. A folder's path ends in a slash where both kinds are mixed.
import type { Cancelled } from "../base/cancellation.ts";
import type { Fault } from "../base/fault.ts";

/** Why a file is there but not kept. */
export type NotKept = "large" | "unreadable" | "special" | "name" | "refused" | "too many folders";

export interface LeftOut {
  readonly path: string;
  readonly why: NotKept;
}

/** What git's trees do not have. */
export interface More {
  /** Folders without a kept file in them, with every folder inside. */
  readonly folders: readonly string[];
  /** Permission bits that are not the usual ones, of files and of folders ("src/"). */
  readonly modes: Readonly<Record<string, number>>;
  readonly left_out: readonly LeftOut[];
}

export interface FileState {
  /** The tree object with all kept files. */
  readonly tree: string;
  readonly more: More;
  /** Equal for equal files. */
  readonly key: string;
}

export interface Counts {
  readonly added: number;
  readonly modified: number;
  readonly deleted: number;
}

/** A point as it is stored. Without a state nothing was kept, and `skipped` says why. */
export interface StoredPoint {
  readonly point_id: string;
  readonly ts: number;
  readonly actor: string;
  readonly session_id: string | null;
  /** The input that it was made before. */
  readonly text: string;
  readonly skipped: string | null;
  /** The state's tree and key, and the name under which the rest of it is stored. */
  readonly state: { readonly tree: string; readonly key: string; readonly more: string } | null;
  readonly left_out: readonly LeftOut[];
  readonly left_out_total: number;
}

/** One side of a change: the kind of file as git writes it (100644, 100755, 120000) and its content. */
export interface Entry {
  readonly mode: string;
  readonly oid: string;
}

export interface TreeChange {
  readonly path: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** Two states compared: what plan.ts needs to know. */
export interface Comparison {
  readonly from: FileState;
  readonly to: FileState;
  readonly changes: readonly TreeChange[];
  /** All folders of each state. */
  readonly folders: { readonly from: ReadonlySet<string>; readonly to: ReadonlySet<string> };
}

/** What to do to turn one state into another. */
export interface Plan {
  readonly writes: readonly Write[];
  readonly deletes: readonly string[];
  readonly chmods: readonly { readonly path: string; readonly mode: number }[];
  readonly makes: readonly string[];
  readonly removes: readonly string[];
  readonly left_alone: readonly LeftAlone[];
  readonly in_way: InWay;
  /** What is known to be in the way of a write and is not kept. More may be found when the plan is carried out. */
  readonly obstacles: readonly string[];
}

/** What to do with something that is not kept where a file comes back: leave it alone, or move it to another name. */
export type InWay = "leave" | "move";

export interface Write {
  readonly path: string;
  readonly oid: string;
  /** Null for a symbolic link. */
  readonly mode: number | null;
  /** There is no kept file at this path now. */
  readonly fresh: boolean;
}

export interface LeftAlone {
  readonly path: string;
  readonly why: string;
  /** Something that is not kept is in its place, and could be moved aside. */
  readonly in_way: boolean;
}

/** Something that was in the way, and its new name beside the old one. */
export interface Moved {
  readonly path: string;
  readonly to: string;
}

export interface Done {
  readonly left_alone: readonly LeftAlone[];
  readonly moved: readonly Moved[];
}

/** Lines of one file's difference. Null for what is not text. */
export interface LineCounts {
  readonly added: number | null;
  readonly removed: number | null;
}

export interface ShownDiff {
  readonly text: string;
  readonly cut: boolean;
  readonly lines: ReadonlyMap<string, LineCounts>;
}

/** An absolute path that must be kept before it is changed. */
export interface Wanted {
  readonly path: string;
  /** A folder of this name stays as it is. */
  readonly entered: boolean;
}

/** Port: what keeps the states of one workspace. Calls come one at a time. Adapter: src/host/git/shadow.ts. */
export interface Shadow {
  readonly workspace: string;
  /** Keeps the present files and says which state they are. */
  look(): Promise<FileState | Fault>;
  /** What of these a state does not have, in words. Null: it has all of it. */
  lacks(state: FileState, wanted: readonly Wanted[]): Promise<string | null | Fault>;
  /** Oldest first. */
  points(): Promise<StoredPoint[]>;
  /** A second point of the same name replaces the first. */
  add(point: Omit<StoredPoint, "state">, state: FileState | null): Promise<StoredPoint | Fault>;
  /** What changed from each of these points, which all have a state, to the next. */
  steps(points: readonly StoredPoint[]): Promise<TreeChange[][] | Fault>;
  compare(from: FileState, to: StoredPoint): Promise<Comparison | Fault>;
  /** The difference of these files as text. */
  diff(compared: Comparison, paths: readonly string[]): Promise<ShownDiff | Fault>;
  /** Carries a plan out, file by file. */
  bringBack(plan: Plan, since: number): Promise<Done | Fault>;
  /**
   * Forgets points and packs the rest; "prune": also removes what no point holds. It may be given up at any time; the next one
   * does what is left.
   */
  tidy(forget: readonly string[], how: "pack" | "prune", cancelled: Cancelled): Promise<Fault | undefined>;
}
