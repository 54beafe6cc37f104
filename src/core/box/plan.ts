// What a box is made of, as pure data: one description for bubblewrap (arguments.ts) and for Seatbelt (seatbelt.ts).
// Every path is absolute and without links. src/host/sandbox makes plans; nothing here looks at a disk.

/** One path that a box sees. `from` is what lies there, when it is something else than outside. */
export interface Bind {
  readonly path: string;
  readonly from?: string;
  readonly access: "read" | "write";
}

/** Null: no limit of ours. */
export interface BoxLimits {
  readonly processes: number | null;
  readonly file_bytes: number | null;
  readonly memory_bytes: number | null;
  readonly cpu_seconds: number | null;
}

/** What is known of a session's box from outside. */
export interface BoxSummary {
  readonly network: readonly string[];
  readonly roots: readonly string[];
}

export interface BoxPlan {
  /** The only folders of the person's that can be written. */
  readonly roots: readonly string[];
  /** Folders outside the roots that commits write to: those of a work tree's repository. */
  readonly repository: readonly string[];
  /** Writable folders that must stay where they are: what is protected in them would move with them. */
  readonly pinned: readonly string[];
  /** Where git keeps the repositories that can be written. */
  readonly gitFolders: readonly string[];
  /** Inside writable folders, but read-only. */
  readonly readOnly: readonly Bind[];
  /** Of those, what must exist while the box does. Missing ones are made before, and removed after it. */
  readonly reserved: readonly string[];
  /** Of those, what is made as an empty file. */
  readonly reservedFiles: readonly string[];
  /** Inside writable folders, read-only, and nothing is in them. */
  readonly empty: readonly string[];
  /** Links in place of protected paths. What they lead to is read-only; bubblewrap cannot cover the links themselves. */
  readonly links: readonly string[];
  /** The roots are so large that repositories may lie in them that nobody found. */
  readonly isSearchedInPart: boolean;
  /** What lies in a folder that every box has for itself (PRIVATE_FOLDERS), and is seen all the same. */
  readonly visible: readonly string[];
  /** Folders that are empty inside. */
  readonly masks: readonly string[];
  /** Files that are empty inside. */
  readonly maskedFiles: readonly string[];
  /** What stays visible inside a masked folder. */
  readonly keep: readonly Bind[];
  /** An empty file that masks other files. */
  readonly emptyFile: string;
  /** Private to the workspace's boxes: their home folder and their caches. */
  readonly ownDir: string;
  /** Hosts that the proxy lets through. */
  readonly network: readonly string[];
  /** Where the socket of the daemon's proxy for this box lies. Null: no network at all. */
  readonly proxyFolder: string | null;
  readonly limits: BoxLimits;
}

/** Whether `path` is `folder` or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
