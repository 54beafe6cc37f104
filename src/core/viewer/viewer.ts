// One attached watcher. It has no queue, only a cursor of what it was sent. A viewer that is behind reads from the journal;
// one that is too far behind gets pictures instead. No viewer can stall a session.
import type { Presence as PresenceFrame, ToViewer } from "../../protocol/stream.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import type { Size } from "../pty/pty.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { RepaintOptions } from "../screen/engine.ts";

/** A viewer that sends acks may be this far behind: half a second of a fast log in a browser. */
const VIEWER_WINDOW_BYTES = 512 << 10;
/** Its transport may hold this much before we stop adding: four 200×60 screens in colour. */
const VIEWER_DEBT_BYTES_MAX = 1 << 20;
/** Who has not shown so much after so long is behind: what comes next would be late. */
const LATE_BYTES = 128 << 10;
const LATE_MS = 50;
/** A new viewer gets at most this much history. A browser is slow with more. */
const PAINT_LINES_MAX = 1_000;

/** What viewers are told in words. */
export type Frame = DeepReadonly<ToViewer>;

/** The transport of one viewer. */
interface ViewerLink {
  bytes(bytes: Uint8Array): void;
  /** Bytes that are text. */
  drawing(ansi: string): void;
  text(frame: Frame): void;
  /** Bytes accepted but not yet taken by the network. */
  buffered(): number;
}

/** input: may type, so its size counts. watch: only looks. */
type ViewerRole = "input" | "watch";

/** history: the screen with the lines above it. screen: only what is visible, gently, for a person's own terminal. */
export type Paint = "history" | "screen";

export const PAINTS: Readonly<Record<Paint, RepaintOptions>> = {
  history: { scrollback: PAINT_LINES_MAX, reset: "hard" },
  screen: { scrollback: 0, reset: "soft" },
};

/** How it is updated: by bytes after a repaint, or composed: by rows that it draws itself, never by bytes. */
type View = Paint | "composed";

/** A person who watches, and what they may do. */
export type Here = DeepReadonly<PresenceFrame["here"][number]>;

export interface ViewerSpec {
  readonly link: ViewerLink;
  /** Absent: an agent, or nobody whom the others shall see. */
  readonly who?: Here | undefined;
  readonly role: ViewerRole;
  readonly paint: View;
  /** What it looks through, if it sees no secrets. Its link hides them in bytes. */
  readonly eyes?: Redactor | undefined;
  /** It already has everything before this. */
  readonly cursor: number | undefined;
  /** later: watching does not start a pending program; the first key does. */
  readonly start?: "now" | "later";
  /** What it gets of a program that prints without end. Absent: all bytes that it keeps up with. */
  readonly floods?: "pictures" | undefined;
}

export class Viewer {
  readonly link: ViewerLink;
  readonly who: Here | undefined;
  readonly role: ViewerRole;
  readonly paint: View;
  readonly eyes: Redactor | undefined;
  readonly floods: "pictures" | undefined;
  size: Size | undefined;
  visible = true;
  /** When its person typed or asked for its size, as sizing.ts counts. */
  claim = 0;
  /** Everything before this was sent. Undefined until the hello. */
  sent: number | undefined;
  /** When what it has not confirmed was sent. */
  #unshown: { readonly cursor: number; readonly at: number }[] = [];
  #acked: number | undefined;
  /** The cursors of the last picture and of the one before, while it gets those instead of bytes. */
  #picture: number | undefined;
  #before = 0;

  constructor({ link, who, role, paint, eyes, floods }: ViewerSpec) {
    this.floods = floods;
    this.eyes = eyes;
    this.link = link;
    this.who = who;
    this.role = role;
    this.paint = paint;
  }

  ack(cursor: number): void {
    if (this.sent === undefined || cursor > this.sent) return;
    this.#acked = Math.max(this.#acked ?? 0, cursor);
    const next = this.#unshown.findIndex((piece) => piece.cursor > cursor);
    this.#unshown.splice(0, next < 0 ? this.#unshown.length : next);
  }

  /** Bytes up to this cursor were sent. */
  passed(cursor: number, at: number): void {
    this.sent = cursor;
    // Who never confirms anything is not measured.
    if (this.#acked !== undefined) this.#unshown.push({ cursor, at });
  }

  /** A repaint counts as received. Acks continue from its cursor. */
  repainted(cursor: number): void {
    this.sent = cursor;
    [this.#unshown, this.#picture] = [[], undefined];
    if (this.#acked !== undefined) this.#acked = cursor;
  }

  /** From now on it gets pictures. They replace what it has not shown. */
  fallBehind(): void {
    [this.#unshown, this.#picture, this.#before] = [[], 0, 0];
  }

  /** What is visible was sent. Two may be on their way: one that left before an echo came must not hold it up. */
  pictured(cursor: number): void {
    this.sent = cursor;
    [this.#before, this.#picture] = [this.#picture ?? 0, cursor];
  }

  /** Whether it tells what it has shown. */
  get acks(): boolean {
    return this.#acked !== undefined;
  }

  /** Whether more may be sent now. A viewer that never acks is judged by its transport alone. */
  get ready(): boolean {
    if (!this.visible || this.link.buffered() > VIEWER_DEBT_BYTES_MAX) return false;
    if (this.#acked === undefined) return true;
    if (this.#picture !== undefined) return this.#acked >= this.#before;
    return (this.sent ?? 0) - this.#acked <= VIEWER_WINDOW_BYTES;
  }

  /** Whether it cannot keep up with the output. One that nobody looks at is not behind. */
  isBehind(fed: number, now: number): boolean {
    if (!this.visible || this.sent === undefined) return false;
    if (!this.ready) return fed - this.sent > LATE_BYTES;
    const [oldest] = this.#unshown;
    return oldest !== undefined && now - oldest.at > LATE_MS && this.sent - (this.#acked ?? 0) > LATE_BYTES;
  }
}
