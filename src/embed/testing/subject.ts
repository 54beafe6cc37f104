// What locators and expectations need of a terminal, and what a failure tells of it.
import type { Call } from "../../protocol/ops.ts";
import { type Failure, failureText } from "./failure.ts";
import type { Picture } from "./picture.ts";

export interface Waiting {
  /** Milliseconds. Default: that of the terminal. */
  readonly timeout?: number | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Subject {
  readonly timeout: number;
  readonly command: readonly string[];
  /** Where golden screens are kept; default: __screens__ beside the test. */
  readonly screens: string | undefined;
  /** The last that was typed, oldest first. */
  readonly inputs: readonly string[];
  /** How the program ended, once that is known. */
  readonly exit: Exit | undefined;
  /** What the terminal shows now. */
  look(): Promise<Picture>;
  /** Looks whenever something changed, until it holds, the time is over or nothing can change any more. */
  until(holds: (picture: Picture) => boolean, timeout: number): Promise<{ picture: Picture; held: boolean }>;
  /** The screen once it has been drawn. */
  settled(timeout: number): Promise<Picture>;
  /** Uses the mouse, if the program does. */
  mouse(mouse: NonNullable<Call<"pty_send">["mouse"]>): Promise<void>;
  /** Keeps the recording, if it is wanted after a failure; where it is. */
  keepTrace(): Promise<string | undefined>;
}

/** The text of a failure, with the recording kept. */
export async function failed(
  subject: Subject,
  what: Pick<Failure, "call" | "problem" | "facts" | "picture">,
): Promise<string> {
  const program = `${subject.command.join(" ")} (${exitText(subject.exit)})`;
  return failureText({ ...what, program, inputs: subject.inputs, trace: await subject.keepTrace() });
}

export function exitText(exit: Exit | undefined): string {
  if (!exit) return "running";
  return exit.signal === null ? `ended with code ${exit.code}` : `ended by ${exit.signal}`;
}
