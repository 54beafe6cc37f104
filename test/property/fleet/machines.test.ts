// Two machines of a fleet in one process, with all that speaks for them, over a broker that loses, doubles and delays: what somebody
// types arrives once and in order, and what is lost is told. A daemon that was started again is asked once more, and does it once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { deferred } from "../../../src/core/base/cancellation.ts";
import { Changes } from "../../../src/core/base/changes.ts";
import type { Clock } from "../../../src/core/base/clock.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Bus } from "../../../src/core/fleet/bus.ts";
import { nodeClock } from "../../../src/host/clock.ts";
import { openCard } from "../../../src/host/fleet/card.ts";
import { NOBODY_REVOKED } from "../../../src/host/fleet/certificate.ts";
import type { Member, Membership } from "../../../src/serve/fleet/members/membership.ts";
import { HostSide } from "../../../src/serve/fleet/nats/host-side.ts";
import { HostStreams } from "../../../src/serve/fleet/nats/host-streams.ts";
import { NatsHost } from "../../../src/serve/fleet/nats/nats-host.ts";
import { Log } from "../../../src/serve/log.ts";
import { depth } from "../../fixtures/depth.ts";
import { badBroker } from "../../fixtures/fleet/bad-broker.ts";
import { unfaulted } from "../../fixtures/fleet/fleet.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { inWorld, isFullSample, seeded, seedsFor } from "../../fixtures/seeded.ts";
import { until } from "../../fixtures/soon.ts";

const SEEDS = seedsFor(depth(40, 200, 2_000));
const FASTER = 50;
const PERSON = { role: "person", actor: "person" } as const;
const NEVER = { onCancel: () => undefined };
/** Of this test's processes, whose streams are silent after 200 ms. */
const fast: Clock = {
  ...nodeClock,
  monotonic: () => nodeClock.monotonic() * FASTER,
  after: (ms, run) => nodeClock.after(ms / FASTER, run),
};

let fleet: SmallFleet;
let owner: Membership;
let device: Member;
beforeAll(() => {
  fleet = new SmallFleet("nats://nowhere");
  owner = fleet.membership("box");
  device = fleet.device("phone");
  unfaulted(owner.allow(device.device, { person: "drive" }));
});
afterAll(() => fleet[Symbol.asyncDispose]());

/** The machine with the terminal; `typed`: what arrives at its program. */
async function ownerOn(bus: Bus, typed: string[], done: string[] = [], answers: Promise<void> = Promise.resolve()) {
  const { member } = owner;
  if (!member) throw new Error("it is no member");
  const streams = new HostStreams({
    ...{ bus, host: member.host, membership: owner, clock: fast },
    aim: () => (stream) => stream.onMessage((data) => void typed.push(data.toString())),
  });
  const host = await HostSide.open({
    ...{ bus, member, membership: owner, clock: fast, changes: new Changes(fast), random: () => 0 },
    ...{ log: new Log(() => undefined), note: () => undefined, counts: () => ({ sessions: 1, pending: 0 }) },
    perform: async (op) => {
      done.push(op.name);
      await answers;
      return {};
    },
    attach: (...asked) => streams.attach(...asked),
  });
  return {
    /** As a killed process: without a word. */
    die: () => {
      streams.close();
      host.close();
    },
  };
}

function knownOn(bus: Bus, clock = fast): Promise<NatsHost> {
  return new Promise((resolve) => {
    let known: NatsHost | undefined;
    bus.subscribe("duetty.v1.*.here", ({ data }) => {
      const card = openCard(Buffer.from(data).toString(), {
        ...{ root: device.root, revoked: NOBODY_REVOKED, now: Date.now() },
      });
      if (isFault(card)) return;
      if (known) return known.carded(card);
      known = new NatsHost(card, { bus, member: device, clock, name: "box", address: "" });
      resolve(known);
    });
    bus.subscribe(`duetty.v1.*.out.${device.device}.>`, ({ subject, data }) =>
      known?.heard(subject.split(".").at(-1) ?? "", data),
    );
    bus.publish("duetty.v1.all.who", new Uint8Array());
  });
}

test(`keys over a bad broker, ${SEEDS.length} worlds: none twice, none out of turn, each lost one told`, async () => {
  let lost = 0;
  for (const seed of SEEDS) lost += await inWorld(seed, () => keysLostIn(seed));
  if (isFullSample) expect(lost).toBeGreaterThan(0);
});

