// A second terminal, for the past: it shows what it is given and nothing can be typed into it. Made when a replay opens and
// gone with it.

import { LiveTerminal } from "../terminal/live-terminal.ts";
import { Feed, type Size } from "../wire/feed.ts";
import type { ReplayTarget } from "./replay.ts";

export class ReplayTerminal implements ReplayTarget {
  readonly terminal: LiveTerminal;
  #feed: Feed;
  #cursor = 0;

  constructor(host: HTMLElement) {
    // What happened was decided then: keys do nothing, and nothing is cropped.
    this.terminal = new LiveTerminal(host, { typed: () => undefined, drawn: () => undefined });
    this.#feed = new Feed(this.terminal, () => undefined);
    const keyboard = host.querySelector("textarea");
    if (!keyboard) return;
    keyboard.readOnly = true;
    keyboard.tabIndex = -1;
    keyboard.setAttribute("aria-label", "Replayed terminal, read only");
  }

  paint(bytes: Uint8Array, size: Size, cursor: number): Promise<void> {
    this.#feed.resize(size);
    this.#feed.repaint(bytes, cursor);
    return this.#reached(cursor);
  }

  bytes(bytes: Uint8Array): Promise<void> {
    // A copy: the part it comes from may be gone before it is parsed.
    this.#feed.bytes(bytes.slice());
    return this.#reached(this.#cursor + bytes.length);
  }

  dispose(): void {
    this.terminal.dispose();
  }

  #reached(cursor: number): Promise<void> {
    this.#cursor = cursor;
    return new Promise((resolve) => this.#feed.mark(cursor, () => resolve()));
  }
}
