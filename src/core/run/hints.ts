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

export function hinted(
  session_id: string,
  { status, waiting, blocks }: Pick<Ran, "status" | "blocks"> & { readonly waiting: Waiting | null },
): { hint?: string } {
  if (waiting) return { hint: advice(`waits_${waiting.kind}`, session_id) };
  if (status === "running") return { hint: advice("still_running", session_id) };
  if (blocks.some((block) => block.alt_screen_used))
    return { hint: "It used the full screen; the output is what was left." };
  return {};
}
