// How paths that a person's tools obey are protected in writable folders: what exists is read-only, what is missing is
// reserved, a link is protected by what it leads to, and what lies in a closed folder by that folder. Refuses: what lies elsewhere or is hidden, because a bind would
// show it: an agent may have laid the link.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { type BoxPlan, isWithin } from "../../core/box/plan.ts";
import { realPath } from "./links.ts";

/** The kernel follows no more. */
const LINKS_MAX = 40;

interface Obeyed {
  /** Must not come into being, either. */
  readonly neverMade: readonly string[];
  /** The same, but an empty folder in their place would be an error. */
  readonly neverMadeFiles: readonly string[];
  /** May be missing. */
  readonly asItIs: readonly string[];
  readonly writable: readonly string[];
  readonly masked: readonly string[];
}

type Protection = Pick<BoxPlan, "readOnly" | "reserved" | "reservedFiles" | "links">;

export function protection({ neverMade, neverMadeFiles, asItIs, writable, masked }: Obeyed): Protection {
  const isOurs = (path: string) =>
    writable.some((folder) => isWithin(path, folder)) && !masked.some((folder) => isWithin(path, folder));
  const links = [...neverMade, ...neverMadeFiles, ...asItIs].filter((path) => seen(path).is === "link");
  // Many lie in the same few folders.
  const real = new Map<string, boolean>();
  const isReal = (folder: string): boolean => {
    const known = real.get(folder) ?? realPath(folder) === folder;
    real.set(folder, known);
    return known;
  };
  const isPlain = (path: string) => isReal(dirname(path)) && PLAIN.includes(seen(path).is);
  const endOf = (path: string) => (isPlain(path) ? path : end(path));
  const ends = (paths: readonly string[]) => paths.flatMap((path) => endOf(path) ?? []).filter(isOurs);
  const reservedFiles = ends(neverMadeFiles);
  const reserved = [...ends(neverMade), ...reservedFiles];
  const existing = asItIs.flatMap((path) => realPath(path) ?? closedOn(path) ?? []).filter(isOurs);
  const readOnly = [...new Set([...existing, ...reserved])].map((path) => ({ path, access: "read" as const }));
  return { readOnly, reserved: [...new Set(reserved)], reservedFiles, links };
}

/**
 * Where a path leads: what is there, the first part of the way that is missing, or a folder that is closed. Nothing can be made
 * behind the last two as long as they stay as they are. Each link on the way is followed here, because a part that is missing
 * behind a link lies where the link leads.
 */
export function end(path: string): string | undefined {
  return follow(path)?.at;
}

/** The folder on the way that we may not look into. Somebody in a box may have closed it, and could open it in the next box. */
export function closedOn(path: string): string | undefined {
  const found = follow(path);
  return found?.is === "closed" ? found.at : undefined;
}

function follow(path: string): { at: string; is: "there" | "missing" | "closed" } | undefined {
  let at = "/";
  let links = 0;
  const names = path.split("/").reverse();
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const next = join(at, name);
    const { is, to = "" } = seen(next);
    if (is === "missing") return { at: next, is };
    if (is === "closed") return { at, is };
    if (is === "there") at = next;
    else if (to.startsWith("/")) at = "/";
    names.push(...(is === "link" ? to.split("/").reverse() : []));
    links += is === "link" ? 1 : 0;
    if (links > LINKS_MAX) return undefined;
  }
  return { at, is: "there" };
}

/** closed: not ours to look at. */
type Sight = "missing" | "closed" | "there" | "link";
/** Where nothing leads elsewhere. */
const PLAIN: readonly Sight[] = ["missing", "there"];

function seen(path: string): { is: Sight; to?: string } {
  try {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { is: "missing" };
    return stat.isSymbolicLink() ? { is: "link", to: fs.readlinkSync(path) } : { is: "there" };
  } catch {
    // Or it is replaced just now.
    return { is: "closed" };
  }
}
