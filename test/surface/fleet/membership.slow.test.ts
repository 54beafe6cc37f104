// How a membership goes on and ends: renewal, revocation, leaving, and files that somebody broke.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { turned } from "../../fixtures/fleet/fleet.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { FleetStage, membershipOf } from "../../fixtures/fleet/stage.ts";
import { until } from "../../fixtures/soon.ts";
import { BIN } from "../../fixtures/stand/installation.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";

const fileOf = ({ duetty }: Stand, name: string) => join(duetty.home.fleet, name);
const doctorOf = async ({ person }: Stand) => (await person.doctor({})).checks.find(({ name }) => name === "fleet");
const deviceOf = async ({ person }: Stand, name: string) =>
  (await person.fleet_devices()).devices.find((one) => one.name === name);

test("revoking: the list is signed and kept, the login leaves the broker, the name is free again", async () => {
  await using stage = await FleetStage.begin();
  const { first } = stage;
  const [second, third] = [await stage.joined("desk"), await stage.joined("box")];
  const before = await deviceOf(first, "desk");
  const out = await first.duetty.cli("fleet", "revoke", "desk");
  expect(out.stdout).toMatch(/desk \(d_\w{8}\) is out: its 3 certificates/);
  expect(await deviceOf(first, "desk")).toMatchObject({ revoked: true });
  const list = membershipOf(first).revoked();
  expect(list.number).toBe(1);
  expect(before?.certificates.every(({ serial }) => list.serials.has(serial))).toBe(true);
  const { config } = await first.person.fleet_nats_config();
  expect(config).not.toContain(before?.device);
  // Another machine that asks gets the list, whether or not the broker still knows the one that is out.
  await third.person.fleet_renew({});
  expect(membershipOf(third).revoked().number).toBe(1);
  expect(await deviceOf(third, "desk")).toBeUndefined();
  await expect(second.person.fleet_renew({})).rejects.toMatchObject({ code: "fleet.revoked" });
  expect(await doctorOf(second)).toMatchObject({ ok: false, detail: expect.stringContaining("put out of the fleet") });
  await stage.reload();
  await expect(second.person.fleet_renew({})).rejects.toMatchObject({ code: "fleet.login" });
  expect(await doctorOf(second)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/put out of|refuses this login/),
  });
  expect(await doctorOf(third)).toMatchObject({ ok: true, detail: `box at ${stage.broker.url}` });
  await expect(first.person.fleet_renew({ device: before?.device })).rejects.toMatchObject({ code: "fleet.revoked" });
  // By a serial, and an invitation by its name.
  const serial = (await deviceOf(first, "box"))?.certificates[0]?.serial ?? "";
  expect(await first.person.fleet_revoke({ device: serial })).toMatchObject({ name: "box", number: 2 });
  const code = await stage.code("desk");
  expect(await first.person.fleet_revoke({ device: "desk" })).toMatchObject({ serials: 0, number: 2 });
  await second.person.fleet_leave({});
  await expect(second.person.fleet_join({ code })).rejects.toMatchObject({ code: "fleet.used" });
  const again = await second.person.fleet_join({ code: await stage.code("desk") });
  expect(again.device).not.toBe(before?.device);
  for (const device of ["laptop", "nobody"]) await expect(first.person.fleet_revoke({ device })).rejects.toThrow();
});

