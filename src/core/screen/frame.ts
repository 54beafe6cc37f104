// While a program draws a frame (mode 2026) nobody looks at the screen, within a time limit. Owns: that limit's timer.
import type { Clock } from "../base/clock.ts";

/** After this long we show an unfinished frame, because its program may have died. */
const FRAME_MS_MAX = 150;

export class Frame {
  #clock: Clock;
  #late: () => void;
  #cancel: (() => void) | undefined;
  #isOverdue = false;

  /** `late`: a frame has taken too long. It counts as finished in the next check. */
  constructor(clock: Clock, late: () => void) {
    this.#clock = clock;
    this.#late = late;
  }

  /** Whether the screen is to be left alone now. */
  holds(isDrawing: boolean): boolean {
    if (!isDrawing) {
      this.#cancel?.();
      this.#cancel = undefined;
      return false;
    }
    const overdue = this.#isOverdue;
    this.#isOverdue = false;
    this.#cancel ??= this.#clock.after(FRAME_MS_MAX, () => {
      this.#cancel = undefined;
      this.#isOverdue = true;
      this.#late();
    });
    return !overdue;
  }
}
