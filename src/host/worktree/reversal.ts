// Takes a part of a tree's difference back, in its files: exactly these lines, or nothing. What comes out is made in a view, so that
// no setting of the tree counts, and is written folder by folder: whoever swaps one for a link leads us nowhere.
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Plan, Write } from "../../core/restore/state.ts";
import { fileStates } from "../../core/worktree/porcelain.ts";
import { bringBack } from "../git/bring-back.ts";
import { GitTrouble } from "../git/git.ts";
import { parentOf } from "../git/paths.ts";
import { readBytes, treeWith } from "./files.ts";
import { STATUS } from "./looks.ts";
import type { View } from "./view.ts";

const MODES: Readonly<Record<string, number | null>> = { "100644": 0o644, "100755": 0o755, "120000": null };

/** `since`: what was written later is left as it is. */
export async function reversed(view: View, patch: string, since: number): Promise<Fault | undefined> {
  const { git, index, nowhere: at } = view;
  if (index === undefined) return changed();
  readBytes(view);
  const before = await treeWith(view, index, fileStates(await git.list(STATUS, { index })));
  try {
    const how = ["apply", "--cached", "--reverse", "--whitespace=nowarn", "-"];
    await git.text(how, { index, stdin: Buffer.from(patch) });
  } catch (error) {
    if (!(error instanceof GitTrouble) || error.code !== "failed") throw error;
    return changed();
  }
  const after = (await git.text(["write-tree"], { index })).trim();
  const fields = await git.list(["diff-tree", "-r", "-z", "--raw", "--no-renames", before, after], { at });
  const { left_alone } = await bringBack(git, planOf(fields), since);
  return left_alone.length === 0 ? undefined : changed();
}

/** Of `diff-tree --raw -z`: modes, objects and kind in one field, the path in the next. */
function planOf(fields: readonly string[]): Plan {
  const writes: Write[] = [];
  const deletes: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = "", , oid = "", kind] = (fields[i] ?? "").split(" ");
    const path = fields[i + 1] ?? "";
    if (kind === "D") deletes.push(path);
    else writes.push({ path, oid, mode: MODES[mode] ?? null, fresh: kind === "A" });
  }
  const makes = [...new Set(writes.filter(({ fresh }) => fresh).flatMap(({ path }) => above(path).reverse()))];
  const removes = [...new Set(deletes.flatMap(above))];
  return { writes, deletes, makes, removes, chmods: [], left_alone: [], in_way: "leave", obstacles: [] };
}

/** The folders that it lies in, the nearest first. */
function above(path: string): string[] {
  const parent = parentOf(path);
  return parent === "" ? [] : [parent, ...above(parent)];
}

function changed(): Fault {
  const hint = "Look at the difference again. Files that are not text are taken back as a whole, by git restore.";
  return fault("restore.changed", "it cannot be taken back as it was shown", hint);
}
