// What is lost when a tree is removed: by name, so that a person can say whether it may go. Pure.

export interface Losses {
  /** Tracked files that differ from the last commit. */
  readonly changed: readonly string[];
  /** Among them those that git was told not to look at. */
  readonly hidden: readonly string[];
  readonly untracked: readonly string[];
  /** Folders end with a slash. */
  readonly ignored: readonly string[];
  /** The first lines of commits that no other branch has. */
  readonly commits: readonly string[];
  readonly stashes: number;
  /** "rebase", "merge" and the like. */
  readonly under_way: string | null;
  readonly submodules: readonly string[];
  /** Other repositories inside the tree. */
  readonly nested: readonly string[];
  /** Something of it fits into no ref. The folder is then kept aside for a while. */
  readonly kept_aside: boolean;
}

/** More names than anybody reads. The number stands beside them. */
const NAMES_MAX = 10;

/** One line for each kind. Empty: nothing is lost. */
export function lossLines(losses: Losses): string[] {
  const kinds: [string, readonly string[]][] = [
    ["changed", losses.changed],
    ["changed, though git was told not to look", losses.hidden],
    ["untracked", losses.untracked],
    ["ignored", losses.ignored],
    ["commits that are nowhere else", losses.commits],
    ["submodules", losses.submodules],
    ["other repositories", losses.nested],
  ];
  return [
    ...kinds.flatMap(([kind, names]) => (names.length === 0 ? [] : [`${kind}: ${some(names)}`])),
    ...(losses.stashes === 0 ? [] : [`stashes: ${losses.stashes}`]),
    ...(losses.under_way === null ? [] : [`under way: ${losses.under_way}`]),
  ];
}

function some(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
