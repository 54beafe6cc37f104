// A fleet's rarer turns, with a real broker: machines that cannot be reached, names that are refused, and a root key behind a passphrase.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCode, writeCode } from "../../../src/host/fleet/invitation.ts";
import { unfaulted } from "../../fixtures/fleet/fleet.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { FleetStage } from "../../fixtures/fleet/stage.ts";
import { until } from "../../fixtures/soon.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const fileOf = ({ duetty }: Stand, name: string) => join(duetty.home.fleet, name);
const namesOf = async ({ person }: Stand) => (await person.fleet_devices()).devices.map(({ name }) => name);

test("a machine that joined later can be named at once, also while the machine with the root key is off", async () => {
  await using stage = await FleetStage.begin();
  const desk = await stage.joined("desk");
  const code = await stage.code("box");
  const box = await stage.machine();
  const { device, host } = await box.person.fleet_join({ code });
  await stage.first.duetty.cli("shutdown");
  await until(async () => (await desk.person.hosts()).hosts.some((one) => one.host === "box"), "its card");
  const said = await desk.duetty.cli("fleet", "allow", "box", "--level", "drive");
  expect([said.code, said.stderr]).toEqual([0, ""]);
  expect(await desk.person.fleet_allow({ device: host, level: "watch" })).toMatchObject({ device, person: "watch" });
  expect(await namesOf(desk)).toEqual(["desk", "box", "laptop"]);
});

test("who cannot be reached is said: the broker, its configuration, the machine that invited", async () => {
  await using stage = await FleetStage.begin();
  const second = await stage.machine();
  const { code } = await stage.first.person.fleet_invite({ name: "desk" });
  const words = async (given: string) => (await second.duetty.cli("fleet", "join", given)).stderr;
  expect(await words(code)).toMatch(/refuses this login[\s\S]*nats-server --signal reload/);
  await stage.reload();
  const invitation = unfaulted(readCode(code, Date.now()));
  await using other = await natsServer();
  expect(await words(unfaulted(writeCode({ ...invitation, url: other.url })))).toMatch(/does not answer/);
  await stage.first.duetty.cli("shutdown");
  expect(await words(code)).toMatch(/the machine that gave this code does not answer/);
  // Whoever ends the daemon takes its invitations back.
  await stage.first.duetty.start();
  await until(async () => (await stage.first.person.fleet_devices()).away === null, "the connection");
  expect(await words(code)).toMatch(/no such open invitation/);
  await stage.broker.stop();
  expect(await words(code)).toMatch(/no broker at nats:.*refused/);
  await until(async () => (await stage.first.person.fleet_devices()).away !== null, "the loss of the broker");
});

test("names: letters only, and no two that could be taken for each other", async () => {
  await using stage = await FleetStage.begin();
  const { person } = stage.first;
  const refusal = (name: string) => person.fleet_invite({ name }).then(String, (error) => error.code);
  for (const name of ["", "lap\u200btop", "laptop\u00ad", "läptop", "lap top", "desk@home", "box/1", "-x"])
    expect([name, await refusal(name)]).toEqual([name, "input.invalid"]);
  for (const name of ["laptop", "Laptop"]) expect([name, await refusal(name)]).toEqual([name, "input.invalid"]);
  await person.fleet_invite({ name: "desk" });
  expect(await refusal("DESK")).toBe("input.invalid");
  // The same name again: the code before it is void, and the broker needs no other configuration.
  const config = (await person.fleet_nats_config()).config.replaceAll(/good until.*/g, "");
  await stage.reload();
  const old = (await person.fleet_invite({ name: "desk" })).code;
  const { code } = await person.fleet_invite({ name: "desk" });
  expect((await person.fleet_nats_config()).config.replaceAll(/good until.*/g, "")).toBe(config);
  const second = await stage.machine();
  await expect(second.person.fleet_join({ code: old })).rejects.toMatchObject({ code: "fleet.forged" });
  expect((await second.person.fleet_join({ code })).name).toBe("desk");
  // A file that holds no certificate authority, and one that is not there.
  const { duetty } = await stage.machine();
  const notes = duetty.makeFolder({ "notes.txt": "hello" });
  for (const [file, why] of [
    ["notes.txt", /what --ca names is no certificate/],
    ["none.crt", /none\.crt cannot be read: there is no such file$/m],
    ["", /cannot be read: it is a folder$/m],
  ] as const) {
    const begun = await duetty.cli("fleet", "init", "tls://box", "--ca", join(notes, file));
    expect(begun).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
  }
  // Whoever reads it may be in another zone.
  const invited = await stage.first.duetty.cliWith({ TZ: "Asia/Kolkata" }, "fleet", "invite", "phone");
  expect(invited.stdout).toMatch(/once, until \d\d-\d\d \d\d:\d\d UTC\+5:30\. Keep/);
  for (const url of ["box:4222", "http://box", "nats://", "nats://me:secret@box", "nats://box/x", "nats://box:99999"])
    await expect(second.person.fleet_init({ url })).rejects.toMatchObject({ code: "input.invalid" });
});

test("a passphrase is typed, never shown, and asked for when it is needed", async () => {
  await using broker = await natsServer();
  await using first = await stand();
  const said = async (terminal: TestTerminal, words: string) => until(() => terminal.output.includes(words), words);
  const began = TestTerminal.open(first.duetty, ["fleet", "init", broker.url, "--name", "laptop", "--passphrase"]);
  await said(began, "Passphrase: ");
  expect(began.pty.echo()).toBe("raw");
  began.type("correct horse\r");
  await said(began, "The same again: ");
  began.type("correct horsx\x7fe\r");
  await said(began, "a fleet begins");
  expect(began.output).not.toContain("horse");
  expect(fs.readFileSync(fileOf(first, "root.key"), "utf8")).not.toContain("PRIVATE KEY");
  const { person } = first;
  for (const passphrase of [undefined, "correct", "correct horse "])
    await expect(person.fleet_invite({ name: "desk", passphrase })).rejects.toMatchObject({ code: "fleet.passphrase" });
  await expect(person.fleet_renew({})).rejects.toMatchObject({ code: "fleet.passphrase" });
  await expect(person.fleet_revoke({ device: "laptop" })).rejects.toMatchObject({ code: "fleet.passphrase" });
  const invited = TestTerminal.open(first.duetty, ["fleet", "invite", "desk"]);
  await said(invited, "Passphrase of the fleet's root key: ");
  invited.type("correct horse\r");
  await said(invited, "duetty-");
  expect((await person.fleet_devices()).invited.map(({ name }) => name)).toEqual(["desk"]);
});
