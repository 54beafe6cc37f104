// The difference between a tree and what it came from, as a list of files. Pure.

/** One change as git lists it. */
export interface ListedFile {
  readonly path: string;
  /** Where it was, if it was renamed or copied. */
  readonly old_path: string | null;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied" | "type";
  /** Lines. 0 for binary files. */
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
}

interface DiffFile extends ListedFile {
  /** Unified. */
  readonly text: string;
  /** The commits have exactly this. */
  readonly committed: boolean;
}

export interface TreeDiff {
  /** As the files are now, each once. */
  readonly files: readonly DiffFile[];
  /** As the commits have it, where the files differ by now. */
  readonly only_committed: readonly DiffFile[];
  readonly cut: boolean;
}

export interface MergeCheck {
  /** The commit that was looked at. */
  readonly head: string;
  readonly into: string;
  readonly clean: boolean;
  readonly conflicts: readonly string[];
  /** Nothing would change: the other side has it all, also after a squash. */
  readonly merged: boolean;
}

const STATUSES: Readonly<Record<string, ListedFile["status"]>> = {
  ...{ A: "added", D: "deleted", M: "modified", R: "renamed", C: "copied", T: "type" },
};

/** `git diff-tree -r -z -M --raw --numstat`: first what happened to each file, then the lines of each. */
export function diffFiles(fields: readonly string[]): ListedFile[] {
  const files: Omit<ListedFile, "added" | "removed" | "binary">[] = [];
  const lines = new Map<string, Pick<ListedFile, "added" | "removed" | "binary">>();
  for (let i = 0; i < fields.length; ) {
    const field = fields[i++] ?? "";
    const raw = /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/.exec(field)?.[1];
    if (raw !== undefined) {
      const first = fields[i++] ?? "";
      const isMoved = raw === "R" || raw === "C";
      const path = isMoved ? (fields[i++] ?? "") : first;
      files.push({ path, old_path: isMoved ? first : null, status: STATUSES[raw] ?? "modified" });
      continue;
    }
    const [, added = "-", removed = "-", name = ""] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field) ?? [];
    if (name === "") i += 1;
    const path = name === "" ? (fields[i++] ?? "") : name;
    lines.set(path, { added: Number(added) || 0, removed: Number(removed) || 0, binary: added === "-" });
  }
  return files.map((file) => ({ ...file, ...(lines.get(file.path) ?? { added: 0, removed: 0, binary: false }) }));
}
