// A seeded simulator: a program that prints, viewers that come, lag and go, sizes that change, daemons that are killed.
// After every step that lets the world settle: every viewer shows what the session shows, the journal has every byte,
// and a session rebuilt from the journal is the live one. A failure prints its seed; SEED=n runs it again.
import { expect, it } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { inWorld, seedsFor } from "../fixtures/seeded.ts";
import { ID, SimViewer, World } from "./world.ts";

const SEEDS = seedsFor(depth(10, 40, 400));
const STEPS = 60;

type Pick = (n: number) => number;

function generator(seed: number): Pick {
  let state = seed * 2654435761;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const PIECES = [
  "plain text ",
  "line\r\n",
  "\r\n\r\n",
  "漢字🙂é",
  "\x1b[31mred\x1b[m",
  "\x1b[2J\x1b[H",
  "\x1b[5;5Hhere",
  "\x1b[K",
  "\x1b[3",
  "1m",
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[2;6r",
  "\x1b[r",
  "\x1bM",
  "\x1b[L",
  "\x1b[3P",
  "\x1b]2;ti",
  "tle\x07",
  "\x1b[6n",
  "\xe6\xbc",
  "\t",
  "\b",
  "\x1b[!p",
  "\x1b7\x1b[9;9H*\x1b8",
  "\x1b[?25l",
  "\x1b[?25h",
  "a very long line that certainly wraps around the edge of it ",
];

function output(pick: Pick): Uint8Array {
  const text = Array.from({ length: 1 + pick(12) }, () => PIECES[pick(PIECES.length)]).join("");
  // Some pieces are bytes of half a character on purpose.
  return pick(40) === 0 ? Buffer.alloc(700_000, `${text}\r\n`) : Buffer.from(text, pick(3) === 0 ? "latin1" : "utf8");
}

async function step(world: World, pick: Pick): Promise<void> {
  const viewer = world.viewers[pick(world.viewers.length)];
  switch (pick(10)) {
    case 0:
      world.viewers.push(new SimViewer());
      return world.attach(world.viewers.at(-1) ?? new SimViewer());
    case 1:
      if (viewer?.viewer) world.session.display.leave(viewer.viewer);
      if (viewer) viewer.viewer = undefined;
      return;
    case 2:
      if (viewer && !viewer.viewer) await world.attach(viewer);
      return;
    case 3:
      if (viewer?.viewer) viewer.viewer.size = { cols: 20 + pick(40), rows: 5 + pick(20) };
      return world.session.display.viewerChanged();
    case 4:
      if (viewer) viewer.buffered = pick(2) * (2 << 20);
      return;
    case 5:
      if (viewer?.viewer && viewer.cursor !== undefined) viewer.viewer.ack(viewer.cursor - pick(50));
      return world.session.display.viewerChanged();
    case 6:
      if (pick(3) === 0) await world.killDaemon();
      return;
    default:
      return world.say(output(pick));
  }
}

async function check(world: World): Promise<void> {
  await world.settle();
  for (const viewer of world.viewers) viewer.buffered = 0;
  for (const { viewer, shown } of world.viewers) if (viewer && shown !== undefined) viewer.ack(shown);
  world.session.display.viewerChanged();
  for (let i = 0; i < 8; i++) {
    world.clock.pass(50);
    await world.settle();
    for (const { viewer, shown } of world.viewers) if (viewer && shown !== undefined) viewer.ack(shown);
  }
  const files = world.store.files(ID, "daemon");
  const stored = new Uint8Array(files.outputSize());
  files.readOutput(0, stored);
  expect(Buffer.compare(Buffer.from(stored), Buffer.concat(world.said))).toBe(0);
  const seeing = world.session.see({ scrollback: 0 });
  await world.settle();
  const live = await seeing;
  for (const { viewer, engine } of world.viewers) {
    if (!viewer) continue;
    expect(engine.rows()).toEqual(live.rows);
    expect(engine.cursor()).toEqual(live.cursor);
  }
}

async function simulate(seed: number): Promise<void> {
  const pick = generator(seed);
  const world = new World();
  await world.open();
  for (let i = 0; i < STEPS; i++) {
    await step(world, pick);
    if (pick(6) === 0) await check(world);
  }
  await check(world);
  const before = await world.session.see({ scrollback: 50 });
  await world.killDaemon();
  const seeing = world.session.see({ scrollback: 50 });
  await world.settle();
  const { rows, cursor, hash, scrollback, cols, rows_count } = await seeing;
  expect({ rows, cursor, hash, scrollback, cols, rows_count }).toEqual({
    rows: before.rows,
    cursor: before.cursor,
    hash: before.hash,
    scrollback: before.scrollback,
    cols: before.cols,
    rows_count: before.rows_count,
  });
  world.dispose();
}

it(`in ${SEEDS.length} worlds every viewer shows the session, and a rebuilt session is the live one`, async () => {
  for (const seed of SEEDS) await inWorld(seed, () => simulate(seed));
});
