// Time for many short worlds: a heap of timers. A process has a clock of its own on it, may be frozen, and dies with its timers.
import type { Clock } from "../../../src/core/base/clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

export class SimTime {
  now = 0;
  /** Timers that have neither run nor been cancelled. */
  pending = 0;
  #heap: Timer[] = [];
  #soon: (() => void)[] = [];
  #order = 0;

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.now + ms, order: this.#order++, run };
    this.pending += 1;
    this.#push(timer);
    return () => {
      if (timer.run) this.pending -= 1;
      timer.run = undefined;
    };
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  /** Everything up to then happens in its order. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      this.#settle();
      const [next] = this.#heap;
      if (!next || next.at > until) break;
      this.#pop();
      if (!next.run) continue;
      this.now = next.at;
      this.pending -= 1;
      const { run } = next;
      next.run = undefined;
      run();
    }
    this.now = until;
  }

  #settle(): void {
    for (let i = 0; i < this.#soon.length; i += 1) this.#soon[i]?.();
    this.#soon.length = 0;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up] as Timer;
      if (!isBefore(timer, parent)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Timer, heap[down] as Timer)) down += 1;
      if (!isBefore(heap[down] as Timer, last)) break;
      heap[at] = heap[down] as Timer;
      at = down;
    }
    heap[at] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

export class ProcessClock implements Clock {
  #time: SimTime;
  #held: (() => void)[] | undefined;
  #isDead = false;

  constructor(time: SimTime) {
    this.#time = time;
  }

  now(): number {
    return 1_700_000_000_000 + this.#time.now;
  }

  monotonic(): number {
    return this.#time.now;
  }

  after(ms: number, run: () => void): () => void {
    let isOff = false;
    const cancel = this.#time.after(ms, () => this.enter(() => (isOff ? undefined : run())));
    return () => {
      isOff = true;
      cancel();
    };
  }

  soon(run: () => void): void {
    this.#time.soon(() => this.enter(run));
  }

  idle(run: () => void): void {
    this.after(10, run);
  }

  /** What comes to the process, also from outside: later while it is frozen, never when it is dead. */
  enter(run: () => void): void {
    if (this.#isDead) return;
    if (this.#held) this.#held.push(run);
    else run();
  }

  freeze(): void {
    this.#held ??= [];
  }

  thaw(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const run of held) this.enter(run);
  }

  die(): void {
    this.#isDead = true;
  }
}

/** The same time, for one owner whose timers are counted. */
export class CountedClock implements Clock {
  timers = 0;
  #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(ms: number, run: () => void): () => void {
    let isOff = false;
    const off = () => {
      if (!isOff) this.timers -= 1;
      isOff = true;
    };
    this.timers += 1;
    const cancel = this.#clock.after(ms, () => {
      off();
      run();
    });
    return () => {
      off();
      cancel();
    };
  }

  soon(run: () => void): void {
    this.#clock.soon(run);
  }

  idle(run: () => void): void {
    this.#clock.idle(run);
  }
}
