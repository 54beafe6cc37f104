// How paths that a person's tools obey are protected in writable folders: what exists is read-only, what is missing is
// reserved, and a link is protected by what it leads to. Refuses: what lies elsewhere or is hidden, because a bind would
// show it: an agent may have laid the link.
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type BoxPlan, isWithin } from "../../core/box/plan.ts";
import { realPath, standing } from "./links.ts";

interface Obeyed {
  /** Must not come into being, either. */
  readonly neverMade: readonly string[];
  /** May be missing. */
  readonly asItIs: readonly string[];
  readonly writable: readonly string[];
  readonly masked: readonly string[];
}

type Protection = Pick<BoxPlan, "readOnly" | "reserved" | "links">;

export function protection({ neverMade, asItIs, writable, masked }: Obeyed): Protection {
  const isOurs = (path: string) =>
    writable.some((folder) => isWithin(path, folder)) && !masked.some((folder) => isWithin(path, folder));
  const links = [...neverMade, ...asItIs].filter((path) => standing(path)?.isSymbolicLink());
  const reserved = neverMade.map((path) => (links.includes(path) ? target(path) : path)).filter(isOurs);
  const existing = asItIs.flatMap((path) => realPath(path) ?? []).filter(isOurs);
  const readOnly = [...new Set([...existing, ...reserved])].map((path) => ({ path, access: "read" as const }));
  return { readOnly, reserved: [...new Set(reserved)], links };
}

/** Where a link leads, also when nothing is there yet. */
function target(link: string): string {
  const path = resolve(dirname(link), fs.readlinkSync(link));
  const folder = dirname(path);
  const real = realPath(folder);
  return realPath(path) ?? (real === undefined ? path : join(real, path.slice(folder.length)));
}
