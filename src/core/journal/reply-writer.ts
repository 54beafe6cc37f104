// Writes the terminal's replies to the program that asked. Owns: replies that wait. With echo on, a reply would be shown as
// garbage. A program that asks switches echo off before the question or right after it (`printf '\e[6n'; read -s`).
// So a reply waits a moment for that, and is dropped when the program that asked is gone.
import type { Clock } from "../base/clock.ts";
import type { Pty } from "../pty/pty.ts";

/** Then it goes out in any case: a script may read it with echo on. */
const PATIENCE_MS = 300;
const RETRY_MS = 10;
/** A program that asks and never reads gets no more: a person's keys must not wait behind replies nobody wants. */
const UNREAD_BYTES_MAX = 4 << 10;

export class ReplyWriter {
  #pty: Pty;
  #clock: Clock;
  #waiting: Uint8Array[] = [];
  #ended = false;

  constructor(pty: Pty, clock: Clock) {
    this.#pty = pty;
    this.#clock = clock;
  }

  send(bytes: Uint8Array, asker: number | null): void {
    if (this.#pty.unread() > UNREAD_BYTES_MAX) return;
    const now = this.#pty.foreground()?.pid;
    if (asker !== null && now !== asker) return;
    if (this.#waiting.length === 0 && this.#pty.echo() !== "on") return void this.#pty.write(bytes);
    this.#waiting.push(new Uint8Array(bytes));
    if (this.#waiting.length > 1) return;
    this.#later(now, this.#clock.monotonic() + PATIENCE_MS);
  }

  end(): void {
    this.#ended = true;
    this.#waiting = [];
  }

  #later(asker: number | undefined, until: number): void {
    this.#clock.after(RETRY_MS, () => {
      // `cat` of a binary file must not leave replies at the prompt.
      const late = this.#clock.monotonic() >= until;
      const there = !this.#ended && this.#pty.foreground()?.pid === asker;
      const silent = this.#pty.echo() !== "on";
      if (there && !silent && !late) return this.#later(asker, until);
      // One that does not even read now would leave the reply to the next reader, the shell.
      const gone = !there || (!silent && this.#pty.activity().reading === "no");
      for (const bytes of this.#waiting.splice(0))
        if (!gone && this.#pty.unread() <= UNREAD_BYTES_MAX) this.#pty.write(bytes);
    });
  }
}
