// What of some paths a kept state does not have, so that nobody could bring it back. Reads names and file facts; follows no link.
import fs from "node:fs";
import { isWithin } from "../../core/box/plan.ts";
import type { FileState, Wanted } from "../../core/restore/state.ts";
import { statOf } from "./candidates.ts";
import type { Git } from "./git.ts";
import { inFolder, onDisk } from "./paths.ts";
import { isForbidden, isMissing } from "./repository.ts";

/** A person is asked about more. */
const ENTRIES_MAX = 20_000;

/** In words. Null: the state has all of it. */
export async function lacking(git: Git, { tree }: FileState, wanted: readonly Wanted[]): Promise<string | null> {
  const kept = new Set(await git.list(["ls-tree", "-r", "-z", "--name-only", tree]));
  const seen = { entries: 0 };
  for (const { path, entered } of wanted) {
    if (!isWithin(path, git.workspace)) return path;
    const inside = Buffer.from(path.slice(git.workspace.length + 1)).toString("latin1");
    const found = await lackingAt(git.workspace, inside, entered ? "entered" : "changed", kept, seen);
    if (found) return Buffer.from(found, "latin1").toString();
  }
  return null;
}

async function lackingAt(
  workspace: string,
  path: string,
  how: "entered" | "changed",
  kept: ReadonlySet<string>,
  seen: { entries: number },
): Promise<string | null> {
  const parts = path.split("/").filter((part) => part !== "");
  for (const [i] of parts.slice(0, -1).entries()) {
    const above = parts.slice(0, i + 1).join("/");
    const stat = await statOf(onDisk(workspace, above));
    if (stat?.isSymbolicLink()) return `${above}, which is a link,`;
    // Nothing can be below it.
    if (!stat?.isDirectory()) return null;
  }
  return lackingIn(workspace, path, how, kept, seen);
}

async function lackingIn(
  workspace: string,
  path: string,
  how: "entered" | "changed",
  kept: ReadonlySet<string>,
  seen: { entries: number },
): Promise<string | null> {
  seen.entries += 1;
  if (seen.entries > ENTRIES_MAX) return `one of more than ${ENTRIES_MAX} files`;
  const stat = await statOf(onDisk(workspace, path));
  if (!stat) return null;
  // A write would go to where it leads.
  if (stat.isSymbolicLink()) return `${path}, which is a link,`;
  if (!stat.isDirectory()) {
    // It has another name, perhaps elsewhere, which would keep what is written here.
    if (stat.nlink > 1n) return `${path}, which has a second name,`;
    return kept.has(path) ? null : path;
  }
  if (how === "entered") return null;
  const names = await namesIn(onDisk(workspace, path));
  if (names === null) return path;
  for (const name of names) {
    const found = await lackingIn(workspace, inFolder(path, name), "changed", kept, seen);
    if (found) return found;
  }
  return null;
}

/** Null: it cannot be looked into, so its files are not kept. */
async function namesIn(folder: Buffer): Promise<string[] | null> {
  try {
    const names = await fs.promises.readdir(folder, { encoding: "buffer" });
    return names.map((name) => name.toString("latin1"));
  } catch (error) {
    if (isForbidden(error)) return null;
    if (isMissing(error)) return [];
    throw error;
  }
}
