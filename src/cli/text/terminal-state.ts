// This terminal while we use it raw. Owns: its state, which we always restore.
import { CallError } from "../../client/client.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { visible } from "./harmless.ts";

/** Switches off everything a program may have switched on: alternate screen, mouse, paste, kitty keys, hidden cursor, colours. */
const RESTORE =
  "\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?1l\x1b>\x1b[<u\x1b[r\x1b[?25h\x1b[m\r\n";

const ENDS = ["exit", "SIGTERM", "SIGHUP", "SIGINT"] as const;

export class TerminalState {
  #over = false;
  #done: (code: number) => void;
  #restore: () => string;
  #typed: (bytes: Buffer) => void = () => undefined;
  #detached = () => this.giveBack("detached", EXIT.ok);
  #failed = (error: Error) => this.giveBack(`failed: ${error.message}`, EXIT.error);

  /** `done` runs once, after `restore` has restored the terminal. */
  constructor(done: (code: number) => void, restore: () => string = () => RESTORE) {
    this.#done = done;
    this.#restore = restore;
    // However we end, we restore the terminal.
    for (const event of ENDS) process.on(event, this.#detached);
    process.on("uncaughtException", this.#failed);
  }

  take(typed: (bytes: Buffer) => void): void {
    this.#typed = typed;
    process.stdin.setRawMode(true);
    process.stdin.on("data", typed);
    process.stdin.resume();
  }

  giveBack(message: string, code: number): void {
    if (this.#over) return;
    this.#over = true;
    process.stdin.setRawMode(false);
    process.stdin.pause();
    // Another view may have this terminal next.
    for (const event of ENDS) process.off(event, this.#detached);
    process.off("uncaughtException", this.#failed);
    process.stdin.off("data", this.#typed);
    process.stdout.write(`${this.#restore()}[${visible(message)}]\n`);
    this.#done(code);
  }
}

export function terminalSize(): { cols: number; rows: number } {
  return { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

/** A larger screen than this terminal's cannot be shown here byte by byte. */
export function checkFits(session: { cols: number; rows: number }): void {
  const { cols, rows } = terminalSize();
  if (session.cols <= cols && session.rows <= rows) return;
  throw new CallError({
    code: "input.invalid",
    message: `the session is ${session.cols}x${session.rows}, this terminal only ${cols}x${rows}`,
    hint: "Enlarge the terminal or use the page; attach without --raw shows a part of it, attach --fit gives the session this size.",
  });
}

export function ending({ exit_code, signal }: Pick<SessionInfo, "exit_code" | "signal">): string {
  return signal ? `ended by ${signal}` : `exited with ${exit_code}`;
}
