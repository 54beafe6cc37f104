// How paths that a person's tools obey are protected in writable folders: what exists is read-only, what is missing is
// reserved, and a link is protected by what it leads to. Refuses: what lies elsewhere or is hidden, because a bind would
// show it: an agent may have laid the link.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { type BoxPlan, isWithin } from "../../core/box/plan.ts";
import { realPath, standing } from "./links.ts";

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
  const existing = asItIs.flatMap((path) => realPath(path) ?? []).filter(isOurs);
  const readOnly = [...new Set([...existing, ...reserved])].map((path) => ({ path, access: "read" as const }));
  return { readOnly, reserved: [...new Set(reserved)], reservedFiles, links };
}

/**
 * Where a path leads: what is there, or the first part of the way that is missing. Nothing can be made behind that part. Each
 * link on the way is followed here, because a part that is missing behind a link lies where the link leads.
 */
export function end(path: string): string | undefined {
  let at = "/";
  let links = 0;
  const names = path.split("/").reverse();
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const next = join(at, name);
    const { is, to = "" } = seen(next);
    if (is === "missing") return next;
    if (is === "hidden") return undefined;
    if (is === "there") at = next;
    else if (to.startsWith("/")) at = "/";
    names.push(...(is === "link" ? to.split("/").reverse() : []));
    links += is === "link" ? 1 : 0;
    if (links > LINKS_MAX) return undefined;
  }
  return at;
}

type Sight = "missing" | "hidden" | "there" | "link";
/** Where nothing leads elsewhere. */
const PLAIN: readonly Sight[] = ["missing", "there"];

function seen(path: string): { is: Sight; to?: string } {
  try {
    const stat = standing(path);
    if (stat === undefined) return { is: "missing" };
    return stat.isSymbolicLink() ? { is: "link", to: fs.readlinkSync(path) } : { is: "there" };
  } catch {
    // Not ours to look at: then nobody in the box can, either. Or it is replaced just now.
    return { is: "hidden" };
  }
}
