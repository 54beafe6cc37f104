// How sessions share the middle of the page: a tree of halves, each with one session. Pure: every change is a new tree.
// Refuses: to show a session twice, and more than HALVES_MAX.

/** Each has a stream and a terminal of its own; smaller ones hold no line of text. */
export const HALVES_MAX = 6;
/** The smaller part of a half that is divided. */
const SHARE_MIN = 0.15;

export type Side = "left" | "right" | "up" | "down";

/** One session, or two parts. `row`: side by side. `share`: the first one's part of the room. */
export type Tree = string | Split;

interface Split {
  readonly dir: "row" | "column";
  readonly share: number;
  readonly first: Tree;
  readonly second: Tree;
}

/** In parts of the whole. */
interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** `path`: the way to its split, 0 for first and 1 for second. `within`: the room that it divides. */
export interface Divider {
  readonly path: string;
  readonly dir: Split["dir"];
  readonly share: number;
  readonly within: Rect;
}

const WHOLE: Rect = { x: 0, y: 0, w: 1, h: 1 };
/** Rounding of shares never makes two neighbours strangers. */
const EPSILON = 1e-6;

/** In the order in which one reads them. */
export function leavesOf(tree: Tree): string[] {
  return typeof tree === "string" ? [tree] : [...leavesOf(tree.first), ...leavesOf(tree.second)];
}

export function rectsOf(tree: Tree, within = WHOLE): Map<string, Rect> {
  if (typeof tree === "string") return new Map([[tree, within]]);
  const [first, second] = partsOf(tree, within);
  return new Map([...rectsOf(tree.first, first), ...rectsOf(tree.second, second)]);
}

export function dividersOf(tree: Tree, within = WHOLE, path = ""): Divider[] {
  if (typeof tree === "string") return [];
  const [first, second] = partsOf(tree, within);
  return [
    { path, dir: tree.dir, share: tree.share, within },
    ...dividersOf(tree.first, first, `${path}0`),
    ...dividersOf(tree.second, second, `${path}1`),
  ];
}

/** The same tree when there is no room for more, no such half, or it is there already. */
export function besides(tree: Tree, at: string, side: Side, added: string): Tree {
  const all = leavesOf(tree);
  if (all.length >= HALVES_MAX || !all.includes(at) || all.includes(added)) return tree;
  const isBefore = side === "left" || side === "up";
  const [first, second] = isBefore ? [added, at] : [at, added];
  return changed(tree, at, { dir: dirOf(side), share: 0.5, first, second });
}

/** Undefined when it was the only one. */
export function without(tree: Tree, id: string): Tree | undefined {
  if (typeof tree === "string") return tree === id ? undefined : tree;
  const [first, second] = [without(tree.first, id), without(tree.second, id)];
  if (first === undefined || second === undefined) return first ?? second;
  return first === tree.first && second === tree.second ? tree : { ...tree, first, second };
}

/** Another session in this half. */
export function replaced(tree: Tree, at: string, by: string): Tree {
  return leavesOf(tree).includes(by) ? tree : changed(tree, at, by);
}

export function swapped(tree: Tree, a: string, b: string): Tree {
  if (typeof tree !== "string")
    return { ...tree, first: swapped(tree.first, a, b), second: swapped(tree.second, a, b) };
  return tree === a ? b : tree === b ? a : tree;
}

/** A session that is dropped on a half: beside it, or in its place. */
export function dropped(tree: Tree, id: string, at: string, where: Side | "centre"): Tree {
  const isThere = leavesOf(tree).includes(id);
  if (id === at) return tree;
  if (where === "centre") return isThere ? swapped(tree, id, at) : replaced(tree, at, id);
  return besides((isThere ? without(tree, id) : tree) ?? tree, at, where, id);
}

