// A device that is put out of the fleet, or may do less here than before: what it has open ends, and it is refused. The broker's own
// configuration stays as it is.
import { expect, test } from "vitest";
import { openCertificate, revoke } from "../../../src/host/fleet/certificate.ts";
import { NEVER, PERSON, TestDevice } from "../../fixtures/fleet/device.ts";
import { unfaulted } from "../../fixtures/fleet/fleet.ts";
import { SmallFleet } from "../../fixtures/fleet/members.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { until } from "../../fixtures/soon.ts";

/** A certificate counts no more so soon after the list came. */
const ENDS_MS = 2_000;

interface Opened {
  readonly heard: unknown[];
  closed: boolean;
}

function opened(host: Awaited<ReturnType<TestDevice["host"]>>, session_id: string): Opened {
  const far = host.open(session_id, new URLSearchParams(), PERSON);
  const seen: Opened = { heard: [], closed: false };
  far.onmessage = ({ data }) => seen.heard.push(data);
  far.onclose = () => {
    seen.closed = true;
  };
  return seen;
}

test("a revoked device: its terminals and calls end, it is refused, and machines that were away hear of it", async () => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const hub = await fleet.add({ name: "laptop" });
  const box = await fleet.add({ name: "box" });
  const away = await fleet.add({ name: "away" });
  await fleet.complete(hub, "box", "away");
  const stolen = fleet.device("stolen");
  await using thief = await TestDevice.of(stolen);
  const session_id = await box.open(["cat"]);
  const there = await away.open(["cat"]);
  const host = await thief.host("box");
  const terminal = opened(host, session_id);
  await until(() => terminal.heard.length > 0, "its terminal");
  const waits = host.call("pty_wait", { session_id, any: [{ text: "never" }], timeout_ms: 60_000 }, PERSON, NEVER);
  const { daemon, holder } = await away.person.status({});
  process.kill(holder.pid, "SIGSTOP");
  await away.duetty.killDaemon(daemon.pid);
  const claims = Object.values(stolen.certs).map((text) => openCertificate(text, fleet.root.publicKey));
  const known = claims.flatMap((one) => (one ? [one] : []));
  const list = unfaulted(revoke(fleet.root, hub.membership.revoked(), known, Date.now()));
  // As the machine with the root's key hands it on.
  unfaulted(hub.membership.takeRevoked(list.text));
  await until(() => terminal.closed, "the end of the terminal");
  const began = performance.now();
  await until(() => box.membership.revoked().number === 1, "the list on the other machine");
  expect(performance.now() - began).toBeLessThan(ENDS_MS);
  expect(await waits).toMatchObject({ code: "fleet.revoked" });
  expect(await host.call("pty_list", {}, PERSON, NEVER)).toMatchObject({ code: "fleet.revoked" });
  const again = opened(host, session_id);
  await until(() => again.closed, "that it is refused");
  expect(JSON.stringify(again.heard)).toContain("revoked");
  process.kill(holder.pid, "SIGCONT");
  await fleet.complete(hub, "away");
  await until(() => away.membership.revoked().number === 1, "the list where it was away");
  const late = await thief.host("away");
  await until(() => late.now.reach === "here", "its card");
  expect(await late.call("pty_send", { session_id: there, text: "x\n" }, PERSON, NEVER)).toMatchObject({
    code: "fleet.revoked",
  });
  expect((await hub.person.pty_screen_status({ session_id: `box/${session_id}` })).session_id).toBe(
    `box/${session_id}`,
  );
});

test("a device that may only look from now on types no more into what it has open", async () => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const box = await fleet.add({ name: "box" });
  const phone = fleet.device("phone");
  await using device = await TestDevice.of(phone);
  const session_id = await box.open(["sh", "-c", "stty raw -echo; exec cat"]);
  const host = await device.host("box");
  const terminal = opened(host, session_id);
  await until(() => terminal.heard.length > 0, "its terminal");
  unfaulted(box.membership.allow(phone.device, { person: "watch" }));
  await until(() => terminal.closed, "the end of the terminal");
  const far = host.open(session_id, new URLSearchParams(), PERSON);
  const heard: unknown[] = [];
  far.onmessage = ({ data }) => heard.push(data);
  await until(() => heard.length > 0, "it is shown");
  far.send(new Uint8Array(Buffer.from("typed by nobody")));
  await box.person.pty_send({ session_id, text: "seen" });
  await until(() => box.duetty.raw(session_id).includes("seen"), "what is typed there");
  expect(box.duetty.raw(session_id).toString()).toBe("seen");
  unfaulted(box.membership.allow(phone.device, { person: "none" }));
  await until(() => far.readyState === 3, "the end of looking");
  expect(await host.call("pty_list", {}, PERSON, NEVER)).toMatchObject({ code: "fleet.not_allowed" });
});

test("a machine that lets this one in no more is refused, with the reason, and shows nothing; let in again it is here", async () => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const hub = await fleet.add({ name: "laptop" });
  const box = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  const session_id = `box/${await box.open(["cat"])}`;
  const listed = async () => (await hub.person.pty_list({ hosts: "all" })).sessions.map((one) => one.session_id);
  const boxNow = async () => (await hub.person.hosts()).hosts[0];
  await until(async () => (await listed()).includes(session_id), "its list");
  const { device } = hub.membership.member ?? { device: "d_00000000" };
  unfaulted(box.membership.allow(device, { person: "none", agent: "none" }));
  await until(async () => (await boxNow())?.reach === "refused", "that it is told as refused");
  expect(await boxNow()).toMatchObject({ why: "it does not let this machine in", sessions: null, told_at: null });
  expect(await hub.person.pty_list({ hosts: "all" })).toMatchObject({ sessions: [], missing: ["box"] });
  unfaulted(box.membership.allow(device, { person: "watch" }));
  await until(async () => (await boxNow())?.reach === "here", "that it is here again");
  await until(async () => (await listed()).includes(session_id), "its list again");
});

test("a machine that was invited again under its name has that name as soon as the earlier one is put out", async () => {
  await using broker = await natsServer();
  await using fleet = new SmallFleet(broker.url);
  const hub = await fleet.add({ name: "laptop" });
  const earlier = await fleet.add({ name: "box" });
  await fleet.complete(hub, "box");
  await earlier.duetty.cli("shutdown");
  await fleet.add({ name: "box" });
  const listed = async () =>
    (await hub.person.hosts()).hosts.map(({ host, address, reach }) => [host, address.split(" ")[1], reach]);
  await until(async () => (await listed()).length === 2, "both");
  const [, later] = await listed();
  expect(later).toEqual([later?.[1], later?.[1], "here"]);
  const certs = Object.values(earlier.membership.member?.certs ?? {});
  const known = certs.flatMap((text) => openCertificate(text, fleet.root.publicKey) ?? []);
  const list = unfaulted(revoke(fleet.root, hub.membership.revoked(), known, Date.now()));
  unfaulted(hub.membership.takeRevoked(list.text));
  await until(async () => JSON.stringify(await listed()) === JSON.stringify([["box", later?.[1], "here"]]), "its name");
});
