// Takes a part of a tree's difference back, in its files: exactly these lines, or nothing. Through a view, so that no setting of the
// tree counts. git itself writes through no link.
import { type Fault, fault } from "../../core/base/fault.ts";
import { GitTrouble } from "../git/git.ts";
import type { View } from "./view.ts";

export async function reversed({ git }: View, patch: string): Promise<Fault | undefined> {
  try {
    await git.text(["apply", "--reverse", "--whitespace=nowarn", "-"], { stdin: Buffer.from(patch) });
    return undefined;
  } catch (error) {
    if (!(error instanceof GitTrouble) || error.code !== "failed") throw error;
    const hint = "Look at the difference again. Files that are not text are taken back as a whole, by git restore.";
    return fault("restore.changed", "it cannot be taken back as it was shown", hint);
  }
}
