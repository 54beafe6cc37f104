// A wall clock that is set forward or back by a day, or stands still, while something goes on: how long things took, when waits end
// and the order of what happened do not depend on it.
import { expect, it } from "vitest";
import { Blocks } from "../../src/core/block/blocks.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";
import { MemoryStore } from "../fixtures/fakes/memory-store.ts";
import { ID, World } from "./world.ts";

const DAY_MS = 86_400_000;
const NONCE = "k3v9x2aqk3v9x2aq";
/** Clearly longer than what is heard late. */
const TOOK_MS = 20_000;
const KEY = `duetty=${NONCE}:1`;

/** As if the clock stood still: what passes is taken back. */
const CHANGES = [
  { name: "a day forward", ms: DAY_MS },
  { name: "a day back", ms: -DAY_MS },
  { name: "as if it stood still", ms: -TOOK_MS },
];

it.each(CHANGES)("a command during which the clock is set $name took as long as it took", ({ ms }) => {
  const [clock, store] = [new FakeClock(), new MemoryStore()];
  const [holder, files] = [store.files(ID, "holder"), store.files(ID, "daemon")];
  const nobody = { began: () => undefined, ended: () => undefined, prompted: () => undefined };
  const blocks = new Blocks(
    {
      session_id: ID,
      own: { nonce: NONCE, shell: "bash" },
      nested: [],
      files,
      clock,
      created_at: 0,
      beginning: (_, __, cmd) => ({ actor: "person", cmd }),
    },
    { ...nobody, answered: () => undefined, hello: () => undefined, typedAhead: () => undefined },
  );
  const say = (text: string) => {
    const at = files.outputSize();
    holder.appendOutput(Buffer.from(text));
    blocks.scan(Buffer.from(text), at);
  };
  const time = () => `t=${clock.now() / 1_000}`;
  say(`\x1b]133;A;${KEY}\x07$ \x1b]133;B;${KEY}\x07make\r\n\x1b]633;E;make;${KEY}\x07\x1b]133;C;${KEY};${time()}\x07`);
  clock.pass(TOOK_MS);
  clock.set(ms);
  say(`\x1b]133;D;0;${KEY};${time()}\x07`);
  expect(blocks.last).toMatchObject({ cmd: "make", duration_ms: TOOK_MS, exit_code: 0 });
});

it.each(CHANGES)(
  "waits end when they should though the clock is set $name, and output stays in order",
  async ({ ms }) => {
    const world = new World();
    await world.open();
    const since = 0;
    let [settled, late]: (string | undefined)[] = [];
    const ending = (result: object) => ("outcome" in result ? String(result.outcome) : "refused");
    void world.session.wait({ any: [{ settled_ms: 500 }], timeout_ms: 60_000, since }).then((result) => {
      settled = ending(result);
    });
    void world.session.wait({ any: [{ text: "never" }], timeout_ms: 5_000, since }).then((result) => {
      late = ending(result);
    });
    await world.settle();
    world.say(Buffer.from("one\r\n"));
    await world.settle();
    world.clock.set(ms);
    world.clock.pass(400);
    world.say(Buffer.from("two\r\n"));
    await world.settle();
    world.clock.pass(490);
    await world.settle();
    expect([settled, late]).toEqual([undefined, undefined]);
    world.clock.pass(20);
    await world.settle();
    expect([settled, late]).toEqual(["matched", undefined]);
    world.clock.pass(4_200);
    await world.settle();
    expect(late).toBe("deadline");
    const records = world.store.files(ID, "daemon").readLines("records") as { cursor: number }[];
    expect(records.map(({ cursor }) => cursor)).toEqual(records.map(({ cursor }) => cursor).sort((a, b) => a - b));
    world.dispose();
  },
);
