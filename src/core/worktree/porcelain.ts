// Reads what git prints for programs: its list of work trees and the state of one. Pure. Text has one character per byte.

export interface ListedTree {
  readonly path: string;
  /** Null: detached, or bare. */
  readonly branch: string | null;
  /** The reason, where there is one. */
  readonly locked: string | null;
}

/** `git worktree list --porcelain -z`. */
export function listedTrees(text: string): ListedTree[] {
  return text
    .split("\0\0")
    .map((one) => one.split("\0"))
    .filter(([first]) => first?.startsWith("worktree "))
    .map((lines) => {
      const value = (key: string) => lines.find((line) => line === key || line.startsWith(`${key} `));
      return {
        path: (lines[0] ?? "").slice("worktree ".length),
        branch: value("branch")?.replace(/^branch refs\/heads\//, "") ?? null,
        locked: value("locked")?.slice("locked ".length) ?? null,
      };
    });
}

interface FileStates {
  /** Tracked files that differ from the commit. */
  readonly changed: readonly string[];
  readonly conflicts: readonly string[];
  readonly untracked: readonly string[];
  /** Folders end with a slash. */
  readonly ignored: readonly string[];
}

/** `git status --porcelain=v2 -z` without renames. */
export function fileStates(entries: readonly string[]): FileStates {
  const after = (kind: string, fields: number) =>
    entries.filter((entry) => entry.startsWith(`${kind} `)).map((entry) => entry.split(" ").slice(fields).join(" "));
  const conflicts = after("u", 10);
  return { changed: [...after("1", 8), ...conflicts], conflicts, untracked: after("?", 1), ignored: after("!", 1) };
}

/** What a repository's settings say without naming a program. */
export type Settings = ReadonlyMap<string, string>;

/** `git config --list -z`; the last of several counts. Keys have small letters. */
export function settingsIn(entries: readonly string[]): Settings {
  return new Map(
    entries.map((entry) => {
      const at = entry.indexOf("\n");
      return at < 0 ? [entry, "true"] : [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
