// Which rows of the terminal belong to the running command. Owns: where it begins and ends, in step with what was shown. A picture
// that replaces everything (a reconnect, another size) loses these rows. Then we ask the daemon where the prompt is.

import { call, isFault } from "../wire/api.ts";
import type { WriteQueue } from "../wire/write-queue.ts";
import type { LiveTerminal } from "./live-terminal.ts";

/** We ask again when the screen moved on meanwhile. A program that prints all the time soon fills the screen anyway. */
const TRIES_MAX = 3;

export class CommandRows {
  #session: string;
  #writes: WriteQueue;
  #terminal: LiveTerminal;
  #onChange: () => void;
  /** A position known by marks is newer than a late answer. */
  #turn = 0;
  /** The command has ended, and no other one has begun. */
  #isOver = false;
  /** It has ended, and a picture has replaced its rows. */
  areLost = false;

  constructor(session: string, writes: WriteQueue, terminal: LiveTerminal, onChange: () => void) {
    [this.#session, this.#writes, this.#terminal, this.#onChange] = [session, writes, terminal, onChange];
  }

  began(cursor: number): void {
    [this.#isOver, this.areLost] = [false, false];
    this.#turn += 1;
    this.#writes.mark(cursor, (shown) => {
      if (shown === cursor) this.#terminal.mark();
      else this.#terminal.unmark();
      this.#onChange();
      if (shown !== cursor) void this.#findPrompt(TRIES_MAX);
    });
  }

  ended(cursor: number): void {
    this.#isOver = true;
    this.#writes.mark(cursor, (shown) => {
      if (shown === cursor) this.#terminal.markEnd();
      this.#onChange();
    });
  }

  /** A flood has filled what is visible. Its end is a whole picture. */
  repainted(cursor: number, part: "whole" | "screen"): void {
    this.areLost = this.#isOver;
    this.#writes.mark(cursor, () => {
      this.#terminal.unmark();
      this.#onChange();
      if (part === "whole" && !this.#isOver) void this.#findPrompt(TRIES_MAX);
    });
  }

  /** The first row below the last prompt is the command's. */
  async #findPrompt(times: number): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const screen = await call("pty_read_screen", { session_id: this.#session, zones: true });
    if (isFault(screen) || turn !== this.#turn) return;
    const prompt = (screen.zones ?? []).filter(({ zone }) => zone !== "output").at(-1);
    if (screen.alt_screen || !prompt) return;
    this.#writes.mark(screen.cursor_bytes, (shown) => {
      if (turn !== this.#turn) return;
      if (shown !== screen.cursor_bytes) return times > 1 ? void this.#findPrompt(times - 1) : undefined;
      this.#terminal.mark(prompt.row + 1);
      this.#onChange();
    });
  }
}
