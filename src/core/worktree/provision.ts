// What is done before a session's program, in its own terminal and box: a worktree gets its files. The same words start both, so
// its output is in the journal, and no daemon is needed to go on. Pure.
import type { PtyCommand } from "../pty/pty.ts";

/** shell/provision.sh prints it when all is done. The secret keeps other output from being taken for it. */
export function provisionMark(secret: string): string {
  return `\x1b]7133;provisioned;${secret}\x07`;
}

/** The command that does what must be done first, and becomes the program. */
export function withBefore({ before = [], ...command }: PtyCommand): PtyCommand {
  const [file, ...args] = [...before, command.file, ...command.args];
  return file === undefined ? command : { ...command, file, args };
}
