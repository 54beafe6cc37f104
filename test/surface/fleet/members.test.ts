// A fleet from its first machine to its last, through the CLI and HTTP, with a real broker: who gets in, who does not and why, and
// what each may do.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCode, writeCode } from "../../../src/host/fleet/invitation.ts";
import { unfaulted } from "../../fixtures/fleet/fleet.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { FleetStage } from "../../fixtures/fleet/stage.ts";
import { until } from "../../fixtures/soon.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";

const fileOf = ({ duetty }: Stand, name: string) => join(duetty.home.fleet, name);
const namesOf = async ({ person }: Stand) => (await person.fleet_devices()).devices.map(({ name }) => name);

test("two machines: init, invite, nats-config, join, devices, allow, by the CLI", async () => {
  await using broker = await natsServer();
  await using first = await stand();
  await using second = await stand();
  const laptop = (...words: string[]) => first.duetty.cli("fleet", ...words);
  const begun = await laptop("init", broker.url, "--name", "laptop");
  expect([begun.code, begun.stdout]).toEqual([0, expect.stringContaining("duetty fleet invite NAME")]);
  const invited = await laptop("invite", "build-box");
  const [code = ""] = invited.stdout.split("\n");
  expect(invited.stdout).toContain("duetty fleet nats-config");
  await broker.reload((await laptop("nats-config")).stdout);
  await until(async () => (await first.person.fleet_devices()).away === null, "the connection");
  const joined = await second.duetty.cli("fleet", "join", code);
  expect([joined.code, joined.stdout]).toEqual([0, expect.stringContaining("this machine is build-box")]);
  // Each is called as the fleet calls it.
  for (const [machine, name] of [
    [first, "laptop"],
    [second, "build-box"],
  ] as const) {
    expect((await machine.person.hosts()).me).toBe(name);
    await expect(machine.person.pty_list({ host: name })).resolves.toMatchObject({ sessions: [] });
  }
  // Both know both, at once.
  expect(await namesOf(first)).toEqual(["laptop", "build-box"]);
  expect(await namesOf(second)).toEqual(["build-box", "laptop"]);
  expect((await second.duetty.cli("fleet", "devices")).stdout).toMatch(/^laptop +d_\w{8} .* watch +watch$/m);
  const allowed = await second.duetty.cli("fleet", "allow", "laptop", "--level", "drive");
  expect(allowed.stdout).toMatch(/laptop \(d_\w{8}\) may drive, its agents may watch/);
  const [, { device = "" } = {}] = (await second.person.fleet_devices()).devices;
  const rules = JSON.parse(fs.readFileSync(fileOf(second, "fleet.json"), "utf8"));
  expect(rules.devices).toEqual({ [device]: { person: "drive", agent: "watch" } });
  // Everything is private.
  for (const name of fs.readdirSync(second.duetty.home.fleet))
    expect([name, fs.statSync(fileOf(second, name)).mode & 0o777]).toEqual([name, 0o600]);
  // A daemon that starts again is a member.
  await second.duetty.killDaemon();
  expect((await second.duetty.cli("fleet", "devices")).stdout).toMatch(/^build-box .* this machine/m);
});

test("levels: agents follow their person down and never up by themselves", async () => {
  await using stage = await FleetStage.begin();
  const { person, duetty } = await stage.joined("desk");
  const allow = (level: "none" | "watch" | "drive", agents?: "none" | "watch" | "drive") =>
    person.fleet_allow({ device: "laptop", level, agents });
  expect(await allow("drive")).toMatchObject({ person: "drive", agent: "watch" });
  expect(await allow("drive", "drive")).toMatchObject({ person: "drive", agent: "drive" });
  expect(await allow("watch")).toMatchObject({ person: "watch", agent: "watch" });
  expect(await allow("none")).toMatchObject({ person: "none", agent: "none" });
  expect(await allow("drive")).toMatchObject({ person: "drive", agent: "none" });
  // What is said of one of them leaves the other as it is; something must be said.
  expect(await person.fleet_allow({ device: "laptop", agents: "watch" })).toMatchObject({ person: "drive" });
  await expect(person.fleet_allow({ device: "laptop" })).rejects.toMatchObject({ code: "input.invalid" });
  const said = async (...words: string[]) => (await duetty.cli("fleet", "allow", "laptop", ...words)).stdout;
  expect(await said("--level", "none")).toMatch("laptop (d_");
  expect(await said("--level", "drive")).toMatch(
    /may drive, its agents may do nothing\nto let its agents in, too: duetty fleet allow laptop --agents watch$/m,
  );
  for (const device of ["desk", "nobody", "d_zzzzzzzz"])
    await expect(person.fleet_allow({ device, level: "drive" })).rejects.toMatchObject({
      code: device === "desk" ? "input.invalid" : "not_found",
    });
});

