// An engine that traps: the session is rebuilt from its journal without the bytes that caused it, reports it, and goes on.
import { expect, it } from "vitest";
import { type Engine, EngineTrap, type MakeEngine } from "../../src/core/screen/engine.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { ID, SimViewer, World } from "./world.ts";

/** A fault point: this engine cannot bear the word POISON. */
const fragile: MakeEngine = (options, from) => {
  const engine = makeGhostty(options, from);
  const feed = (bytes: Uint8Array) => {
    if (Buffer.from(bytes).includes("POISON")) throw new EngineTrap("fault point");
    engine.feed(bytes);
  };
  return new Proxy(engine, {
    get: (target, name) => (name === "feed" ? feed : bound(target, name as keyof Engine)),
  });
};

function bound(engine: Engine, name: keyof Engine): unknown {
  const member = engine[name];
  return typeof member === "function" ? member.bind(engine) : member;
}

it("a trapped engine is replaced, loses only the slice that trapped, and its viewers see the right screen", async () => {
  const world = new World(fragile);
  await world.open();
  const viewer = new SimViewer();
  world.viewers.push(viewer);
  await world.attach(viewer);
  for (const text of ["first line\r\n", "POISON\r\n", "second line\r\n"]) {
    world.say(Buffer.from(text));
    await world.settle();
    world.clock.pass(200);
    await world.settle();
  }
  const seeing = world.session.see({ scrollback: 0 });
  await world.settle();
  const { rows, seq } = await seeing;
  expect(rows.slice(0, 3)).toEqual(["first line", "second line", ""]);
  expect(viewer.engine.rows()).toEqual(rows);
  expect(seq).toBeGreaterThan(0);
  const events = world.store.files(ID, "daemon").readLines("events");
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "notice", message: expect.stringContaining("rebuilt") }),
  );
  const stored = new Uint8Array(world.store.files(ID, "daemon").outputSize());
  world.store.files(ID, "daemon").readOutput(0, stored);
  expect(Buffer.from(stored).toString()).toBe("first line\r\nPOISON\r\nsecond line\r\n");
  world.dispose();
});

it("a disk that refuses for a while loses nothing; for too long it leaves a recorded gap", async () => {
  const world = new World();
  await world.open();
  world.say(Buffer.from("before\r\n"));
  await world.settle();
  world.store.room = 0;
  for (const text of ["waits for room\r\n", "in its turn\r\n", "and last\r\n"]) {
    world.say(Buffer.from(text));
    await world.settle();
  }
  world.clock.pass(1_000);
  world.store.room = Number.POSITIVE_INFINITY;
  world.clock.pass(1_000);
  await world.settle();
  const rows = async () => {
    const seeing = world.session.see({ scrollback: 0 });
    await world.settle();
    return (await seeing).rows.filter((row) => row !== "");
  };
  expect(await rows()).toEqual(["before", "waits for room", "in its turn", "and last"]);
  world.store.room = 0;
  world.say(Buffer.from("lost\r\n"));
  await world.settle();
  world.clock.pass(60_000);
  world.store.room = Number.POSITIVE_INFINITY;
  world.say(Buffer.from("after\r\n"));
  await world.settle();
  world.clock.pass(1_000);
  await world.settle();
  expect(await rows()).toEqual(["before", "waits for room", "in its turn", "and last", "after"]);
  // What could not be written down then is written before the next line.
  world.session.type({ kind: "person" }, Buffer.from("x"));
  const files = world.store.files(ID, "daemon");
  expect(files.readLines("records")).toContainEqual(expect.objectContaining({ kind: "gap", bytes: 6 }));
  const message = expect.stringContaining("6 bytes");
  expect(files.readLines("events")).toContainEqual(expect.objectContaining({ kind: "notice", message }));
  world.dispose();
});
