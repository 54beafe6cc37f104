// The composed view: whatever a viewer missed, its paints make the right screen, and it is never sent too much.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { painted, type Shown } from "../../../src/cli/attach/canvas.ts";
import { Screen } from "../../../src/core/screen/screen.ts";
import { Floods } from "../../../src/core/session/flow/floods.ts";
import { Composed, picturesOf } from "../../../src/core/viewer/composed.ts";
import { rowAnsi } from "../../../src/core/viewer/row-ansi.ts";
import { Viewer } from "../../../src/core/viewer/viewer.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { Paint } from "../../../src/protocol/stream.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

class World {
  readonly clock = new FakeClock();
  readonly engine = makeGhostty({ cols: 20, rows: 5, scrollback: 10 });
  readonly screen = new Screen(this.engine);
  isReady = true;
  readonly composed = new Composed(
    this.clock,
    picturesOf(
      () => ({
        fed: 0,
        isReady: this.isReady,
        screen: this.screen,
        size: this.engine.size(),
        modes: () => this.engine.modes(),
      }),
      new Floods(this.clock).join({ watched: () => false, play: () => undefined, allow: () => undefined }),
    ),
  );

  print(text: string): void {
    this.engine.feed(Buffer.from(text));
    this.screen.advance();
    this.composed.touched();
  }

  watch(): Watcher {
    const watcher = new Watcher();
    this.composed.add(watcher.viewer);
    return watcher;
  }

  get ansi(): string[] {
    return this.engine.styled({ history: 0 }).map(rowAnsi);
  }
}

class Watcher {
  readonly paints: Paint[] = [];
  shown: Shown | undefined;
  debt = 0;
  readonly viewer = new Viewer({
    role: "input",
    paint: "composed",
    cursor: undefined,
    link: {
      bytes: () => expect.fail("a composed viewer gets no bytes"),
      drawing: () => expect.fail("a composed viewer draws by itself"),
      text: (message) => {
        const paint = Paint.parse(message);
        this.paints.push(paint);
        this.shown = painted(this.shown, paint);
      },
      buffered: () => this.debt,
    },
  });

  rowsOf(index: number): number[] | undefined {
    return this.paints.at(index)?.rows.map(({ row }) => row);
  }
}

describe("a composed viewer", () => {
  it("a composed viewer gets all rows at first, then those that changed", () => {
    const world = new World();
    const watcher = world.watch();
    expect(watcher.rowsOf(0)).toEqual([0, 1, 2, 3, 4]);
    expect(watcher.paints[0]).toMatchObject({ cols: 20, rows_count: 5, cursor: { row: 0, col: 0, visible: true } });
    world.clock.pass(100);
    world.print("\x1b[2;1H\x1b[31mred\x1b[m plain");
    world.clock.pass(1);
    expect(watcher.paints.at(-1)?.rows).toEqual([{ row: 1, ansi: "\x1b[31mred\x1b[m plain" }]);
    world.clock.pass(100);
    // Another colour is another row, although the text is the same.
    world.print("\x1b[2;1H\x1b[32mred\x1b[m");
    world.clock.pass(1);
    expect(watcher.rowsOf(-1)).toEqual([1]);
    const { length } = watcher.paints;
    world.clock.pass(100);
    world.print("\x1b[2;1H\x1b[32mred\x1b[m");
    world.clock.pass(100);
    expect(watcher.paints).toHaveLength(length);
  });

  it("a composed viewer gets at most sixty paints a second", () => {
    const world = new World();
    const watcher = world.watch();
    for (let ms = 0; ms < 1_000; ms += 1) {
      world.print(`${ms}\r\n`);
      world.clock.pass(1);
    }
    expect(watcher.paints.length).toBeGreaterThan(30);
    expect(watcher.paints.length).toBeLessThanOrEqual(64);
  });

  it("a composed viewer that was behind gets only the newest state", () => {
    const world = new World();
    const [slow, quick] = [world.watch(), world.watch()];
    slow.debt = 1 << 20;
    for (let i = 0; i < 50; i += 1) {
      world.print(`line ${i}\r\n`);
      world.clock.pass(20);
    }
    expect(slow.paints).toHaveLength(1);
    expect(quick.paints.length).toBeGreaterThan(10);
    slow.debt = 0;
    world.clock.pass(100);
    expect(slow.paints).toHaveLength(2);
    expect(slow.shown?.rows).toEqual(world.ansi);
  });

  it("a composed viewer does not see half a frame, within a time limit", () => {
    const world = new World();
    const watcher = world.watch();
    world.clock.pass(100);
    world.print("\x1b[?2026hhalf");
    world.clock.pass(100);
    expect(watcher.paints).toHaveLength(1);
    world.print(" and half\x1b[?2026l");
    world.clock.pass(1);
    expect(watcher.shown?.rows[0]).toBe("half and half");
    world.print("\r\x1b[?2026hdied");
    world.clock.pass(250);
    expect(watcher.shown?.rows[0]).toBe("died and half");
  });

  it("a composed viewer gets all rows after a resize and after a rebuild", () => {
    const world = new World();
    const watcher = world.watch();
    world.clock.pass(100);
    world.engine.resize({ cols: 30, rows: 3 });
    world.print("x");
    world.clock.pass(1);
    expect(watcher.rowsOf(-1)).toEqual([0, 1, 2]);
    world.clock.pass(100);
    world.isReady = false;
    world.print("y");
    world.clock.pass(100);
    expect(watcher.shown?.rows[0]).toBe("x");
    world.isReady = true;
    world.composed.forget();
    world.clock.pass(1);
    expect(watcher.rowsOf(-1)).toEqual([0, 1, 2]);
  });

  it("a composed viewer has the right screen after any output at any pace", () => {
    const parts = fc.constantFrom(
      "a",
      "界",
      "\r\n",
      "\x1b[31m",
      "\x1b[m",
      "\x1b[2J",
      "\x1b[3;4H",
      "\x1b[K",
      "\x1b[L",
      "\x1b[44m",
    );
    const step = fc.record({
      text: fc.array(parts, { maxLength: 6 }),
      ms: fc.nat(40),
      debt: fc.constantFrom(0, 1 << 20),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const world = new World();
        const watcher = world.watch();
        for (const { text, ms, debt } of steps) {
          watcher.debt = debt;
          world.print(text.join(""));
          world.clock.pass(ms);
        }
        watcher.debt = 0;
        world.clock.pass(100);
        expect(watcher.shown?.rows).toEqual(world.ansi);
        expect(watcher.shown?.cursor).toEqual(world.engine.cursor());
        world.engine.dispose();
      }),
      { numRuns: 60 },
    );
  });
});
