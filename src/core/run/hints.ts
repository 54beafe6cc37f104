// What an answer to a run tells beside the facts. Pure.
import type { Waiting } from "../../protocol/words/program.ts";
import type { Block } from "../block/block.ts";
import type { Ran } from "./run.ts";

export const LOST_STATE =
  "It ran in a box of its own: variables, functions, aliases and programs in the background ended with it.";

/** Whether a line looks as if something of it should stay. */
export function setsState(line: string): boolean {
  return /(?:^|[;&|\n(]\s*)(?:export|declare|typeset|alias|source|\.|set|shopt|setopt|function)\s|(?:^|[;&\n]\s*)\w+(?:=\S*\s*(?:$|[;&\n])|\s*\(\))|[^&]&\s*$/.test(
    line,
  );
}

const WAITING_HINTS: Readonly<Record<Waiting["kind"], string>> = {
  password: "It asks for a password: only a person may type it. Ask them, then wait with block_end.",
  line: "It waits for a line: answer with pty_send (text and Enter), then wait with block_end.",
  keys: "It reads keys: go on with pty_send and pty_wait; the screen shows what it asks.",
  full_screen: "A full-screen program has the terminal: go on with pty_send and pty_wait, and read its screen.",
};

export const TAKEN: { readonly hint: string } = {
  hint: "A person has taken the keyboard; the command goes on. Look at the screen when you may type again.",
};

export function hinted(status: Ran["status"], waiting: Waiting | null, blocks: readonly Block[]): { hint?: string } {
  if (waiting) return { hint: WAITING_HINTS[waiting.kind] };
  if (status === "running") return { hint: "It goes on. Wait with block_end and since, or read it with block." };
  if (blocks.some((block) => block.alt_screen_used))
    return { hint: "It used the full screen; the output is what was left." };
  return {};
}
