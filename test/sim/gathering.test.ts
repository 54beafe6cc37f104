// A program that draws all the time while nobody cares is read late. Whoever cares does not notice: all of it is there at once.
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { Held } from "../../src/core/journal/held.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";
import { MemoryStore } from "../fixtures/fakes/memory-store.ts";
import { fakeTerminal } from "../fixtures/fakes/pty.ts";
import { ID, World } from "./world.ts";

const WAIT = { any: [{ text: "needle" }], timeout_ms: 60_000 };

async function say(world: World, text: string): Promise<void> {
  world.say(Buffer.from(text));
  await world.settle();
}

/** Its output is left to gather. */
async function steady(): Promise<World> {
  const world = new World();
  await world.open(ID);
  await draw(world);
  return world;
}

async function draw(world: World): Promise<void> {
  for (let n = 0; n < 15; n++) {
    await say(world, `\x1b[H\x1b[2Jframe ${n}`);
    world.clock.pass(100);
    await world.settle();
  }
  await say(world, "\r\nlast");
  expect(behind(world)).toBe("\r\nlast".length);
}

const behind = (world: World) => world.store.files(ID, "daemon").outputSize() - world.session.display.fed;

test("who looks sees all of it, and who neither looks nor waits a little later", async () => {
  const world = await steady();
  const seen = world.session.see({ scrollback: 0 });
  await world.settle();
  expect((await seen).rows[1]).toBe("last");
  await say(world, "er");
  expect(behind(world)).toBe(2);
  world.clock.pass(150);
  await world.settle();
  expect(behind(world)).toBe(0);
  world.dispose();
});

test("a wait, typed keys and the end are answered at once", async () => {
  const world = await steady();
  const waiting = world.session.wait(WAIT);
  await world.settle();
  await say(world, " needle");
  const met = await waiting;
  expect(!isFault(met) && met.outcome).toBe("matched");
  await draw(world);
  const sent = world.session.send({ actor: { kind: "person" }, input: { text: "x" }, intent: { timeout_ms: 1_000 } });
  await world.settle();
  await sent;
  await say(world, "echo");
  expect(behind(world)).toBe(0);
  await draw(world);
  world.pty.exit({ code: 0, signal: null });
  await world.settle();
  expect(world.session.over).toBe(true);
  expect((await world.session.see({ scrollback: 0 })).rows[1]).toBe("last");
  world.dispose();
});

test("after a pause the first output is read at once, and so it is by the next daemon", async () => {
  const world = await steady();
  world.clock.pass(800);
  await world.settle();
  await say(world, " again");
  expect(behind(world)).toBe(0);
  await draw(world);
  await world.killDaemon();
  const seen = world.session.see({ scrollback: 0 });
  await world.settle();
  expect((await seen).rows[1]).toBe("last");
  await say(world, " one");
  expect(behind(world)).toBe(0);
  world.dispose();
});

test("a holding that was hushed tells of all once it is resumed, and tells the next daemon", () => {
  const told: number[] = [];
  const none = () => undefined;
  const on = { grew: (cursor: number) => told.push(cursor), resized: none, gap: none, refused: none, exited: none };
  const { spawn, ptys } = fakeTerminal(none, (run) => run());
  const command = { file: "sh", args: [], cwd: "/", env: {}, cols: 80, rows: 24, marker: "" };
  const held = Held.open(
    command,
    { files: new MemoryStore().files(ID, "holder"), clock: new FakeClock(), spawn },
    { ...on, lost: none },
  );
  if (isFault(held)) throw new Error(held.message);
  ptys[0]?.say("one");
  held.hush();
  held.resume();
  held.hush();
  ptys[0]?.say("two");
  expect(told).toEqual([3]);
  held.resume();
  expect(told).toEqual([3, 6]);
  held.hush();
  held.bound(undefined);
  ptys[0]?.say("!");
  expect(told).toEqual([3, 6, 7]);
});
