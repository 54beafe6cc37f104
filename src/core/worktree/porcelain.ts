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

export interface FileStates {
  /** Tracked files that differ from the commit. */
  readonly changed: readonly string[];
  readonly conflicts: readonly string[];
  /** Changed files that are no longer there. */
  readonly gone: readonly string[];
  readonly untracked: readonly string[];
  /** Folders end with a slash. */
  readonly ignored: readonly string[];
}

/** `git status --porcelain=v2 -z` without renames. */
export function fileStates(entries: readonly string[]): FileStates {
  const fieldsBefore: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1, "!": 1 };
  const read = entries.map((entry) => {
    const fields = entry.split(" ");
    const [kind = "", states = ""] = fields;
    return { kind, states, path: fields.slice(fieldsBefore[kind] ?? 0).join(" ") };
  });
  const paths = (test: (one: (typeof read)[number]) => boolean) => read.filter(test).map(({ path }) => path);
  return {
    changed: paths(({ kind }) => kind === "1" || kind === "u"),
    conflicts: paths(({ kind }) => kind === "u"),
    gone: paths(({ kind, states }) => (kind === "1" || kind === "u") && /^(?:.D|D\.)$/.test(states)),
    untracked: paths(({ kind }) => kind === "?"),
    ignored: paths(({ kind }) => kind === "!"),
  };
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
