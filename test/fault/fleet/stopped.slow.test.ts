// A machine of the fleet whose daemon is stopped or killed: what is told of it, what its callers hear, and how it comes back.
import { afterEach, beforeEach, expect, test } from "vitest";
import { CallError } from "../../../src/client/client.ts";
import { nodeClock } from "../../../src/host/clock.ts";
import { NEVER, PERSON, TestDevice } from "../../fixtures/fleet/device.ts";
import { Follower } from "../../fixtures/fleet/follower.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { BULK_MS, until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";

/** The device's time runs so much faster: a machine is quiet after 30 s of it. */
const FASTER = 20;
const faster = (times: number) => ({
  ...nodeClock,
  monotonic: () => nodeClock.monotonic() * times,
  after: (ms: number, run: () => void) => nodeClock.after(ms / times, run),
});
const fast = faster(FASTER);
/** After this a machine that was not heard counts as gone. */
const LONG_MS = 130_000;

let broker: Awaited<ReturnType<typeof natsServer>>;
let fleet: SmallFleet;
beforeEach(async () => {
  broker = await natsServer();
  fleet = new SmallFleet(broker.url);
});
afterEach(async () => {
  await fleet[Symbol.asyncDispose]();
  await broker[Symbol.asyncDispose]();
});

const told = (call: Promise<unknown>): Promise<Partial<CallError>> =>
  call.then(
    () => ({ code: "answered" }),
    (error: unknown) => (error instanceof CallError ? error : { code: String(error) }),
  );
const codeOf = async (call: Promise<unknown>) => (await told(call)).code;
const hostIn = async (hub: Stand, name: string) => (await hub.person.hosts()).hosts.find(({ host }) => host === name);

