// Whose size a session has, with a clock of the test's own.
import { expect, test } from "vitest";
import type { Size } from "../../src/core/pty/pty.ts";
import { isTyping, type Seat, Sizing } from "../../src/core/viewer/sizing.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";

const WIDE = { cols: 160, rows: 40 };
const NARROW = { cols: 60, rows: 20 };

type Person = { -readonly [key in keyof Seat]: Seat[key] };

function world(options: { follows?: boolean; isDecided?: boolean } = {}) {
  const clock = new FakeClock();
  const seats = new Set<Person>();
  const made: Size[] = [];
  let now: Size = { cols: 120, rows: 36 };
  const sizing = new Sizing({
    clock,
    follows: true,
    isDecided: false,
    ...options,
    seats: () => seats,
    now: () => now,
    fit: (size) => {
      now = size;
      made.push(size);
    },
  });
  const come = (size: Size, role: Seat["role"] = "input"): Person => {
    const seat: Person = { role, visible: true, size, claim: 0 };
    seats.add(seat);
    sizing.changed();
    return seat;
  };
  const leave = (seat: Person) => {
    seats.delete(seat);
    sizing.changed();
  };
  const settle = () => {
    clock.pass(500);
    return now;
  };
  return { clock, sizing, made, come, leave, settle };
}

test("the first viewer decides at once; a narrower one shrinks nothing until its person types", () => {
  const { sizing, come, settle, made } = world();
  come(WIDE);
  expect(made).toEqual([WIDE]);
  const narrow = come(NARROW);
  expect(settle()).toEqual(WIDE);
  sizing.claim(narrow);
  expect(made).toEqual([WIDE]);
  expect(settle()).toEqual(NARROW);
});

test("who typed last decides; when they leave, the one before does; when all have left, nothing changes", () => {
  const { sizing, come, leave, settle } = world();
  const [wide, narrow] = [come(WIDE), come(NARROW)];
  sizing.claim(narrow);
  expect(settle()).toEqual(NARROW);
  sizing.claim(wide);
  expect(settle()).toEqual(WIDE);
  sizing.claim(narrow);
  expect(settle()).toEqual(NARROW);
  leave(narrow);
  expect(settle()).toEqual(WIDE);
  leave(wide);
  expect(settle()).toEqual(WIDE);
});

test("changes settle: two people who type in turn, and a window that is dragged, make one change", () => {
  const { clock, sizing, come, settle, made } = world();
  const [wide, narrow] = [come(WIDE), come(NARROW)];
  for (let i = 0; i < 10; i += 1) {
    sizing.claim(i % 2 === 0 ? narrow : wide);
    narrow.size = { cols: 60 + i, rows: 20 };
    sizing.changed();
    clock.pass(100);
  }
  sizing.claim(narrow);
  expect(settle()).toEqual({ cols: 69, rows: 20 });
  expect(made).toEqual([WIDE, { cols: 69, rows: 20 }]);
});

test("watchers, hidden windows and sessions with a size of their own change nothing", () => {
  const { sizing, come, settle } = world();
  const wide = come(WIDE);
  const watcher = come(NARROW, "watch");
  sizing.claim(watcher);
  const hidden = come(NARROW);
  hidden.visible = false;
  sizing.claim(hidden);
  expect(settle()).toEqual(WIDE);
  sizing.claim(wide);
  const pinned = world({ follows: false });
  pinned.sizing.claim(pinned.come(NARROW));
  expect(pinned.settle()).toEqual({ cols: 120, rows: 36 });
  const later = world({ isDecided: true });
  const looker = later.come(NARROW);
  expect(later.settle()).toEqual({ cols: 120, rows: 36 });
  later.sizing.claim(looker);
  expect(later.settle()).toEqual(NARROW);
});

test("reports of focus and mouse are no typing", () => {
  const typing = ["a", "\r", "\x1b", "\x1b[A", "\x1b[I", "\x1b[O", "\x1b[<0;1;1M", "\x1b[M !!"];
  expect(typing.map((text) => isTyping(Buffer.from(text)))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
