// Which restore points go. Pure. What only one point holds nobody else can bring back, and nobody can tell whether a person made
// it. So a point is thinned out only when its neighbours hold every file of it; otherwise many lines would drive a good one out.
import type { Entry, StoredPoint, TreeChange } from "./state.ts";

const DAY_MS = 24 * 3_600_000;
/** Nobody goes back further, and what lies in old points costs room. */
const KEEP_MS = 30 * DAY_MS;
/** For so long a point that holds something alone stays, whatever agents do. Then it may have to make room. */
const SURE_MS = 7 * DAY_MS;
/** Thinning packs the store anew, so it is done for several points at once. */
const BATCH = 10;
/** As many as are compared in a moment. The next turn goes on from there. */
const CHAIN_MAX = 200;
/** Reading the list of so many takes as long as reading a workspace. With more, no point is made, and that is said. */
export const POINTS_MAX = 10_000;
/** After so many points the store is packed. */
const PACK_EVERY = 25;

export type Room = "enough" | "none";

interface Tidying {
  /** Too old, or without files and not among the newest. */
  readonly forget: readonly string[];
  /** Points with files in a row. All but the first and the last may go if they are `spare`. */
  readonly chain: readonly StoredPoint[];
}

/** What to tidy now, if that is worth while. `thinned` is the last point that was looked at before and stayed. */
export function toTidy(
  points: readonly StoredPoint[],
  { keep, now, room, thinned }: { keep: number; now: number; room: Room; thinned: string | undefined },
): Tidying | undefined {
  const old = new Set(outdated(points, now, room));
  const left = points.filter(({ point_id }) => !old.has(point_id));
  const newest = Math.max(0, left.length - keep);
  const empty = left.slice(0, newest).filter(({ state }) => !state);
  const next = left.findIndex(({ state }, i) => i >= newest && state);
  const from = left.findIndex(({ point_id }) => point_id === thinned);
  const chain = left.slice(Math.max(0, from), next + 1).filter(({ state }) => state);
  const worth = old.size + empty.length + Math.max(0, chain.length - 2) >= Math.min(BATCH, keep);
  if (!worth && room === "enough" && points.length % PACK_EVERY !== 0) return undefined;
  return {
    forget: worth ? [...old, ...empty.map(({ point_id }) => point_id)] : [...old],
    chain: worth ? chain.slice(0, CHAIN_MAX) : [],
  };
}

/** The newest always stays. Without room, half of those go that had their time. */
function outdated(points: readonly StoredPoint[], now: number, room: Room): string[] {
  const all = points.slice(0, -1);
  const unsure = all.filter(({ ts }) => now - ts > SURE_MS).length;
  const forRoom = room === "none" ? Math.ceil(unsure / 2) : 0;
  return all.filter(({ ts }, i) => i < forRoom || now - ts > KEEP_MS).map(({ point_id }) => point_id);
}

/**
 * Which members of a chain hold nothing alone, by the changes from each to the next. Every content of a member that goes is in
 * one that stays, at the same path.
 */
export function spare(steps: readonly (readonly TreeChange[])[]): number[] {
  const goes: number[] = [];
  // What this member has otherwise than the last one that stays: the content there.
  let came = new Map<string, Entry | null>();
  for (const [i, out] of steps.entries()) {
    if (i > 0) {
      const isAlone = out.some(({ path, before }) => before !== null && came.has(path));
      if (isAlone) came = new Map();
      else goes.push(i);
    }
    for (const { path, before, after } of out) {
      const base = came.has(path) ? (came.get(path) ?? null) : before;
      if (isSame(base, after)) came.delete(path);
      else came.set(path, base);
    }
  }
  return goes;
}

function isSame(a: Entry | null, b: Entry | null): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}
