// A daemon that starts beside many running programs: what it does for the one that somebody wants, and what can wait.
import { expect, test, vi } from "vitest";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { ID, World } from "./world.ts";

const COUNT = 20;
const idOf = (n: number) => `s_0000${String(n).padStart(4, "0")}`;

/** Twenty programs that have printed and are quiet, and a daemon that has just started. */
async function restarted() {
  const makeEngine = vi.fn(makeGhostty);
  const world = new World(makeEngine);
  for (let n = 1; n <= COUNT; n++) await world.open(idOf(n));
  for (const pty of world.ptys) pty.say("hello");
  await world.settle();
  const asks = world.ptys.map((pty) => vi.spyOn(pty, "activity"));
  const metas = vi.spyOn(world.store, "meta");
  makeEngine.mockClear();
  await world.killDaemon();
  await world.settle();
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      world.clock.pass(10);
      await world.settle();
    }
  };
  return { world, makeEngine, metas, asks, pass };
}

test("before the first answer, it reads and replays the session that is asked for, and one more at most", async () => {
  const { world, makeEngine, metas } = await restarted();
  expect([metas.mock.calls.length, makeEngine.mock.calls.length]).toEqual([1, 0]);
  const screen = await world.session.see({ scrollback: 0 });
  expect(screen.rows[0]).toBe("hello");
  expect(metas.mock.calls.map(([id]) => id)).toEqual([idOf(COUNT), ID]);
  expect(makeEngine).toHaveBeenCalledTimes(1);
  world.dispose();
});

test("all others are caught up with in the background, one at a time, and sleep again", async () => {
  const { world, makeEngine, pass } = await restarted();
  await pass(5_000);
  expect(makeEngine).toHaveBeenCalledTimes(COUNT);
  for (let n = 1; n <= COUNT; n++) expect(world.sessionOf(idOf(n)).display.isAsleep).toBe(true);
  world.ptys[4]?.say(" again");
  await world.settle();
  expect((await world.sessionOf(idOf(5)).see({ scrollback: 0 })).rows[0]).toBe("hello again");
  world.dispose();
});

test("one that somebody looks at meanwhile keeps its engine", async () => {
  const { world, pass } = await restarted();
  const newest = world.sessionOf(idOf(COUNT));
  const before = newest.awake();
  await pass(2_000);
  await before;
  expect([newest.display.isAsleep, world.sessionOf(ID).display.isAsleep]).toEqual([false, true]);
  world.dispose();
});

test("one that ends while its engine is let go has ended, however slow the machine is", async () => {
  const world = new World((...given) => {
    const engine = makeGhostty(...given);
    const feed = engine.feed.bind(engine);
    engine.feed = (bytes) => {
      // Longer than a turn: what comes after these bytes waits for the next.
      world.clock.pass(5);
      feed(bytes);
    };
    return engine;
  });
  await world.open();
  world.pty.say("hello");
  await world.settle();
  world.pty.say("bye");
  world.pty.exit({ code: 0, signal: null });
  for (let idle = 0; idle < 40; ) {
    world.session.rest(0);
    await Promise.resolve();
    idle = world.clock.turn() ? 0 : idle + 1;
  }
  expect(world.session.state).toBe("done");
  world.dispose();
});

/** The engine of a quiet session is let go when its program is asked what it does. */
async function restingWhenAsked() {
  const world = new World();
  await world.open();
  world.pty.say("\x1b[?1049hhello");
  await world.settle();
  const foreground = world.pty.foreground.bind(world.pty);
  const asked = vi.spyOn(world.pty, "foreground").mockImplementation(() => {
    world.session.rest(0);
    return foreground();
  });
  return { world, asked };
}

test("a look is whole though the engine is let go in the middle of it", async () => {
  const { world, asked } = await restingWhenAsked();
  expect((await world.session.see({ scrollback: 0 })).rows[0]).toBe("hello");
  expect(asked).toHaveBeenCalled();
  world.dispose();
});

test("keys that are about to be typed keep the engine, and their wait sees the answer", async () => {
  const { world, asked } = await restingWhenAsked();
  world.pty.onInput = () => world.pty.say(" you");
  const sending = world.session.send({
    actor: { kind: "person" },
    input: { text: "a" },
    intent: { timeout_ms: 1_000 },
    then: { any: [{ text: "hello you" }], timeout_ms: 1_000 },
  });
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  sending.then(over, over);
  while (!isOver) await world.settle();
  expect(await sending).toMatchObject({ outcome: "matched" });
  expect(asked).toHaveBeenCalled();
  world.session.rest(0);
  expect(world.session.display.isAsleep).toBe(true);
  world.dispose();
});

test("quiet programs are hardly asked what they do: not each of them again and again", async () => {
  const { world, asks, pass } = await restarted();
  await pass(20_000);
  const counts = asks.map(({ mock }) => mock.calls.length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  world.dispose();
});

test("while more than a hundred are awake, those that were used longest ago sleep after two seconds", async () => {
  const world = new World();
  for (let n = 1; n <= 102; n++) await world.open(idOf(n));
  for (const pty of world.ptys) pty.say("hello");
  await world.settle();
  const asleep = () => world.sessions.list().filter(({ display }) => display.isAsleep);
  world.sessions.rest(60_000);
  expect(asleep()).toEqual([]);
  world.clock.pass(2_000);
  await world.settle();
  world.sessions.rest(60_000);
  expect(asleep().map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  world.dispose();
});
