// When a restore point is due, and which old ones go. Pure.
import type { StoredPoint } from "./state.ts";

/** A workspace where two looks in a row took too long is left in peace for this long. */
const PAUSE_MS = 600_000;
/** Keys come one by one. A look at the files costs tens of milliseconds, so keys share one look for this long. */
const KEYS_GAP_MS = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nobody goes back further, and what lies in old points costs room. */
const KEEP_MS = 30 * 24 * HOUR_MS;
/** Pruning packs the store anew, so it is done for several points at once. */
const PRUNE_BATCH = 10;
/** After so many points the store is packed. */
export const PACK_EVERY = 25;

/** Programs that never write a file, with any arguments that the classifier calls safe. */
const READERS = new Set(
  "ls dir cat head tail tac nl wc stat du df pwd basename dirname realpath readlink cksum md5sum sha1sum sha256sum file tree grep egrep fgrep rg fd cut tr sort uniq diff cmp comm column rev jq echo printf true false test [ cd which type git date whoami id uname ps uptime free hostname".split(
    " ",
  ),
);

/** How the last looks at a workspace went. */
export interface Looks {
  /** When the last one ended. */
  readonly endedAt: number;
  /** How many in a row took too long. */
  readonly late: number;
  /** One that took too long still goes on. */
  readonly goesOn: boolean;
}

/** Whether to look now, or why not. "shared": the last look is good enough. */
export function isDue(input: "line" | "keys", looks: Looks, now: number): "now" | "shared" | { readonly skip: string } {
  if (input === "keys" && now - looks.endedAt < KEYS_GAP_MS) return "shared";
  if (looks.goesOn) return { skip: "the files are still being read for the first time, or very many changed" };
  if (looks.late > 1 && now - looks.endedAt < PAUSE_MS)
    return { skip: "reading the files takes too long here; it is tried again every ten minutes" };
  return "now";
}

/** Whether a line may change files. Only one that is safe and made of readers may not. */
export function mayWrite(line: { readonly rule: string; readonly names: readonly string[] }): boolean {
  return line.rule !== "class.safe" || line.names.length === 0 || line.names.some((name) => !READERS.has(name));
}

/**
 * Points that are too many or too old. The newest always stays. The first of every minute, later of every hour, stays until it
 * is old, or an agent could drive the point before its worst line out by many harmless ones.
 */
export function outdated(points: readonly StoredPoint[], keep: number, now: number): string[] {
  const all = points.slice(0, -1);
  const spare = all.length + 1 - keep;
  const span = (ts: number) => Math.floor(ts / (now - ts < HOUR_MS ? MINUTE_MS : HOUR_MS));
  const isFirst = ({ ts }: StoredPoint, i: number) => i === 0 || span(ts) !== span(all[i - 1]?.ts ?? 0);
  const old = all.filter((point, i) => (i < spare && !isFirst(point, i)) || now - point.ts > KEEP_MS);
  return old.length >= Math.min(PRUNE_BATCH, keep) ? old.map(({ point_id }) => point_id) : [];
}
