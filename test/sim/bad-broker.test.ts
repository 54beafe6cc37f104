// The broker that tests of streams stand on is as bad as it is told to be, the same for the same seed, and good on demand.
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";
import { badBroker } from "../fixtures/fleet/bad-broker.ts";

const COUNT = 400;

function turns(clock: FakeClock): void {
  while (clock.turn());
}

/** The numbers that arrived, of 0 to COUNT - 1, one sent each millisecond. */
function run(seed: number, badness: object): { readonly got: number[]; readonly done: object } {
  const clock = new FakeClock();
  const { broker, done } = badBroker({ seed, clock, ...badness });
  const [from, to] = [broker.connect(), broker.connect()];
  const got: number[] = [];
  to.subscribe("n", ({ data }) => void got.push(new DataView(data.buffer).getUint32(0)));
  turns(clock);
  for (let n = 0; n < COUNT; n += 1) {
    const data = new Uint8Array(4);
    new DataView(data.buffer).setUint32(0, n);
    from.publish("n", data);
    turns(clock);
    clock.pass(1);
    turns(clock);
  }
  clock.pass(1_000);
  turns(clock);
  return { got, done };
}

const inOrder = Array.from({ length: COUNT }, (_, n) => n);
const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);

test("it drops, doubles, delays and reorders; nothing else happens to a message", () => {
  expect(run(1, {}).got).toEqual(inOrder);
  const dropped = run(1, { drop: 0.2 });
  expect(dropped.got).toEqual(inOrder.filter((n) => dropped.got.includes(n)));
  expect(dropped.done).toMatchObject({ dropped: COUNT - dropped.got.length, doubled: 0, delayed: 0 });
  expect(dropped.got.length).toBeLessThan(COUNT * 0.9);
  const doubled = run(1, { double: 0.2 });
  expect([...new Set(doubled.got)]).toEqual(inOrder);
  expect(doubled.got.length).toBeGreaterThan(COUNT * 1.1);
  const delayed = run(1, { delay: 0.2, delayMsMax: 20 });
  expect(delayed.got).not.toEqual(inOrder);
  expect(sorted(delayed.got)).toEqual(inOrder);
});

test("the same seed does the same, another one something else", () => {
  const badness = { drop: 0.1, double: 0.1, delay: 0.3 };
  expect(run(7, badness)).toEqual(run(7, badness));
  expect(run(7, badness).got).not.toEqual(run(8, badness).got);
});

test("answers are lost, too, unless only some subjects are concerned; a cut loses what is on its way", async () => {
  const clock = new FakeClock();
  const { broker, behave, done } = badBroker({ seed: 1, clock, drop: 1, concerns: (subject) => subject !== "op" });
  const [device, host] = [broker.connect(), broker.connect()];
  let asked = 0;
  host.subscribe("op", ({ reply }) => {
    asked += 1;
    reply?.(new Uint8Array());
  });
  turns(clock);
  const ask = async () => {
    const answer = device.request("op", new Uint8Array(), { timeoutMs: 1_000 });
    turns(clock);
    clock.pass(1_000);
    const got = await answer;
    return isFault(got) ? got.code : "answered";
  };
  expect([await ask(), asked, done.dropped]).toEqual(["host.quiet", 1, 1]);
  behave({});
  expect([await ask(), asked]).toEqual(["answered", 2]);
  behave({ delay: 1, delayMsMax: 10 });
  host.publish("x", new Uint8Array());
  const request = device.request("op", new Uint8Array(), { timeoutMs: 1_000 });
  turns(clock);
  host.cut();
  host.restore();
  clock.pass(1_000);
  expect([isFault(await request), asked]).toEqual([true, 2]);
  behave({});
  turns(clock);
  expect([await ask(), asked]).toEqual(["answered", 3]);
});
