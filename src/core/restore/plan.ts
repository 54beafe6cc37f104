// How one state of a workspace becomes another: which files are written, deleted, made or left alone. Pure. It never plans to
// destroy what is not kept: a file that one of the two states had to leave out is left alone, or moved aside.
import type {
  Comparison,
  Entry,
  FileState,
  InWay,
  LeftAlone,
  LeftOut,
  More,
  NotKept,
  Plan,
  TreeChange,
} from "./state.ts";

const USUAL_FOLDER = 0o755;

const WORDS: Readonly<Record<NotKept, string>> = {
  large: "too large to be kept",
  unreadable: "could not be read",
  special: "neither a file nor a link",
  name: "git refuses this name",
  refused: "git could not read it",
  "too many folders": "too many folders in it",
};

/** The usual permission bits of a file, by whether its owner may run it. */
export function usualMode(gitMode: string): number {
  return gitMode === "100755" ? 0o755 : 0o644;
}

export function saysWhy(why: NotKept): string {
  return WORDS[why];
}

/** `only`: these files and what is in these folders. */
export function planBack(compared: Comparison, only: readonly string[], in_way: InWay): Plan {
  const { to, folders } = compared;
  const wanted = (path: string) =>
    only.length === 0 || only.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`));
  const changes = compared.changes.filter(({ path }) => wanted(path));
  const { free, held, obstacles } = sorted(compared, changes, in_way);
  const writes = free.flatMap(({ path, before, after }) =>
    after ? [{ ...writeOf(path, after, to), fresh: !before }] : [],
  );
  const needed = new Set(writes.flatMap(({ path }) => withParents(path).slice(0, -1)));
  const settled = new Set([...obstacles, ...held.map(({ path }) => path)]);
  const others = onlyInOne(compared).filter(
    ({ path }) => wanted(path) && !settled.has(path) && !obstacles.some((one) => isInside(path, one)),
  );
  return {
    writes,
    deletes: free.flatMap(({ path, after }) => (after ? [] : [path])),
    chmods: chmods(compared, new Set(compared.changes.map(({ path }) => path))).filter(({ path }) => wanted(path)),
    makes: [...folders.to].filter((path) => !folders.from.has(path) && (wanted(path) || needed.has(path))).sort(),
    removes: [...folders.from]
      .filter((path) => !folders.to.has(path) && wanted(path))
      .sort()
      .reverse(),
    left_alone: [...others, ...held],
    in_way,
    obstacles,
  };
}

/** Changes that nothing stands against, those that must not be made, and what has to be moved aside for the former. */
function sorted({ from, to, folders }: Comparison, changes: readonly TreeChange[], in_way: InWay) {
  const free: TreeChange[] = [];
  const held: LeftAlone[] = [];
  const obstacles = new Set<string>();
  const touches = (path: string) => (one: LeftOut) =>
    one.path === path || isInside(one.path, path) || isInside(path, one.path);
  for (const change of changes) {
    const { path, after } = change;
    const then = to.more.left_out.find(touches(path));
    const now = from.more.left_out.find(touches(path));
    const at = now && (isInside(now.path, path) ? path : now.path);
    // A folder that cannot be looked into is in the way of nothing that belongs in it.
    const isClosed = at !== path && (now?.why === "too many folders" || folders.from.has(at ?? ""));
    const isMovable = at !== undefined && !then && after !== null && !isClosed;
    if (isMovable) obstacles.add(at);
    const why = then ?? now;
    if (why && !(isMovable && in_way === "move")) held.push({ path, why: saysWhy(why.why), in_way: isMovable });
    else free.push(change);
  }
  return { free, held, obstacles: in_way === "move" ? [...obstacles] : [] };
}

/** Files that were not kept and came or went since. Nobody can bring them back, or knows what would be lost. */
function onlyInOne({ from, to }: Comparison): LeftAlone[] {
  const [now, then] = [from, to].map(({ more }) => new Set(more.left_out.map(({ path }) => path)));
  return [
    ...from.more.left_out.filter(({ path }) => !then?.has(path)),
    ...to.more.left_out.filter(({ path }) => !now?.has(path)),
  ].map(({ path, why }) => ({ path, why: saysWhy(why), in_way: false }));
}

function writeOf(path: string, { mode, oid }: Entry, to: FileState) {
  return { path, oid, mode: mode === "120000" ? null : modeOr(to.more, path, usualMode(mode)) };
}

/** Paths with other permission bits but the same content, and folders. A file that is written gets its bits then. */
function chmods({ from, to, folders }: Comparison, changed: ReadonlySet<string>): { path: string; mode: number }[] {
  const paths = new Set([...Object.keys(from.more.modes), ...Object.keys(to.more.modes)]);
  const all = [...paths].flatMap((path) => {
    const isFolder = path.endsWith("/");
    if (isFolder ? !folders.to.has(path.slice(0, -1)) : changed.has(path)) return [];
    const isNew = isFolder && !folders.from.has(path.slice(0, -1));
    const [now, then] = isFolder
      ? [modeOr(from.more, path, USUAL_FOLDER), modeOr(to.more, path, USUAL_FOLDER)]
      : fileModes(from.more, to.more, path);
    return now === then && !isNew ? [] : [{ path, mode: then }];
  });
  // What is inside a folder comes before the folder, whose new bits may lock us out.
  return all.sort((a, b) => (a.path < b.path ? 1 : -1));
}

function fileModes(from: More, to: More, path: string): [number, number] {
  // The file is the same in both trees, so it may be run in both or in neither.
  const known = modeOr(from, path, modeOr(to, path, 0));
  const usual = known & 0o100 ? 0o755 : 0o644;
  return [modeOr(from, path, usual), modeOr(to, path, usual)];
}

/** A file may be called "constructor", so only what is the table's own counts. */
function modeOr({ modes }: More, path: string, usual: number): number {
  return (Object.hasOwn(modes, path) ? modes[path] : undefined) ?? usual;
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** A folder and all folders above it, below the root. */
export function withParents(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** How many paths a plan touches. */
export function changesIn(changes: readonly TreeChange[]): { added: number; modified: number; deleted: number } {
  const count = (is: (change: TreeChange) => boolean) => changes.filter(is).length;
  return {
    added: count(({ before }) => !before),
    modified: count(({ before, after }) => before !== null && after !== null),
    deleted: count(({ after }) => !after),
  };
}