/** The half that a person sees on that side: the one that shares the longest edge. */
export function neighbour(tree: Tree, id: string, side: Side): string | undefined {
  const rects = rectsOf(tree);
  const own = rects.get(id);
  if (!own) return undefined;
  let best: { id: string; edge: number } | undefined;
  for (const [other, rect] of rects) {
    const edge = other === id ? 0 : sharedEdge(own, rect, side);
    if (edge > (best?.edge ?? EPSILON)) best = { id: other, edge };
  }
  return best?.id;
}

export function shared(tree: Tree, path: string, share: number): Tree {
  if (typeof tree === "string") return tree;
  if (path === "") return { ...tree, share: Math.min(1 - SHARE_MIN, Math.max(SHARE_MIN, share)) };
  const rest = path.slice(1);
  return path[0] === "0"
    ? { ...tree, first: shared(tree.first, rest, share) }
    : { ...tree, second: shared(tree.second, rest, share) };
}

/** The divider that a person would pull to make this half larger or smaller towards that side. */
export function dividerNear(tree: Tree, id: string, side: Side): Divider | undefined {
  const path = pathTo(tree, id) ?? "";
  const own = dividersOf(tree).filter((one) => one.dir === dirOf(side) && path.startsWith(one.path));
  return own.sort((a, b) => b.path.length - a.path.length)[0];
}

/** What was kept, or undefined when it is no layout of ours. */
export function readTree(kept: unknown): Tree | undefined {
  const tree = read(kept, HALVES_MAX);
  const all = tree === undefined ? [] : leavesOf(tree);
  return all.length <= HALVES_MAX && new Set(all).size === all.length ? tree : undefined;
}

function read(kept: unknown, depth: number): Tree | undefined {
  if (typeof kept === "string") return /^(?:[\w.-]{1,40}\/)?[\w-]{1,64}$/.test(kept) ? kept : undefined;
  if (typeof kept !== "object" || kept === null || depth === 0) return undefined;
  const { dir, share, first, second } = kept as Record<string, unknown>;
  const [one, other] = [read(first, depth - 1), read(second, depth - 1)];
  if ((dir !== "row" && dir !== "column") || one === undefined || other === undefined) return undefined;
  if (typeof share !== "number" || !(share >= SHARE_MIN && share <= 1 - SHARE_MIN)) return undefined;
  return { dir, share, first: one, second: other };
}

function dirOf(side: Side): Split["dir"] {
  return side === "left" || side === "right" ? "row" : "column";
}

function changed(tree: Tree, at: string, by: Tree): Tree {
  if (typeof tree === "string") return tree === at ? by : tree;
  return { ...tree, first: changed(tree.first, at, by), second: changed(tree.second, at, by) };
}

function pathTo(tree: Tree, id: string): string | undefined {
  if (typeof tree === "string") return tree === id ? "" : undefined;
  const [first, second] = [pathTo(tree.first, id), pathTo(tree.second, id)];
  if (first !== undefined) return `0${first}`;
  return second === undefined ? undefined : `1${second}`;
}

function partsOf({ dir, share }: Split, { x, y, w, h }: Rect): [Rect, Rect] {
  return dir === "row"
    ? [
        { x, y, w: w * share, h },
        { x: x + w * share, y, w: w * (1 - share), h },
      ]
    : [
        { x, y, w, h: h * share },
        { x, y: y + h * share, w, h: h * (1 - share) },
      ];
}

function sharedEdge(own: Rect, other: Rect, side: Side): number {
  const touches = (a: number, b: number) => Math.abs(a - b) < EPSILON;
  const overlap = (a: number, al: number, b: number, bl: number) => Math.min(a + al, b + bl) - Math.max(a, b);
  const isBeside = {
    left: () => touches(other.x + other.w, own.x),
    right: () => touches(own.x + own.w, other.x),
    up: () => touches(other.y + other.h, own.y),
    down: () => touches(own.y + own.h, other.y),
  }[side]();
  if (!isBeside) return 0;
  return dirOf(side) === "row" ? overlap(own.y, own.h, other.y, other.h) : overlap(own.x, own.w, other.x, other.w);
}