test("a device that hears no cards for 30 s of its time: quiet, then gone; what waited is told so", async () => {
  const box = await fleet.add({ name: "box" });
  await using device = await TestDevice.of(fleet.device("phone"), fast);
  const host = await device.host("box");
  const session_id = await box.open(["cat"]);
  const waits = host.call("pty_wait", { session_id, any: [{ text: "never" }], timeout_ms: 600_000 }, PERSON, NEVER);
  const { pid } = (await box.person.status({})).daemon;
  process.kill(pid, "SIGSTOP");
  const types = host.call("pty_send", { session_id, text: "x" }, PERSON, NEVER);
  const runs = host.call("run_command", { command: "true" }, PERSON, NEVER);
  try {
    await until(() => host.now.reach === "quiet", "that it is quiet", BULK_MS);
    // A wait changes nothing, so nothing has to be looked for.
    expect(await waits).toMatchObject({ code: "host.quiet", hint: expect.stringContaining("It changes nothing") });
    const mayBegin = /^It may have been done, or begin within 1?\d s\. Look then, before you repeat it\./;
    expect(await types).toMatchObject({ code: "host.quiet", hint: expect.stringMatching(mayBegin) });
    expect(await runs).toMatchObject({ hint: expect.stringMatching(/before you repeat it\. \{blocks\}$/) });
    expect(await host.call("pty_list", {}, PERSON, NEVER)).toMatchObject({
      code: expect.stringMatching(/quiet|gone/),
      hint: expect.stringMatching(/^Nothing was sent\./),
    });
    await until(() => host.now.reach === "gone", "that it is gone", BULK_MS);
    expect(await host.call("pty_list", {}, PERSON, NEVER)).toMatchObject({ code: "host.gone" });
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("a machine whose daemon was killed is told as gone after a beacon and a half, though nobody asks it anything", async () => {
  const box = await fleet.add({ name: "box" });
  // A beacon and a half is enough to kill a daemon.
  await using device = await TestDevice.of(fleet.device("phone"), faster(3));
  const { daemon, holder } = await box.person.status({});
  const host = await device.host("box");
  process.kill(holder.pid, "SIGSTOP");
  try {
    await box.duetty.killDaemon(daemon.pid);
    await until(() => host.now.reach !== "here", "that it is not here", BULK_MS);
    expect(host.now).toMatchObject({ reach: "gone", why: "nobody answers for it" });
  } finally {
    process.kill(holder.pid, "SIGCONT");
  }
});

test("while the broker is away no machine is blamed for it, however long it takes", async () => {
  await fleet.add({ name: "box" });
  await using device = await TestDevice.of(fleet.device("phone"), fast);
  const host = await device.host("box");
  await broker.kill();
  await until(() => host.now.why?.startsWith("the broker") === true, "that it is quiet", BULK_MS);
  await new Promise<void>((resolve) => void fast.after(LONG_MS, resolve));
  expect(host.now).toMatchObject({ reach: "quiet", why: expect.stringMatching(/^the broker is away: /) });
  expect(await host.call("pty_list", {}, PERSON, NEVER)).toMatchObject({
    message: expect.stringMatching(/^box is not here: the broker is away/),
  });
  await broker.start();
  await until(() => host.now.reach === "here", "that it is here again");
});

test("a machine whose daemon was stopped stays gone, and why is still told later", async () => {
  const box = await fleet.add({ name: "box" });
  await using device = await TestDevice.of(fleet.device("phone"), fast);
  const host = await device.host("box");
  await box.duetty.cli("shutdown");
  await until(() => host.now.why === "its daemon was stopped", "that it is gone", BULK_MS);
  await new Promise<void>((resolve) => void fast.after(LONG_MS, resolve));
  expect(host.now).toMatchObject({ reach: "gone", why: "its daemon was stopped" });
});

test("a machine whose daemon is gone: calls fail at once, others go on, and all comes back by itself", async () => {
  const hub = await fleet.add({ name: "laptop" });
  const box = await fleet.add({ name: "box" });
  const other = await fleet.add({ name: "other" });
  await fleet.complete(hub, "box", "other");
  const session_id = await box.open(["sh", "-c", "stty raw -echo; printf ready; exec cat"]);
  const there = await other.open(["cat"]);
  await using typist = new Follower(hub.duetty, `box/${session_id}`, { cursor: 0 });
  await until(() => typist.shownBytes === "ready".length, "its first words");
  const listed = async () => (await hub.person.pty_list({ hosts: "all" })).sessions.map((one) => one.session_id);
  await until(async () => (await listed()).includes(`other/${there}`), "what was opened last");
  const { daemon, holder } = await box.person.status({});
  // It starts no other daemon for now.
  process.kill(holder.pid, "SIGSTOP");
  await box.duetty.killDaemon(daemon.pid);
  const began = performance.now();
  const first = await told(hub.person.pty_screen_status({ session_id: `box/${session_id}` }));
  expect(first).toMatchObject({ code: "host.gone", hint: expect.stringMatching(/^Nothing was (?:done|sent)\./) });
  expect(first.message).toMatch(/^box(?:: its daemon is not connected to the broker$| is not here)/);
  // The first may wait for the broker's own word; from then on it is known.
  const next = performance.now();
  expect(await codeOf(hub.person.pty_screen_status({ session_id: `box/${session_id}` }))).toBe("host.gone");
  console.info(`told after ${Math.round(next - began)} and ${Math.round(performance.now() - next)} ms`);
  expect(await hostIn(hub, "box")).toMatchObject({ reach: "gone" });
  const { sessions, missing } = await hub.person.pty_list({ hosts: "all" });
  expect([missing, sessions.map((one) => one.session_id).sort()]).toEqual([
    ["box"],
    [`box/${session_id}`, `other/${there}`].sort(),
  ]);
  expect((await hub.person.pty_screen_status({ session_id: `other/${there}` })).session_id).toBe(`other/${there}`);
  await until(() => !typist.type("x"), "that nothing is typed into a machine that is away");
  process.kill(holder.pid, "SIGCONT");
  await fleet.complete(hub, "box");
  const opened = (await hub.person.pty_open({ host: "box", command: ["cat"] })).session_id;
  await until(async () => (await listed()).includes(opened), "fresh lists");
  await until(() => typist.type("typed later"), "the terminal's way back");
  await until(() => typist.bytes.toString() === "readytyped later", "its echo");
});
