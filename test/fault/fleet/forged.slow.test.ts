// Somebody with a login at the broker and no keys of the fleet: what they heard does nothing when they say it again, before and after
// a restart, and what they make up is believed by nobody.
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeCard } from "../../../src/host/fleet/card.ts";
import { makeIdentity } from "../../../src/host/fleet/keys.ts";
import { codeIn, Eavesdropper, NEVER, PERSON, TestDevice } from "../../fixtures/fleet/device.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

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

test("a recorded session, said again by another connection, does nothing; nor after a restart", async () => {
  const hub = await fleet.add({ name: "laptop" });
  const box = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  await using nobody = await Eavesdropper.of(broker.url);
  const session_id = await box.open(["sh", "-c", "stty raw -echo; printf ready; exec cat"]);
  const viewer = TestViewer.open(hub.duetty, encodeURIComponent(`box/${session_id}`));
  await viewer.until(({ repaint, bytes }) => repaint !== undefined || bytes.includes("ready"));
  viewer.type("typed once");
  await viewer.until(({ bytes }) => bytes.includes("typed once"));
  await hub.person.pty_send({ session_id: `box/${session_id}`, text: "sent once" });
  await viewer.until(({ bytes }) => bytes.includes("sent once"));
  const toBox = ({ subject }: { readonly subject: string }) => subject.includes("h_00000002");
  const [asked, typed] = [nobody.of("op").filter(toBox), nobody.of("in")];
  expect(Math.min(asked.length, typed.length)).toBeGreaterThan(0);
  const before = box.duetty.raw(session_id).toString();
  const { pid } = (await box.person.status({})).daemon;
  for (const frame of [...typed, ...nobody.of("out")]) await nobody.again(frame);
  for (const request of asked) expect(["fleet.replayed", "fleet.late"]).toContain(codeIn(await nobody.again(request)));
  // Its stream may end by what was said again, and nothing worse: a page attaches anew.
  expect(await hub.person.pty_screen_status({ session_id: `box/${session_id}` })).toMatchObject({ state: "running" });
  expect(box.duetty.raw(session_id).toString()).toBe(before);
  nobody.bus.publish("duetty.v1.all.who", new Uint8Array());
  await until(() => nobody.of("here").some(toBox), "its card");
  const [old] = nobody.of("here").filter(toBox);
  await box.duetty.killDaemon(pid);
  const other = () =>
    box.person.status({}).then(
      ({ daemon }) => daemon.pid,
      () => pid,
    );
  await until(async () => (await other()) !== pid, "another daemon");
  await fleet.complete(hub, "box");
  await until(async () => codeIn(await nobody.again(asked[0] ?? expect.fail("nothing"))) === "fleet.restarted", "it");
  for (const request of asked) expect(codeIn(await nobody.again(request))).toBe("fleet.restarted");
  for (const frame of typed) await nobody.again(frame);
  expect(box.duetty.raw(session_id).toString()).toBe(before);
  // The card of the daemon before, while the machine is gone: it brings back nothing.
  nobody.deafen();
  const { daemon, holder } = await box.person.status({});
  process.kill(holder.pid, "SIGSTOP");
  await box.duetty.killDaemon(daemon.pid);
  const call = () => hub.person.pty_screen_status({ session_id: `box/${session_id}` }).catch((error: unknown) => error);
  expect(await call()).toMatchObject({ code: "host.gone" });
  await nobody.again(old ?? expect.fail("no card was heard"));
  await nobody.again({ subject: "duetty.v1.h_00000002.here", data: Buffer.from("rubbish") });
  await hub.person.hosts();
  expect((await hub.person.hosts()).hosts.find(({ host }) => host === "box")).toMatchObject({ reach: "gone" });
  process.kill(holder.pid, "SIGCONT");
  await fleet.complete(hub, "box");
  expect(await call()).toMatchObject({ state: "running" });
});

test("a forged card makes no machine, and a device of another root is heard by nobody", async () => {
  const hub = await fleet.add({ name: "laptop" });
  await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  await using nobody = await Eavesdropper.of(broker.url);
  await using strangers = new SmallFleet(broker.url);
  const stranger = strangers.device("stranger");
  const member = { ...stranger, root: fleet.root.publicKey };
  await using device = await TestDevice.of(member);
  const host = await device.host("box");
  expect(await host.call("pty_list", {}, PERSON, NEVER)).toMatchObject({ code: "fleet.forged" });
  const own = makeIdentity();
  const said = { name: "box", epoch: "x".repeat(22), version: "0.1.0", protocol: 1, sessions: 0, pending: 0, seq: 1 };
  for (const cert of [stranger.certs.host, stranger.certs.person]) {
    const key = Buffer.alloc(32).toString("base64url");
    const text = writeCard(own, { ...said, host: "h_00000009", seal_key: key, now: Date.now(), cert });
    await nobody.again({ subject: "duetty.v1.h_00000009.here", data: Buffer.from(text) });
  }
  await fleet.complete(hub, "box");
  expect((await hub.person.hosts()).hosts.map(({ host: name }) => name)).toEqual(["box"]);
});
