// The broker of a fleet, the daemon of another machine and the hub's own are killed again and again during a flood, while a person
// types. What is shown is the journal's, each key arrives once and in order, and it goes on by itself.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { Follower } from "../../fixtures/fleet/follower.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { BULK_MS, until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

/** Each costs two seconds. `npm run test:long` has them all. */
const KILLS = depth(4, 4, 20);
/** The broker's connections come back within 2 s (host/bus/nats.ts); then cards, an attach and a page's next try. */
const BACK_MS = 6_000;
/** A daemon that is started again by its holder, which waits longer each time, and reads its sessions first. */
const DAEMON_BACK_MS = 15_000;
/** 100 KB a second, so that a viewer that keeps up needs no picture. */
const FLOOD = "i=0; while :; do seq $i $((i + 700)); i=$((i + 701)); sleep 0.05; done";
/** Prints each key once. With echo or lines, the kernel would mix what is typed with what is printed. */
const COPIES = "stty raw -echo; printf ready; exec cat";
const KEY_MS = 20;

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let broker: Awaited<ReturnType<typeof natsServer>>;
let fleet: SmallFleet;
let hub: Stand;
let box: Stand;
beforeEach(async () => {
  broker = await natsServer();
  fleet = new SmallFleet(broker.url);
  hub = await fleet.add({ name: "laptop" });
  box = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
});
afterEach(async () => {
  await fleet[Symbol.asyncDispose]();
  await broker[Symbol.asyncDispose]();
});

/** Kills something during a flood and while somebody types, `times` over; gives how long it took to go on, in milliseconds. */
async function killed(times: number, kill: () => Promise<void>): Promise<readonly number[]> {
  const flood = await box.open(["sh", "-c", FLOOD]);
  const copies = await box.open(["sh", "-c", COPIES]);
  await box.person.pty_wait({ session_id: copies, any: [{ text: "ready" }], since: 0 });
  await using follower = new Follower(hub.duetty, `box/${flood}`, { cursor: 0 });
  await using typist = new Follower(hub.duetty, `box/${copies}`, { cursor: 0 });
  const typed: string[] = [];
  const typing = setInterval(() => {
    const word = `${typed.length} `;
    if (typist.type(word)) typed.push(word);
  }, KEY_MS);
  const silences: number[] = [];
  const arrivedNow = () => box.duetty.raw(copies).toString().split(" ").length;
  try {
    await until(() => arrivedNow() > 10, "the first keys");
    for (let n = 0; n < times; n += 1) {
      const [before, greetings] = [follower.shownBytes, follower.greetings];
      await until(() => follower.shownBytes > before + 50_000, "more of the flood");
      await kill();
      const began = performance.now();
      const known = follower.cursor ?? 0;
      await until(() => follower.greetings > greetings && (follower.cursor ?? 0) > known, "that it goes on", BULK_MS);
      silences.push(performance.now() - began);
    }
  } finally {
    clearInterval(typing);
  }
  await box.person.pty_close({ session_id: flood });
  const journal = box.duetty.raw(flood);
  await until(() => follower.cursor === journal.length, `the last of ${journal.length} bytes`, BULK_MS);
  expect(follower.faults(journal, 0)).toEqual([]);
  if (follower.repaints.length === 0) expect(sha(follower.bytes)).toBe(sha(journal));
  await typist.settled();
  await box.person.pty_send({ session_id: copies, text: "end" });
  await until(() => box.duetty.raw(copies).toString().endsWith("end"), "the last of what was typed");
  const arrived = box.duetty.raw(copies).toString().slice("ready".length, -"end".length);
  const there = new Set(arrived.split(" ").map((word) => `${word} `));
  // None twice and none out of turn; those that are missing were told.
  expect(arrived).toBe(typed.filter((word) => there.has(word)).join(""));
  expect(typist.lostKeys).toBeGreaterThanOrEqual(typed.join("").length - arrived.length);
  return silences;
}

async function killDaemon({ duetty, person }: Stand): Promise<void> {
  await duetty.killDaemon((await person.status({})).daemon.pid);
}

test(`${KILLS} times kill -9 of the broker`, async () => {
  const silences = await killed(KILLS, async () => {
    await broker.kill();
    await broker.start();
  });
  for (const ms of silences) expect(ms).toBeLessThan(BACK_MS);
}, 600_000);

test("kill -9 of the broker, which stays away for a while", async () => {
  const silences = await killed(depth(1, 1, 5), async () => {
    await broker.kill();
    await until(
      async () => (await hub.person.hosts()).hosts[0]?.reach === "quiet",
      "that it is told as quiet",
      BULK_MS,
    );
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await broker.start();
  });
  for (const ms of silences) expect(ms).toBeLessThan(BACK_MS);
}, 600_000);

test("kill -9 of the other machine's daemon", async () => {
  const silences = await killed(depth(2, 2, 10), () => killDaemon(box));
  for (const ms of silences) expect(ms).toBeLessThan(DAEMON_BACK_MS);
}, 600_000);

test("kill -9 of the hub's own daemon", async () => {
  const silences = await killed(depth(2, 2, 10), () => killDaemon(hub));
  for (const ms of silences) expect(ms).toBeLessThan(DAEMON_BACK_MS);
}, 600_000);
