// Sequences of a person's typing, an agent's lines, answers, take-overs, switches of sessions and daemon deaths, on one page:
// every key that a person types arrives once, in order, and where they meant it. SEED=7 tries others.
import { beforeAll, expect, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { seeded } from "../fixtures/seeded.ts";
import { until } from "../fixtures/soon.ts";

const SEED = Number(process.env.SEED ?? 20_261);
const SEQUENCES = depth(3, 12, 200);
const SESSIONS = 4;
/** Before these sequences the daemon is killed, twice. */
const DEATHS = [10, 90, 150];
/** All of them on a busy machine. */
const ALL_MS = 1_800_000;

interface Room {
  readonly id: string;
  /** What the person entered there, in order. */
  readonly entered: string[];
  /** What they typed into programs there: the command, and what it must print. */
  readonly answers: { readonly cmd: string; readonly prints: string }[];
}

const { duetty, person, helper, tab: newTab, openBash } = sharedPages({ complaints: "expected" });
const rooms: Room[] = [];
const asked: Promise<unknown>[] = [];
const draw = seeded(SEED);
const random = (below: number) => Math.floor(draw() * below);
let tab: Tab;
let names = 0;

beforeAll(async () => {
  for (let i = 0; i < SESSIONS; i += 1) rooms.push({ id: await openBash(), entered: [], answers: [] });
  tab = await newTab();
});

test(
  `${SEQUENCES} interleavings of a person and an agent lose, double and misplace no key, seed ${SEED}`,
  async () => {
    let at: Room | undefined;
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
      const room = at && random(3) > 0 ? at : (rooms[random(SESSIONS)] as Room);
      if (room !== at) {
        // A person waits for the prompt, too, before they look elsewhere.
        if (at) await isWhole(at);
        await tab.show(room.id);
      }
      at = room;
      if (DEATHS.includes(sequence)) await dies(room);
      for (let steps = 1 + random(3); steps > 0; steps -= 1) await pick(STEPS)(room);
    }
    if (at) await isWhole(at);
    for (const room of rooms) {
      await tab.show(room.id);
      await person.release({ session_id: room.id });
      while ((await questions(room)).length > 0) await answer(room, "deny");
      await isWhole(room);
      expect(await tab.prompt.inputValue()).toBe("");
    }
    await Promise.all(asked);
    for (const room of rooms) await isWhole(room);
  },
  ALL_MS,
);

type Step = (room: Room) => unknown;

const STEPS: readonly Step[] = [
  (room) => enter(room, `: mine-${nextName()}`),
  (room) => enter(room, `sleep 0.0${random(9)}; : mine-${nextName()}`),
  (room) => enterInHalves(room, `: mine-${nextName()} in two halves`, () => pick(OTHERS)(room)),
  (room) => enterWithAnswer(room, `${nextName()}`),
  (room) => pick(OTHERS)(room),
];

/** What somebody else does, or the person beside their typing. */
const OTHERS: readonly Step[] = [
  (room) => asks(room, `: theirs-${nextName()}`),
  (room) => asks(room, `rm -f theirs-${nextName()}`),
  (room) => answer(room, "approve"),
  (room) => answer(room, "deny"),
  ({ id }) => person.take({ session_id: id }),
  ({ id }) => person.release({ session_id: id }),
];

function pick(steps: readonly Step[]): Step {
  return steps[random(steps.length)] as Step;
}

function nextName(): number {
  names += 1;
  return names;
}

const type = (text: string) => tab.page.keyboard.type(text);

async function enter(room: Room, line: string): Promise<void> {
  room.entered.push(line);
  await type(`${line}\n`);
}

async function enterInHalves(room: Room, line: string, between: () => unknown): Promise<void> {
  const at = 1 + random(line.length - 1);
  room.entered.push(line);
  await type(line.slice(0, at));
  await between();
  await type(`${line.slice(at)}\n`);
}

async function enterWithAnswer(room: Room, name: string, between: () => unknown = () => undefined): Promise<void> {
  const cmd = `read -r v; echo "<$v>" mine-${name}`;
  room.answers.push({ cmd, prints: `<word ${name}> mine-${name}` });
  await enter(room, cmd);
  await between();
  await type(`word ${name}\n`);
}

function asks({ id }: Room, command: string): void {
  // Whatever comes of it: it may be denied, or its daemon dies.
  asked.push(helper.run_command({ session_id: id, command, timeout_ms: 3_000 }).catch(() => undefined));
}

async function questions({ id }: Room) {
  return (await person.approvals({ session_id: id })).approvals;
}

async function answer(room: Room, how: "approve" | "deny"): Promise<void> {
  const [first] = await questions(room);
  // It may have been settled meanwhile.
  if (first) await person[how]({ approval_id: first.approval_id }).catch(() => undefined);
}

/** All that was entered ran, once and in order, and programs got what was typed to them. */
async function isWhole(room: Room): Promise<void> {
  const all = async () => (await person.blocks({ session_id: room.id, limit: 1_000 })).blocks;
  const mine = async () => (await all()).filter(({ actor, state }) => actor === "person" && state !== "running");
  await until(async () => (await mine()).length >= room.entered.length, "all lines").catch(() => undefined);
  const blocks = await all();
  expect((await mine()).map(({ cmd }) => cmd)).toEqual(room.entered);
  expect(blocks.filter(({ cmd, actor }) => actor !== "person" && !cmd?.includes("theirs-"))).toEqual([]);
  for (const { cmd, prints } of room.answers.splice(0)) {
    const { block_id = "" } = blocks.find((one) => one.cmd === cmd) ?? {};
    expect((await person.block({ block_id })).content).toContain(prints);
  }
}

/** The daemon is killed in the middle of a line, and in the middle of a line for a program. */
async function dies(room: Room): Promise<void> {
  await isWhole(room);
  await enterInHalves(room, `: mine-${nextName()} over a death`, () => duetty.killDaemon());
  const back = () => tab.page.getByText("Reconnecting…").waitFor({ state: "detached" });
  await until(async () => (await person.status({}).catch(() => undefined)) !== undefined, "another daemon");
  await back();
  await isWhole(room);
  await enterWithAnswer(room, `${nextName()}`, async () => {
    await tab.focused("terminal");
    await duetty.killDaemon();
  });
  await until(async () => (await person.status({}).catch(() => undefined)) !== undefined, "another daemon");
  await back();
  await isWhole(room);
}
