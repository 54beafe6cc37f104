// How many file descriptors this process may have, and what they are kept for. Whoever holds some for long asks first, so that
// short work (reading a file, looking at a process) never finds none.
import { readdirSync, readFileSync } from "node:fs";
import { type Fault, noDescriptors } from "../../core/base/fault.ts";

/** What a session takes while it starts, and short work beside it. */
const SPARE = 8;

/** The limit of this process. Infinity where the platform does not say. */
const DESCRIPTORS_MAX = limitNow();
/** Connections of one server: ours has two. */
export const CONNECTIONS_MAX = share(8);
/** Files that stay open because they may be used again soon. */
export const KEPT_FILES_MAX = share(8);

/** Refuses to hold more, while a quarter is still left for connections and some for short work. */
export function refusesDescriptors(): Fault | undefined {
  if (DESCRIPTORS_MAX === Number.POSITIVE_INFINITY) return undefined;
  const left = DESCRIPTORS_MAX - readdirSync("/proc/self/fd").length;
  return left < SPARE + 2 * CONNECTIONS_MAX ? noDescriptors() : undefined;
}

function share(part: number): number {
  return Math.floor(DESCRIPTORS_MAX / part);
}

function limitNow(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
