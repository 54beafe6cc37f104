// Port: the shells that can mark their commands, and how a line is handed to one. Adapter: src/host/shell.
// We write a line to a file that only this session's shell reads, and a key tells the shell to take it. The shell itself
// knows whether somebody has typed half a line, and then takes nothing.
import type { ShellName } from "../../protocol/words/program.ts";
import type { PtyCommand } from "../pty/pty.ts";

interface Integration {
  readonly shell: ShellName;
  /** The nonce that identifies its marks. It is in no environment. */
  readonly nonce: string;
}

/**
 * Ctrl+^ and ESC [ 9977 ~: a key that no keyboard has. The scripts in shell/ bind it, with its first byte and without: a line
 * editor that waits for the rest of another key (Escape, Ctrl+X, Ctrl+V) takes that byte for it, and nothing else of ours.
 */
export const LINE_KEY: Uint8Array = Uint8Array.of(0x1e, 0x1b, 0x5b, 0x39, 0x39, 0x37, 0x37, 0x7e);

/** Ctrl+^ and ESC [ 9976 ~: an agent's Enter. The shell asks about the line in its edit buffer and accepts it or leaves it. */
export const ENTER_KEY: Uint8Array = Uint8Array.of(0x1e, 0x1b, 0x5b, 0x39, 0x39, 0x37, 0x36, 0x7e);

/**
 * What fish 3 prints itself between C and the first byte of a command, once: its colour reset, written after
 * the last hook there is. `\x1b[30m` and sgr0 of the terminal: `\x1b(B\x1b[m` (xterm), `\x1b[m\x0f` (screen, tmux, rxvt).
 * Nothing at all where fish knows of no title (linux, dumb, vt100).
 */
export const FISH_PRELUDES: readonly string[] = ["\x1b[30m\x1b(B\x1b[m", "\x1b[30m\x1b[m\x0f"];

interface LaidOut {
  readonly run_id: string;
  readonly text: string;
  /**
   * lift: the shell gives its half line up: this text, or any if it is empty. edit: it changes its half line, by the names in
   * the text (prompt-keys.ts), each with a NUL behind it. state: it writes down its variables, functions and aliases.
   */
  readonly how: "plain" | "guarded" | "boxed" | "lift" | "edit" | "state";
  /** The programs in it, for shells that can only check names. */
  readonly names: readonly string[];
}

export interface GuardQuestion {
  readonly kind: "command" | "line";
  readonly run_id: string;
  readonly text: string;
}

export type GuardAnswer = "allow" | "allow guarded" | "allow boxed" | { readonly deny: string };

export interface BoxedPlace {
  readonly shell: ShellName;
  readonly cwd: string;
  /** All that the box may write. Null: what a box in this folder may. */
  readonly roots: readonly string[] | null;
}

export interface Shells {
  /** The command to start instead, so that this shell marks its commands. */
  integrate(command: PtyCommand, session_id: string, integration: Integration): PtyCommand;
  /** The shell has read its start files. They are removed, so that nobody else can read them. */
  started(session_id: string): void;
  /** Prepares the box of the next boxed line, for the folder that the shell is in. */
  layBox(session_id: string, at: BoxedPlace): void;
  /** Lays a whole line out in a box, for a shell without marks, and says what to type to it. */
  layTyped(session_id: string, at: Pick<BoxedPlace, "cwd">, text: string): string;
  /** The shell has started it. */
  typedBegan(session_id: string): boolean;
  /** The folder of a process that is such a shell, of this machine and user, with no script to run. Null: it is not certain. */
  plainShell(pid: number): string | null;
  /** The folder in which the last boxed line ended, if not where it began. The shell may not have followed it. */
  lastFolder(session_id: string): string | null;
  /** The line that ran last is over, and with it its box. False: it had none. */
  boxOver(session_id: string): boolean;
  /**
   * An agent is about to type to a program. What the program leaves unread would be the shell's next line, so the shell waits
   * before its prompt until it was thrown away. `keysOver`: that is done, and no more will come.
   */
  keysComing(session_id: string): void;
  keysCame(session_id: string): boolean;
  keysOver(session_id: string): void;
  /** What was typed ahead of this cycle's command is typed again, and the shell may begin it. */
  typedAgain(session_id: string, cycle: number): void;
  /** Prepares a line for the shell and replaces the one before. A guarded line is asked again, command by command. */
  layOut(session_id: string, line: LaidOut): void;
  /** Answers the shell's questions before it runs something for an agent, until closed. */
  guard(session_id: string, judge: (question: GuardQuestion) => Promise<GuardAnswer>): { close(): void };
  /** What the shell has written of its state. Gone from the disk then. Null: nothing, or too much. */
  takeState(session_id: string): string | null;
  /** The line was taken or is no longer wanted. */
  takeBack(session_id: string): void;
  /** Sixteen letters and digits that nobody knows. */
  secret(): string;
  /** The line that makes a shell inside say what it is, by this token, and read one line more. */
  greeting(token: string): string;
  /** That line: it makes such a shell mark its commands with this nonce. */
  marksOf(shell: ShellName, nonce: string): string;
}
