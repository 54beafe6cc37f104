// A screen, and when it is looked at. Every look reads all rows that were drawn. So what nobody watches or waits for is looked at
// no more often than files need it, and a frame of the program (mode 2026) only when it is whole. Owns: the screen and the timers
// that end these rests.
import type { Clock } from "../base/clock.ts";
import type { Engine } from "./engine.ts";
import { Screen, type ScreenChange } from "./screen.ts";

/** After this long we show an unfinished frame, because its program may have died. */
const FRAME_MS_MAX = 150;
/** During a flood of output we look this often, unless somebody waits for text. */
const FLOOD_MS = 16;
/** While nobody watches or waits, what comes within this time is one look. Files get five lines a second. */
const ALONE_MS = 50;

/** Who cares. */
export interface Attention {
  /** Whether somebody waits for text that may scroll by. */
  closely(): boolean;
  /** Whether somebody watches, or waits for anything. A flood is watched in pictures, which look by themselves. */
  attended(): boolean;
  /** Somebody reads the screen, and it has changed since the last turn. */
  looked(change: ScreenChange): void;
}

export class PacedScreen {
  #clock: Clock;
  #on: Attention;
  #late: () => void;
  #engine: Engine;
  #screen: Screen;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #endFrame: (() => void) | undefined;
  #endRest: (() => void) | undefined;
  #isOverdue = false;

  /** `late`: a turn that was put off is due. */
  constructor(engine: Engine, clock: Clock, on: Attention, late: () => void) {
    [this.#engine, this.#clock, this.#on, this.#late] = [engine, clock, on, late];
    this.#screen = new Screen(engine);
  }

  /** As of now, but for a frame that is being drawn. */
  get now(): Screen {
    if (this.#endRest && !this.#engine.isDead && !this.#engine.modes().synchronized) {
      const change = this.look();
      if (change) this.#on.looked(change);
    }
    return this.#screen;
  }

  /** Another engine takes over. */
  replace(engine: Engine): void {
    this.stop();
    const { seq } = this.#screen;
    this.#engine = engine;
    this.#screen = new Screen(engine);
    this.#screen.continueAbove(seq);
  }

  /** A turn is over. Looks, unless it is too early; `behind` bytes are still unread. */
  turned(behind: number): ScreenChange | undefined {
    return this.#rests(behind) || this.#draws() ? undefined : this.look();
  }

  look(): ScreenChange | undefined {
    this.#lookedAt = this.#clock.monotonic();
    this.#stopRest();
    return this.#screen.advance();
  }

  stop(): void {
    this.#stopRest();
    this.#stopFrame();
  }

  #rests(behind: number): boolean {
    const since = this.#clock.monotonic() - this.#lookedAt;
    // The next turn comes by itself.
    if (behind > 0) return since < FLOOD_MS && !this.#on.closely();
    if (since >= ALONE_MS || this.#isOverdue || this.#on.attended()) return false;
    this.#endRest ??= this.#clock.after(ALONE_MS - since, () => {
      this.#stopRest();
      this.#late();
    });
    return true;
  }

  #draws(): boolean {
    if (!this.#engine.modes().synchronized) {
      this.#stopFrame();
      return false;
    }
    const overdue = this.#isOverdue;
    this.#isOverdue = false;
    this.#endFrame ??= this.#clock.after(FRAME_MS_MAX, () => {
      this.#endFrame = undefined;
      this.#isOverdue = true;
      this.#late();
    });
    return !overdue;
  }

  #stopRest(): void {
    this.#endRest?.();
    this.#endRest = undefined;
  }

  #stopFrame(): void {
    this.#endFrame?.();
    this.#endFrame = undefined;
  }
}
