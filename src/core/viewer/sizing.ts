// Whose size a session has: who typed last decides. Owns: when a change is made. Others see what fits into their window, or all of it
// smaller. A viewer that only looks changes nothing, and when nobody is there nothing changes.
import type { Clock } from "../base/clock.ts";
import type { Size } from "../pty/pty.ts";

/** A window that is being dragged, and a person who goes from one to the other, ask once they have settled. */
const SETTLE_MS = 500;

/** What the rule knows of a viewer. */
export interface Seat {
  readonly role: "input" | "watch";
  readonly visible: boolean;
  readonly size: Size | undefined;
  /** Higher for who typed or asked later. 0: it has done neither. */
  readonly claim: number;
}

/** The size that counts. Undefined: nobody who is there has a say, so it stays as it is. */
function sizeOf(seats: readonly Seat[]): Size | undefined {
  const present = seats.filter(({ role, visible, size, claim }) => role === "input" && visible && size && claim > 0);
  return present.sort((a, b) => b.claim - a.claim)[0]?.size;
}

/** Reports of the focus and of the mouse (CSI I, O, M, <) come without anybody typing. */
export function isTyping([esc, bracket, kind = 0]: Uint8Array): boolean {
  return !(esc === 0x1b && bracket === 0x5b && "IOM<".includes(String.fromCharCode(kind)));
}

interface SizingParts {
  readonly clock: Clock;
  /** A size that was set from outside stays. */
  readonly follows: boolean;
  seats(): Iterable<Seat & { claim: number }>;
  now(): Size;
  /** Whether a viewer ever decided. The first one that comes does. */
  readonly isDecided: boolean;
  fit(size: Size): void;
}

export class Sizing {
  #parts: SizingParts;
  #claims = 0;
  #decided: boolean;
  #cancel: (() => void) | undefined;

  constructor(parts: SizingParts) {
    this.#parts = parts;
    this.#decided = parts.isDecided;
  }

  /** This viewer's person typed, or asked for its size. */
  claim(seat: { claim: number }): void {
    // Most keys come from the one who typed before.
    if (seat.claim > 0 && seat.claim === this.#claims) return;
    this.#claims += 1;
    seat.claim = this.#claims;
    this.changed();
  }

  /** Somebody came, left, was hidden or shown, or has another size. */
  changed(): void {
    const { clock, follows } = this.#parts;
    if (!follows) return;
    if (!this.#decided) return this.#first();
    if (!this.#wanted()) return;
    this.#cancel?.();
    this.#cancel = clock.after(SETTLE_MS, () => this.#apply());
  }

  stop(): void {
    this.#cancel?.();
  }

  #first(): void {
    const seat = [...this.#parts.seats()].find(({ role, visible, size }) => role === "input" && visible && size);
    if (!seat) return;
    this.#decided = true;
    this.claim(seat);
    this.#apply();
  }

  #apply(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const size = this.#wanted();
    if (size) this.#parts.fit(size);
  }

  #wanted(): Size | undefined {
    const [size, now] = [sizeOf([...this.#parts.seats()]), this.#parts.now()];
    return size && (size.cols !== now.cols || size.rows !== now.rows) ? size : undefined;
  }
}