/** Types into two streams and returns the number of keys that did not arrive. */
async function keysLostIn(seed: number): Promise<number> {
  const random = seeded(seed);
  const bad = badBroker({ seed, clock: nodeClock });
  const [there, here] = [bad.broker.connect(), bad.broker.connect()];
  const typed: string[] = [];
  const { die } = await ownerOn(there, typed);
  const host = await knownOn(here);
  const rate = () => (random() < 0.5 ? 0 : random() * 0.2);
  const concerns = (subject: string) => /\.(in|out)\./.test(subject);
  bad.behave({ drop: rate(), double: rate(), delay: rate(), delayMsMax: 3, concerns });
  let [sent, told] = [0, 0];
  for (let stream = 0; stream < 2; stream += 1) {
    const far = host.open("s_1", new URLSearchParams(), PERSON);
    const ended = new Promise<void>((resolve) => {
      far.onclose = () => resolve();
    });
    far.onmessage = ({ data }) => {
      told += Number(/^\{"type":"notice","message":"(\d+) keys?/.exec(String(data))?.[1] ?? 0);
    };
    await new Promise<void>((resolve) => {
      far.onopen = resolve;
    });
    for (let n = 0; n < 20 && far.readyState === 1; n += 1) {
      far.send(new Uint8Array(Buffer.from(String.fromCodePoint(0x4e00 + sent).slice(0, 1))));
      sent += 1;
      if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
    }
    far.close();
    await ended;
  }
  const keys = typed.join("");
  const order = [...keys].map((key) => (key.codePointAt(0) ?? 0) - 0x4e00);
  expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
  // Each key has three bytes, and bytes are what is counted.
  expect(told).toBeGreaterThanOrEqual(3 * (sent - order.length));
  await host.close();
  die();
  await Promise.all([there.close(), here.close()]);
  return sent - order.length;
}

test.each(["before", "after"])("a daemon that was started again, its card %s its refusal: done once", async (when) => {
  const bad = badBroker({ seed: 1, clock: nodeClock });
  const [first, here] = [bad.broker.connect(), bad.broker.connect()];
  const done: string[] = [];
  const { die } = await ownerOn(first, [], done);
  const host = await knownOn(here, nodeClock);
  // Its goodbye and its next card do not arrive.
  bad.behave({ drop: 1, concerns: (subject) => subject.endsWith(".here") });
  die();
  await first.close();
  const next = await ownerOn(bad.broker.connect(), [], done);
  // The first refusal is on its way while the card comes, or the card is asked for because of it.
  bad.behave(when === "before" ? { delay: 1, delayMsMax: 100, concerns: (subject) => subject.includes("INBOX") } : {});
  const call = host.call("pty_send", { session_id: "s_1", text: "x" }, PERSON, NEVER);
  if (when === "before") host.hurry();
  expect(await call).toEqual({});
  expect(done).toEqual(["pty_send"]);
  await until(() => host.now.reach === "here", "its card");
  next.die();
  await host.close();
  await here.close();
});

test("a daemon that was started twice in a moment: what is asked of the last one waits for its answer", async () => {
  const { broker } = badBroker({ seed: 1, clock: nodeClock });
  const here = broker.connect();
  /** What happens when a machine had a second to refuse what was asked of the daemon before. */
  const seconds: (() => void)[] = [];
  const after: Clock["after"] = (ms, run) => {
    if (ms !== 1_000) return nodeClock.after(ms, run);
    seconds.push(run);
    return () => undefined;
  };
  const buses = [broker.connect(), broker.connect(), broker.connect()] as const;
  const first = await ownerOn(buses[0], []);
  const host = await knownOn(here, { ...nodeClock, after });
  first.die();
  const second = await ownerOn(buses[1], []);
  await until(() => seconds.length === 1, "the card of the second one");
  second.die();
  const done: string[] = [];
  const answers = deferred();
  const third = await ownerOn(buses[2], [], done, answers.promise);
  await until(() => seconds.length === 2, "the card of the third one");
  const call = host.call("pty_send", { session_id: "s_1", text: "x" }, PERSON, NEVER);
  await until(() => done.length === 1, "its call");
  for (const over of seconds) over();
  answers.resolve();
  expect(await call).toEqual({});
  third.die();
  await host.close();
  await Promise.all([here, ...buses].map((bus) => bus.close()));
});