test("renewing: new certificates for the same keys, which each machine fetches; earlier ones can still be revoked", async () => {
  await using stage = await FleetStage.begin("correct horse");
  const { first } = stage;
  const second = await stage.joined("desk", "correct horse");
  const [old, keys] = [await deviceOf(second, "desk"), membershipOf(second).member?.identities.host.publicKey];
  const { renewed } = await first.person.fleet_renew({ passphrase: "correct horse" });
  expect(renewed.map(({ name }) => name).sort()).toEqual(["desk", "laptop"]);
  const fetched = await second.duetty.cli("fleet", "renew");
  expect([fetched.code, fetched.stdout]).toEqual([0, expect.stringMatching(/^desk is good until \d{4}-/)]);
  const now = await deviceOf(second, "desk");
  const serials = (one: typeof now) => one?.certificates.map(({ serial }) => serial) ?? [];
  expect(serials(now).some((serial) => serials(old).includes(serial))).toBe(false);
  expect(membershipOf(second).member?.identities.host.publicKey).toBe(keys);
  expect(await first.person.fleet_revoke({ device: "desk", passphrase: "correct horse" })).toMatchObject({
    serials: 6,
  });
  const { serials: all } = membershipOf(first).revoked();
  expect([...serials(now), ...serials(old)].every((serial) => all.has(serial))).toBe(true);
});

test("leaving: keys and certificates are gone, another fleet may be joined; the root's machine says it twice", async () => {
  await using one = await FleetStage.begin();
  await using two = await FleetStage.begin();
  const second = await one.joined("desk");
  const inTwo = await two.code("desk");
  await expect(second.person.fleet_join({ code: inTwo })).rejects.toMatchObject({ code: "fleet.member" });
  await expect(second.person.fleet_init({ url: one.broker.url })).rejects.toMatchObject({ code: "fleet.member" });
  const key = membershipOf(second).member?.identities.host.publicKey;
  expect((await second.duetty.cli("fleet", "leave")).code).toBe(0);
  expect(fs.existsSync(second.duetty.home.fleet)).toBe(false);
  await expect(second.person.fleet_devices()).rejects.toMatchObject({ code: "fleet.none" });
  await second.person.fleet_join({ code: inTwo });
  expect(membershipOf(second).member?.identities.host.publicKey).not.toBe(key);
  // A list of the other fleet is nothing here.
  await one.first.person.fleet_revoke({ device: "desk" });
  expect(membershipOf(second).takeRevoked(membershipOf(one.first).revoked().text)).toMatchObject({ fault: true });
  await expect(one.first.person.fleet_leave({})).rejects.toMatchObject({ code: "fleet.key" });
  await one.first.person.fleet_leave({ root: true });
  expect(fs.existsSync(one.first.duetty.home.fleet)).toBe(false);
  expect((await one.first.person.fleet_init({ url: one.broker.url, name: "again" })).name).toBe("again");
});

test("only the root's machine lets in and out, and prints the broker's configuration", async () => {
  await using stage = await FleetStage.begin();
  const { person } = await stage.joined("desk");
  for (const ask of [
    () => person.fleet_invite({ name: "more" }),
    () => person.fleet_revoke({ device: "laptop" }),
    () => person.fleet_nats_config(),
  ])
    await expect(ask()).rejects.toMatchObject({ code: "fleet.key" });
});

