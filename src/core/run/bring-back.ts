// Takes a shell that a command left elsewhere back to its folder. Nobody asked for this line, and it does nothing that a new
// shell would not.
import { isFault } from "../base/fault.ts";
import type { Actor } from "../gate/actor.ts";
import type { Session } from "../session/session.ts";
import { runIn } from "./run.ts";
import { shellLine } from "./tests/shell-words.ts";

/** A shell at its prompt changes its folder at once, on a busy machine in seconds. One that does not is left alone. */
const BACK_MS_MAX = 15_000;

type Runs = Pick<Parameters<typeof runIn>[1], "newId" | "watched" | "now">;

/** False when it did not go. */
export async function bringBack(session: Session, cwd: string, actor: Actor, runs: Runs): Promise<boolean> {
  const command = shellLine(["cd", "--", cwd]);
  const where = session.meta.box ? ("box" as const) : ("outside" as const);
  const admitted = { text: command, how: "plain" as const, where, rule: "folder", names: [] };
  const line = { command, actor, intent: {}, timeout_ms: BACK_MS_MAX, halfLines: "refuse" as const, admitted };
  const ran = await runIn(session, { ...runs, ...line });
  return !isFault(ran) && session.commands.blocks.cwd === cwd;
}
