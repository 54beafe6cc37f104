// Programs that print without end: while a person is there they print no more than can be shown, whoever types goes first, and
// nothing of it is lost.
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { ID, SimViewer, World } from "./world.ts";

const [KIB, FRAME_MS] = [1 << 10, 16];
const OTHER = "s_00000002";
const WHO = { actor: "person", may: "type" } as const;
const LINE = Buffer.from(`${"flood ".repeat(10)}\r\n`);

const printed = (world: World, id = ID) => world.store.files(id, "daemon").outputSize();
const flood = (bytes: number) => Buffer.concat(Array.from({ length: Math.ceil(bytes / LINE.length) }, () => LINE));

async function pass(world: World, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 1) {
    world.clock.pass(1);
    await world.settle();
  }
}

/** How much it prints meanwhile. */
async function printedIn(world: World, ms: number, id = ID): Promise<number> {
  const before = printed(world, id);
  await pass(world, ms);
  return printed(world, id) - before;
}

async function watch(world: World, viewer: SimViewer): Promise<void> {
  const attaching = world.session.attach({
    ...{ link: viewer.link, role: "input", paint: "history", cursor: viewer.cursor, who: WHO },
  });
  await world.settle();
  const attached = await attaching;
  if (isFault(attached)) throw new Error(attached.message);
  viewer.viewer = attached;
}

function acked({ viewer, shown }: SimViewer, world: World): void {
  if (viewer && shown !== undefined) world.session.display.viewers.shown(viewer, shown);
}

async function flooding(): Promise<World> {
  const world = new World();
  await world.open(ID);
  await world.settle();
  world.say(Buffer.from("begin\r\n"));
  await world.settle();
  world.say(flood(256 * KIB));
  await world.settle();
  return world;
}

test("with nobody there it prints as much as it likes", async () => {
  const world = await flooding();
  world.say(flood(2_048 * KIB));
  expect(await printedIn(world, 2 * FRAME_MS)).toBe(flood(2_048 * KIB).length);
  world.dispose();
});

test("while a person watches it prints a piece a frame, less while they type, and all of it arrives", async () => {
  const world = await flooding();
  const viewer = new SimViewer();
  world.viewers.push(viewer);
  await watch(world, viewer);
  acked(viewer, world);
  await pass(world, FRAME_MS);
  world.say(flood(4_096 * KIB));
  await pass(world, FRAME_MS);
  // A page that opens goes first.
  expect(await printedIn(world, 4 * FRAME_MS)).toBeLessThanOrEqual(5 * 16 * KIB);
  await pass(world, 3_000);
  world.say(flood(4_096 * KIB));
  await pass(world, FRAME_MS);
  const watched = await printedIn(world, 4 * FRAME_MS);
  expect(watched).toBeGreaterThan(3 * 128 * KIB);
  expect(watched).toBeLessThanOrEqual(5 * 256 * KIB);
  await world.session.type({ kind: "person" }, Buffer.from("x"));
  // Its answer stands behind what it had printed, so at first it goes on in short steps.
  expect(await printedIn(world, 100)).toBeGreaterThan(8 * 32 * KIB);
  expect(await printedIn(world, 10 * FRAME_MS)).toBeLessThanOrEqual(11 * 16 * KIB);
  world.say(Buffer.from("THE END"));
  const said = Buffer.concat(world.said);
  for (let n = 0; n < 300 && printed(world) < said.length; n++) {
    await pass(world, FRAME_MS);
    acked(viewer, world);
  }
  expect(said.equals(world.session.display.readRaw(0, printed(world)).bytes)).toBe(true);
  for (let n = 0; n < 3; n++) {
    await pass(world, 200);
    acked(viewer, world);
  }
  expect(viewer.engine.rows().join("\n")).toContain("THE END");
  expect(viewer.cursor).toBe(printed(world));
  world.dispose();
});

test("the floods of all sessions share what there is, and who was typed into goes first", async () => {
  const world = await flooding();
  await world.open(OTHER);
  const other = world.ptys[1];
  other?.say("begin\r\n");
  await world.settle();
  other?.say(flood(256 * KIB));
  await world.settle();
  await world.session.type({ kind: "person" }, Buffer.from("x"));
  await pass(world, FRAME_MS);
  world.say(flood(1_024 * KIB));
  other?.say(flood(1_024 * KIB));
  const [before, theirs] = [printed(world), printed(world, OTHER)];
  await pass(world, 40);
  const [mine, others] = [printed(world) - before, printed(world, OTHER) - theirs];
  expect(others).toBeLessThanOrEqual(4 * 8 * KIB);
  expect(mine).toBeGreaterThan(3 * others);
  world.dispose();
});

test("a session that does not flood prints on when its person goes there from one that does", async () => {
  const world = await flooding();
  await world.open(OTHER);
  const other = world.sessionOf(OTHER);
  await world.session.type({ kind: "person" }, Buffer.from("x"));
  await other.type({ kind: "person" }, Buffer.from("y"));
  await pass(world, FRAME_MS);
  const answer = flood(32 * KIB);
  world.ptys[1]?.say(answer);
  await pass(world, FRAME_MS);
  expect(other.display.fed).toBe(answer.length);
  world.dispose();
});

test("a program whose daemon died prints on", async () => {
  const world = await flooding();
  await world.session.type({ kind: "person" }, Buffer.from("x"));
  await pass(world, FRAME_MS);
  world.say(flood(512 * KIB));
  await world.killDaemon();
  await pass(world, FRAME_MS);
  expect(printed(world)).toBe(Buffer.concat(world.said).length);
  world.dispose();
});