test("broken files let nobody in, are told by doctor, and are never written over", async () => {
  await using stage = await FleetStage.begin();
  const second = await stage.joined("desk");
  const doctor = () => doctorOf(second);
  expect(await doctor()).toMatchObject({ ok: true, detail: expect.stringContaining("desk at nats:") });
  const { device = "" } = (await deviceOf(second, "laptop")) ?? {};
  await second.person.fleet_allow({ device, level: "drive" });
  const [rules, member] = ["fleet.json", "member.json"].map((name) => fileOf(second, name));
  if (!rules || !member) throw new Error("no files");
  for (const text of ["", "{", "null", '{"others":"drive"}', `{"devices":{"${device}":"drive"}}`]) {
    fs.writeFileSync(rules, text);
    expect(await deviceOf(second, "laptop")).toMatchObject({ level: { person: "none", agent: "none" } });
    expect(await doctor()).toMatchObject({ ok: false, detail: expect.stringContaining("fleet.json cannot be read") });
    await expect(second.person.fleet_allow({ device, level: "drive" })).rejects.toThrow("nobody gets in");
    expect(fs.readFileSync(rules, "utf8")).toBe(text);
  }
  fs.writeFileSync(rules, `{"devices":{"${device}":{"person":"drive"}}}`);
  expect(await deviceOf(second, "laptop")).toMatchObject({ level: { person: "drive", agent: "watch" } });
  // A list that somebody wrote revokes nobody, so nobody gets in at all.
  fs.writeFileSync(fileOf(second, "revoked.txt"), "eyJ2IjoxfQ.AAAA");
  expect(await deviceOf(second, "laptop")).toMatchObject({ level: { person: "none" } });
  fs.rmSync(fileOf(second, "revoked.txt"));
  const whole = fs.readFileSync(member, "utf8");
  for (const text of ["", "[]", whole.slice(0, -40), whole.replace(/"host": "[^"]{20}/, '"host": "AAAA')]) {
    fs.writeFileSync(member, text);
    expect(await doctor()).toMatchObject({ ok: false });
    await expect(second.person.fleet_init({ url: stage.broker.url })).rejects.toMatchObject({ code: "fleet.key" });
    expect(fs.readFileSync(member, "utf8")).toBe(text);
  }
  fs.writeFileSync(member, whole);
  expect(await doctor()).toMatchObject({ ok: true });
  // The root's own list of machines.
  fs.writeFileSync(fileOf(stage.first, "devices.json"), "{}");
  await expect(stage.first.person.fleet_invite({ name: "more" })).rejects.toMatchObject({ code: "fleet.key" });
});

test("whoever watches a membership is told of joining, rules by hand, a newer list and leaving", async () => {
  await using stage = await FleetStage.begin();
  const second = await stage.machine();
  const membership = membershipOf(second);
  let told = 0;
  const stop = membership.onChange(() => (told += 1));
  expect(membership.member).toBeUndefined();
  await second.person.fleet_join({ code: await stage.code("desk") });
  await until(() => told > 0 && membership.member?.name === "desk", "joined");
  const { device = "" } = (await deviceOf(second, "laptop")) ?? {};
  told = 0;
  fs.writeFileSync(fileOf(second, "fleet.json"), `{"devices":{"${device}":{"agent":"none"}}}`);
  await until(() => told > 0, "rules by hand");
  expect(membership.rules().devices).toEqual({ [device]: { agent: "none" } });
  await stage.joined("box");
  // Nobody hears of it by themselves.
  await stage.broker.kill();
  await stage.first.person.fleet_revoke({ device: "box" });
  told = 0;
  const { text } = membershipOf(stage.first).revoked();
  expect([membership.takeRevoked(text), membership.takeRevoked(text), told]).toEqual(["newer", "known", 1]);
  expect(membership.takeRevoked(turned(Buffer.from(text), 99).toString("latin1"))).toMatchObject({
    code: "fleet.forged",
  });
  await stage.broker.start();
  told = 0;
  await second.person.fleet_leave({});
  await until(() => told > 0 && membership.member === undefined, "left");
  stop();
});

test("serve --fleet takes another address of the broker; without a fleet it does not start", async () => {
  await using outside = await stand({ daemon: "later" });
  const refused = await outside.duetty.cli("serve", "--fleet", "nats://127.0.0.1:1");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("this machine is in no fleet")]);
  expect((await outside.duetty.cli("serve", "--fleet", "box")).code).toBe(2);
  await using stage = await FleetStage.begin();
  await using gone = await natsServer();
  expect(membershipOf(stage.first).member?.url).toBe(stage.broker.url);
  const kept = fs.readFileSync(fileOf(stage.first, "member.json"), "utf8");
  await stage.first.duetty.cli("shutdown");
  const child = spawn(process.execPath, [BIN, "serve", "--fleet", gone.url], { env: stage.first.duetty.env });
  await until(
    () =>
      stage.first.person.fleet_devices().then(
        ({ url }) => url === gone.url,
        () => false,
      ),
    "the daemon",
  );
  expect(fs.readFileSync(fileOf(stage.first, "member.json"), "utf8")).toBe(kept);
  await stage.first.duetty.cli("shutdown");
  await until(() => child.exitCode !== null, "its end");
});
