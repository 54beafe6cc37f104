// A second, read-only terminal for the past. It is made when a replay opens and
// removed with it.

import { LiveTerminal } from "../terminal/live-terminal.ts";
import type { Bitmaps } from "../terminal/screen-images.ts";
import { type Size, WriteQueue } from "../wire/write-queue.ts";
import type { ReplayTarget } from "./replay.ts";

export class ReplayTerminal implements ReplayTarget {
  readonly terminal: LiveTerminal;
  #writes: WriteQueue;
  #cursor = 0;

  constructor(host: HTMLElement, bitmaps: () => Promise<Bitmaps>) {
    // This is the past, so keys do nothing and nothing is cropped.
    this.terminal = new LiveTerminal(host, { onTyped: () => undefined, onDrawn: () => undefined, bitmaps });
    this.#writes = new WriteQueue(this.terminal, () => undefined);
    const keyboard = host.querySelector("textarea");
    if (!keyboard) return;
    keyboard.readOnly = true;
    keyboard.tabIndex = -1;
    keyboard.setAttribute("aria-label", "Replayed terminal, read only");
  }

  paint(bytes: Uint8Array, size: Size, cursor: number): Promise<void> {
    this.#writes.resize(size);
    this.#writes.repaint(bytes, cursor);
    return this.#reached(cursor);
  }

  bytes(bytes: Uint8Array): Promise<void> {
    // We copy, because the part may be gone before xterm parses it.
    this.#writes.bytes(bytes.slice());
    return this.#reached(this.#cursor + bytes.length);
  }

  dispose(): void {
    this.terminal.dispose();
  }

  #reached(cursor: number): Promise<void> {
    this.#cursor = cursor;
    return new Promise((resolve) => this.#writes.mark(cursor, () => resolve()));
  }
}