test("a code is good once, in time, whole, and for a machine that is in no fleet", async () => {
  await using stage = await FleetStage.begin();
  const [second, third] = [await stage.machine(), await stage.machine()];
  const code = await stage.code("desk");
  const refusal = (machine: Stand, given: string) =>
    machine.person.fleet_join({ code: given }).then(String, (e) => e.code);
  for (const at of [8, 60, code.length - 1]) {
    const letter = code[at] === "A" ? "B" : "A";
    expect(await refusal(second, `${code.slice(0, at)}${letter}${code.slice(at + 1)}`)).toBe("fleet.forged");
  }
  expect(await refusal(second, "hello")).toBe("fleet.forged");
  const invitation = unfaulted(readCode(code, Date.now()));
  const coded = (until: number) => unfaulted(writeCode({ ...invitation, until }));
  expect(await refusal(second, coded(Date.now() - 1))).toBe("fleet.late");
  const late = await second.duetty.cli("fleet", "join", coded(Date.now() - 1));
  expect(late.stderr).toMatch(/this code has expired\n {2}Ask for a new code: .* This machine's clock says /);
  // A clock that is wrong by an hour.
  expect(await refusal(second, coded(Date.now() + 3_600_000))).toBe("fleet.clock");
  // Another secret: somebody who knows the login only. The code is still good.
  const guessed = unfaulted(writeCode({ ...invitation, secret: "A".repeat(43) }));
  expect(await refusal(second, guessed)).toBe("fleet.forged");
  expect((await second.person.fleet_join({ code })).name).toBe("desk");
  expect(await refusal(third, code)).toBe("fleet.used");
  expect(await refusal(second, code)).toBe("fleet.member");
  expect(await refusal(second, await stage.code("desk2"))).toBe("fleet.member");
  // Once the broker has read its configuration again, the used code does not even reach us.
  await stage.reload();
  expect(await refusal(third, code)).toBe("fleet.login");
});

test("agents, sessions and guests have no say in a fleet", async () => {
  await using stage = await FleetStage.begin();
  const { first } = stage;
  const code = await stage.code("desk");
  const second = await stage.machine();
  const agent = second.agent("claude");
  await expect(agent.fleet_join({ code })).rejects.toMatchObject({ code: "auth.forbidden" });
  for (const ask of [
    () => first.agent("claude").fleet_devices(),
    () => first.agent("claude").fleet_invite({ name: "mine" }),
    () => first.agent("claude").fleet_allow({ device: "desk", level: "drive" }),
    () => first.agent("claude").fleet_nats_config(),
    () => first.agent("claude").fleet_leave({ root: true }),
  ])
    await expect(ask()).rejects.toMatchObject({ code: "auth.forbidden" });
  expect(await second.duetty.agentCli("fleet", "join", code)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("duetty fleet join is for people"),
  });
  // With the person's token, from inside a session.
  const { session_id } = await first.openShell();
  const asked = `curl -s --unix-socket ${first.duetty.home.daemonSocket} -H 'authorization: Bearer ${first.duetty.token("person")}' -H 'content-type: application/json' -d '{"name":"mine"}' http://localhost/v1/fleet_invite`;
  const ran = await first.person.run_command({ session_id, command: asked });
  expect(ran.output.head).toContain("role.inside");
  expect((await first.person.fleet_devices()).invited.map(({ name }) => name)).toEqual(["desk"]);
});
