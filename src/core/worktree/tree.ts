// A work tree that belongs to one session: where it is, what it came from, how it stands. Types alone.

/** linked: a worktree of the person's repository. clone: a repository of its own that borrows objects; we fetch its work. */
export type Form = "linked" | "clone";

export interface Tree {
  /** The session's id. */
  readonly id: string;
  readonly form: Form;
  /** The top of the person's work tree, or the bare folder. */
  readonly repo: string;
  /** The person's git folder, which all of its work trees share. */
  readonly common: string;
  /** Where the files are. */
  readonly path: string;
  /** The git folder of this tree. From our own record, never read from the tree. */
  readonly git: string;
  readonly branch: string;
  /** What was asked for or found (a branch where there is one), and its commit then. */
  readonly from: string;
  readonly base: string;
  readonly made_branch: boolean;
  readonly created_at: number;
}

export interface TreeAsk {
  readonly cwd: string;
  readonly branch?: string | undefined;
  readonly from?: string | undefined;
  readonly id: string;
  readonly slug: string;
  readonly form: Form;
  /** An agent begins a branch; those that are there are people's. */
  readonly isNew?: boolean;
}

export interface TreeStatus {
  /** Files that are changed, staged, in conflict or untracked. */
  readonly changed: number;
  readonly conflicts: number;
  /** Commits that the branch it came from lacks, and the other way round. */
  readonly ahead: number;
  readonly behind: number;
  /** The commit. Empty: none. */
  readonly head: string;
  /** The branch that it is on now. Null: detached. */
  readonly branch: string | null;
  readonly detached: boolean;
  /** "rebase", "merge" and the like. */
  readonly under_way: string | null;
  /** False until the files were written for the first time. */
  readonly checked_out: boolean;
}
