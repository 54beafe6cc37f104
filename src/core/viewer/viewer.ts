// One attached watcher. It has no queue: only a cursor of what it was sent. Whoever is behind pulls from the journal,
// whoever is too far behind gets a repaint instead. No viewer can stall a session.
import type { Size } from "../pty/pty.ts";
import type { RepaintOptions } from "../screen/engine.ts";

/** A viewer with its own acks may owe us this much: half a second of a fast log in a browser. */
const VIEWER_WINDOW_BYTES = 512 << 10;
/** Its transport may hold this much before we stop adding: four 200×60 screens in colour. */
const VIEWER_DEBT_BYTES_MAX = 1 << 20;
/** One that joins gets at most so much history: a browser takes its time for more. */
const PAINT_LINES_MAX = 1_000;

/** The transport of one viewer. */
export interface ViewerLink {
  bytes(bytes: Uint8Array): void;
  text(message: object): void;
  /** Bytes accepted but not yet taken by the network. */
  buffered(): number;
}

/** input: may type and so has a say in the size. watch: only looks. */
export type ViewerRole = "input" | "watch";

/** history: the screen with the lines above it. screen: only what is visible, gently, for a person's own terminal. */
export type Paint = "history" | "screen";

export const PAINTS: Readonly<Record<Paint, RepaintOptions>> = {
  history: { scrollback: PAINT_LINES_MAX, reset: "hard" },
  screen: { scrollback: 0, reset: "soft" },
};

/** How it is brought up to date: by bytes after a repaint, or composed: rows, drawn by itself, and never a byte. */
export type View = Paint | "composed";

export interface ViewerSpec {
  readonly link: ViewerLink;
  readonly role: ViewerRole;
  readonly paint: View;
  /** Everything before this it already has. */
  readonly cursor: number | undefined;
  /** later: a program that was not started yet is started by the first key, not by looking. */
  readonly start?: "now" | "later";
}

export class Viewer {
  readonly link: ViewerLink;
  readonly role: ViewerRole;
  readonly paint: View;
  size: Size | undefined;
  visible = true;
  /** Everything before this was sent. Undefined until it was greeted. */
  sent: number | undefined;
  #acked: number | undefined;

  constructor({ link, role, paint }: ViewerSpec) {
    this.link = link;
    this.role = role;
    this.paint = paint;
  }

  ack(cursor: number): void {
    if (this.sent === undefined || cursor > this.sent) return;
    this.#acked = Math.max(this.#acked ?? 0, cursor);
  }

  /** A repaint counts as taken: acks go on from its cursor. */
  repainted(cursor: number): void {
    this.sent = cursor;
    if (this.#acked !== undefined) this.#acked = cursor;
  }

  /** Whether more may be sent now. A viewer that never acks is judged by its transport alone. */
  get ready(): boolean {
    if (!this.visible || this.link.buffered() > VIEWER_DEBT_BYTES_MAX) return false;
    return this.#acked === undefined || (this.sent ?? 0) - this.#acked <= VIEWER_WINDOW_BYTES;
  }
}
