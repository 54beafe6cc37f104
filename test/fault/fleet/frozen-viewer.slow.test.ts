// A page that reads nothing, beside one that reads all: the other machine is held back, and neither the broker nor the hub fills up.
import fs from "node:fs";
import { expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { Follower } from "../../fixtures/fleet/follower.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const MIB = 1 << 20;
const FROZEN_MS = depth(4_000, 4_000, 60_000);
/** Of what the broker has at rest, and of a viewer's window for each connection. */
const BROKER_BYTES_MAX = 64 * MIB;
/** One viewer may owe a window; the rest is what a busy program has between two collections. */
const HUB_GROWTH_MAX = 64 * MIB;
const FLOOD = "i=0; while :; do seq $i $((i + 20000)); i=$((i + 20001)); sleep 0.02; done";

const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

test.each([
  ["bytes", undefined],
  ["drawn rows", "composed"],
])("a frozen viewer of %s holds back the other machine, not the fast one", async (_, view) => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const hub = await fleet.add({ name: "laptop" });
  const box = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  const flood = await box.open(["sh", "-c", FLOOD]);
  await using fast = new Follower(hub.duetty, `box/${flood}`);
  await until(() => fast.shownBytes > MIB, "the flood");
  const { pid } = (await hub.person.status({})).daemon;
  const before = residentBytes(pid);
  const frozen = TestViewer.open(hub.duetty, encodeURIComponent(`box/${flood}`), view === undefined ? {} : { view });
  await frozen.hello();
  frozen.socket.pause();
  const [printed, shown, since] = [box.duetty.raw(flood).length, fast.cursor ?? 0, performance.now()];
  let silentMs = 0;
  await until(() => {
    silentMs = Math.max(silentMs, fast.silentMs);
    const more = box.duetty.raw(flood).length - printed;
    return performance.now() - since > FROZEN_MS && more > 4 * MIB && (fast.cursor ?? 0) - shown > MIB;
  }, "some time");
  expect(silentMs).toBeLessThan((performance.now() - since) / 2);
  expect(await broker.slowConsumers()).toBe(0);
  expect(await broker.memoryBytes()).toBeLessThan(BROKER_BYTES_MAX);
  expect(residentBytes(pid) - before).toBeLessThan(HUB_GROWTH_MAX);
  expect((await box.person.pty_screen_status({ session_id: flood })).state).toBe("running");
  await box.person.pty_close({ session_id: flood });
  const journal = box.duetty.raw(flood);
  await until(() => fast.cursor === journal.length, "its last byte");
  expect(fast.faults(journal, fast.repaints[0] ?? 0)).toEqual([]);
  // It sees the end once it reads again.
  frozen.socket.resume();
  await until(() => frozen.messages.some(({ type }) => type === "exit"), "that it hears of the end");
});
