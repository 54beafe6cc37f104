// What each session's shell knows at its prompt. Owns: the last answer of each; a shell learns nothing before its next prompt, so it
// is asked at most once at each. Refuses: to ask while something runs.
import type { Clock } from "../base/clock.ts";

/** A shell at its prompt, or not. */
export interface AskedShell {
  readonly session_id: string;
  /** Changes with every prompt and every command: only then the shell knows something new. */
  readonly moment: string;
  /** Asks the session's shell. Undefined: it is not at its prompt. */
  state(): Promise<string | undefined>;
}

export class ShellStates {
  readonly #clock: Clock;
  readonly #asked = new Map<string, { readonly moment: string; readonly state: Promise<string | undefined> }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined: nobody knows it, or not in time. */
  of({ session_id, moment, state }: AskedShell, within_ms: number): Promise<string | undefined> {
    const before = this.#asked.get(session_id);
    const asked = before?.moment === moment ? before : { moment, state: state() };
    this.#asked.set(session_id, asked);
    const forget = () => this.#asked.get(session_id) === asked && this.#asked.delete(session_id);
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(within_ms, () => resolve(undefined));
      asked.state
        .then((found) => {
          if (found === undefined) forget();
          resolve(found);
        })
        .catch((error: unknown) => {
          forget();
          reject(error);
        })
        .finally(cancel);
    });
  }

  ended(session_id: string): void {
    this.#asked.delete(session_id);
  }
}
