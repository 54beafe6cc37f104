// Output that nobody cares for is read late, and files of what is drawn all the time are written seldom; never later than said.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Gathering } from "../../../src/core/screen/gathering.ts";
import { Throttle } from "../../../src/core/screen/throttle.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const GATHERED_MS = 150;
const PAUSE_MS = 500;
const FLOOD_BYTES = 16 << 10;

class Reader {
  readonly clock = new FakeClock();
  readonly reads: number[] = [];
  cursor = 0;
  isAttended = false;
  isTold = true;
  readonly gathering = new Gathering({
    clock: this.clock,
    files: { outputSize: () => this.cursor },
    program: {
      tell: (what) => {
        this.isTold = what === "all";
      },
    },
    fed: () => this.fed,
    attended: () => this.isAttended,
    read: (cursor) => this.reads.push(cursor),
  });

  get fed(): number {
    return this.reads.at(-1) ?? 0;
  }

  print(bytes: number): void {
    this.cursor += bytes;
    if (this.isTold) this.gathering.grew(this.cursor);
  }

  /** Ten times a second. */
  draw(times: number): void {
    for (let n = 0; n < times; n++) {
      this.print(300);
      this.clock.pass(100);
    }
  }
}

it("what is printed is read within its time, in order, and at once where somebody cares", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("print" as const), bytes: fc.integer({ min: 1, max: 30_000 }) }),
    fc.record({ do: fc.constant("draw" as const), times: fc.integer({ min: 1, max: 15 }) }),
    fc.record({ do: fc.constantFrom("type" as const, "ask" as const, "attend" as const) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 800 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const reader = new Reader();
      let printedAt = Number.NEGATIVE_INFINITY;
      for (const now of steps) {
        const wasFed = reader.fed;
        const isFirst = reader.clock.monotonic() - printedAt > PAUSE_MS + GATHERED_MS;
        const wasTold = reader.isTold;
        if (now.do === "draw") reader.draw(now.times);
        if (now.do === "type") reader.gathering.typed();
        if (now.do === "ask") reader.gathering.catchUp();
        if (now.do === "attend") reader.isAttended = !reader.isAttended;
        if (reader.isAttended) reader.gathering.end();
        if (now.do === "pass") reader.clock.pass(now.ms);
        if (now.do === "print") {
          reader.print(now.bytes);
          printedAt = reader.clock.monotonic();
          const isRead = reader.isAttended || isFirst || (wasTold && reader.cursor - wasFed >= FLOOD_BYTES);
          if (isRead) expect(reader.fed).toBe(reader.cursor);
        }
        if (now.do === "draw") printedAt = reader.clock.monotonic() - 100;
        if (now.do === "type" || now.do === "ask") expect(reader.fed).toBe(reader.cursor);
        expect(reader.reads).toEqual([...new Set(reader.reads)].sort((a, b) => a - b));
      }
      reader.clock.pass(GATHERED_MS);
      expect(reader.fed).toBe(reader.cursor);
    }),
  );
});

it("a program that draws all the time is read six times a second while nobody cares, each time otherwise", () => {
  const reader = new Reader();
  reader.draw(20);
  const counted = (run: () => void) => {
    const before = reader.reads.length;
    run();
    return reader.reads.length - before;
  };
  const alone = counted(() => reader.draw(100));
  expect(alone).toBeGreaterThanOrEqual(45);
  expect(alone).toBeLessThanOrEqual(70);
  reader.isAttended = true;
  reader.gathering.end();
  expect(counted(() => reader.draw(10))).toBeGreaterThanOrEqual(10);
  reader.isAttended = false;
  reader.gathering.typed();
  expect(counted(() => reader.draw(9))).toBe(9);
});

it("what changes all the time is written every five seconds, and soon when it rests", () => {
  const clock = new FakeClock();
  const writes: number[] = [];
  const throttle = new Throttle(clock, 200, () => writes.push(clock.monotonic()) > 0);
  const change = (times: number) => {
    const before = writes.length;
    for (let n = 0; n < times; n++) {
      throttle.changed();
      clock.pass(100);
    }
    return writes.length - before;
  };
  expect(change(20)).toBeGreaterThanOrEqual(9);
  change(20);
  const steady = change(200);
  expect(steady).toBeGreaterThanOrEqual(3);
  expect(steady).toBeLessThanOrEqual(5);
  const before = writes.length;
  clock.pass(500);
  expect(writes.length).toBe(before + 1);
  throttle.prompted();
  clock.pass(20);
  expect(writes.length).toBe(before + 2);
  clock.pass(1_100);
  expect(change(10)).toBeGreaterThanOrEqual(4);
});
