// What an answer to a run tells beside the facts. Pure.
import type { Waiting } from "../../protocol/words/program.ts";
import { advice } from "../base/advice.ts";
import type { Ran } from "./run.ts";

export const LOST_STATE =
  "It ran in a box of its own: variables, functions, aliases and programs in the background ended with it.";

/** Whether a line looks as if something of it should stay. */
export function setsState(line: string): boolean {
  return /(?:^|[;&|\n(]\s*)(?:export|declare|typeset|alias|source|\.|set|shopt|setopt|function)\s|(?:^|[;&\n]\s*)\w+(?:=\S*\s*(?:$|[;&\n])|\s*\(\))|[^&]&\s*$/.test(
    line,
  );
}

export const TAKEN: { readonly hint: string } = {
  hint: "A person has taken the keyboard; the command goes on. Look at the screen when you may type again.",
};

/** What a caller without a session cannot rely on next time. */
export function keptIn(session_id: string, cwd: string): string {
  return `The next call without a session begins in ${cwd} again. Name session ${session_id} to go on where this line left it.`;
}

/** They need the same session: what answers on localhost is reached only there. */
export function jobsIn(session_id: string): string {
  return `What it started in the background runs on in session ${session_id}. Name that session for what needs it.`;
}

/** Whether a line may leave a program running. */
export function startsJobs(line: string): boolean {
  return /(?:^|[^&>|])&(?![&>])|\b(?:nohup|setsid|daemon)\b/.test(line);
}

export function hinted(
  session: { readonly id: string; readonly over: boolean },
  { status, waiting, blocks }: Pick<Ran, "status" | "blocks"> & { readonly waiting: Waiting | null },
): { hint?: string } {
  const session_id = session.id;
  if (status === "done" && session.over)
    return { hint: `Session ${session_id} ended with it. ${advice("read_ended", session_id)}` };
  if (waiting) return { hint: advice(`waits_${waiting.kind}`, session_id) };
  if (status === "running") return { hint: advice("still_running", session_id) };
  if (blocks.some((block) => block.alt_screen_used))
    return { hint: "It used the full screen; the output is what was left." };
  return {};
}
