// Keys on the disk, invitations, and what a host lets others do.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOBODY_REVOKED, openCertificate, revoke } from "../../../src/host/fleet/certificate.ts";
import { askToJoin, joined, readCode } from "../../../src/host/fleet/invitation.ts";
import { Invitations } from "../../../src/host/fleet/invitations.ts";
import { keptIdentity, makeIdentity, makeRoot, openRoot } from "../../../src/host/fleet/keys.ts";
import { CLOSED, forbids, levelOf, NEW_RULES, needOf, readRules } from "../../../src/host/fleet/levels.ts";
import { ops } from "../../../src/protocol/ops.ts";
import { Fleet, NOON, unfaulted } from "../../fixtures/fleet/fleet.ts";
import { testFolder } from "../../fixtures/folder.ts";

const GUEST = {
  url: "tls://broker.example:4222",
  device: "d_bbbbbbbb",
  name: "desk",
  host: "h_bbbbbbbb",
  roles: ["person", "agent", "host"] as ("person" | "agent" | "host")[],
  nkey: "SUAEXAMPLE",
  hosts: ["*" as const],
  login: "SUALATER",
};

function stage(root = makeIdentity()) {
  const invitations = new Invitations(root);
  const code = unfaulted(invitations.invite(GUEST, NOON));
  const invitation = unfaulted(readCode(code, NOON));
  const keys = { person: makeIdentity().publicKey, agent: makeIdentity().publicKey, host: makeIdentity().publicKey };
  return { root, invitations, code, invitation, keys, request: askToJoin(invitation, keys) };
}

test("keys are private, made once and never written over", () => {
  const folder = testFolder();
  const made = unfaulted(keptIdentity(folder, "person"));
  expect(statSync(join(folder, "person.key")).mode & 0o777).toBe(0o600);
  expect(unfaulted(keptIdentity(folder, "person")).publicKey).toBe(made.publicKey);
  expect(unfaulted(keptIdentity(folder, "agent")).publicKey).not.toBe(made.publicKey);
  unfaulted(makeRoot(folder));
  expect(makeRoot(folder)).toMatchObject({ code: "fleet.key" });
  writeFileSync(join(folder, "host.key"), "no key", { mode: 0o600 });
  expect(keptIdentity(folder, "host")).toMatchObject({ code: "fleet.key" });
});

test("the root's key opens with its passphrase only", () => {
  const folder = testFolder();
  expect(openRoot(folder)).toBeUndefined();
  const root = unfaulted(makeRoot(folder, "correct horse"));
  expect(readFileSync(join(folder, "root.key"), "utf8")).not.toContain("PRIVATE KEY");
  expect(openRoot(folder, "correct horse")).toMatchObject({ publicKey: root.publicKey });
  for (const wrong of ["correct hors", "", undefined]) {
    expect(openRoot(folder, wrong)).toMatchObject({ code: "fleet.passphrase" });
  }
});

test("a code lets a machine in, with a certificate for each of its keys", () => {
  const { root, invitations, code, invitation, keys, request } = stage();
  expect(code).toMatch(/^duetty-[\w.-]+$/);
  const before = openCertificate(new Fleet().certificate(makeIdentity(), {}, root), root.publicKey);
  const list = unfaulted(revoke(root, NOBODY_REVOKED, before ? [before] : [], NOON));
  const admitted = unfaulted(invitations.admit(request, list, NOON));
  const { certs, revoked, login } = unfaulted(joined(invitation, keys, request, admitted.answer));
  expect(revoked.number).toBe(1);
  expect(openCertificate(certs.host ?? "", root.publicKey)).toMatchObject({ host: "h_bbbbbbbb", key: keys.host });
  expect(openCertificate(certs.agent ?? "", root.publicKey)).toMatchObject({ role: "agent", name: "desk" });
  expect(Object.keys(admitted.certs)).toHaveLength(3);
  // The code itself has another login.
  expect([login, invitation.nkey]).toEqual(["SUALATER", "SUAEXAMPLE"]);
});

test("no invitation has a name that could be taken for another", () => {
  const { invitations } = stage();
  for (const name of ["", "desk@home", "de sk", "d\u00adesk"]) {
    expect(invitations.invite({ ...GUEST, name }, NOON)).toMatchObject({ code: "input.invalid" });
  }
});

test("a code used twice", () => {
  const { invitations, invitation, keys, request } = stage();
  unfaulted(invitations.admit(request, NOBODY_REVOKED, NOON));
  expect(invitations.admit(request, NOBODY_REVOKED, NOON)).toMatchObject({ code: "fleet.used" });
  expect(invitations.admit(askToJoin(invitation, keys), NOBODY_REVOKED, NOON)).toMatchObject({ code: "fleet.used" });
});

test("a code used late", () => {
  const { invitations, code, request } = stage();
  expect(readCode(code, NOON + 600_000)).toMatchObject({ code: "fleet.late" });
  expect(invitations.admit(request, NOBODY_REVOKED, NOON + 600_000)).toMatchObject({ code: "fleet.late" });
});

test("a code of another root", () => {
  const { invitation, keys, request, invitations } = stage();
  const other = stage();
  // The other root does not know this secret, and its own answer does not count here.
  expect(other.invitations.admit(request, NOBODY_REVOKED, NOON)).toMatchObject({ code: "fleet.forged" });
  const theirs = unfaulted(other.invitations.admit(other.request, NOBODY_REVOKED, NOON));
  expect(joined(invitation, keys, request, theirs.answer)).toMatchObject({ code: "fleet.forged" });
  // Somebody who has the secret, but not the root's key.
  const ours = unfaulted(invitations.admit(request, NOBODY_REVOKED, NOON));
  const swapped = { ...invitation, root: other.root.publicKey };
  expect(joined(swapped, keys, request, ours.answer)).toMatchObject({ code: "fleet.forged" });
});

test("certificates for keys that are not ours do not count", () => {
  const { invitations, invitation, keys, request } = stage();
  const { answer } = unfaulted(invitations.admit(request, NOBODY_REVOKED, NOON));
  const other = { ...keys, agent: makeIdentity().publicKey };
  expect(joined(invitation, other, request, answer)).toMatchObject({ code: "fleet.forged" });
});

test("twenty invitations are open at most; a new one for the same machine replaces the old", () => {
  const { invitations, request } = stage();
  unfaulted(invitations.invite(GUEST, NOON));
  expect(invitations.admit(request, NOBODY_REVOKED, NOON)).toMatchObject({ code: "fleet.forged" });
  const more = (i: number, now = NOON) => invitations.invite({ ...GUEST, device: `d_${`${i}`.padStart(8, "0")}` }, now);
  for (let i = 1; i < 20; i += 1) unfaulted(more(i));
  expect(more(20)).toMatchObject({ code: "fleet.full" });
  unfaulted(more(20, NOON + 600_000));
});

test("a new device watches; fleet.json lets it drive or nothing", () => {
  const rules = unfaulted(readRules('{"devices":{"d_aaaaaaaa":{"person":"drive"},"d_bbbbbbbb":{"agent":"none"}}}'));
  expect(levelOf(rules, "d_cccccccc", "person")).toBe("watch");
  expect(levelOf(NEW_RULES, "d_cccccccc", "agent")).toBe("watch");
  expect([levelOf(rules, "d_aaaaaaaa", "person"), levelOf(rules, "d_aaaaaaaa", "agent")]).toEqual(["drive", "watch"]);
  const told = (device: object, others = "watch") =>
    unfaulted(readRules(JSON.stringify({ others, devices: { d_aaaaaaaa: device } })));
  const both = (rules: ReturnType<typeof told>) => [
    levelOf(rules, "d_aaaaaaaa", "person"),
    levelOf(rules, "d_aaaaaaaa", "agent"),
  ];
  // What is not said is as for everybody; and nobody's agent goes where they do not.
  expect(both(told({ person: "none" }))).toEqual(["none", "none"]);
  expect(both(told({ person: "none", agent: "drive" }))).toEqual(["none", "none"]);
  expect(both(told({ person: "watch", agent: "drive" }))).toEqual(["watch", "watch"]);
  expect(both(told({ agent: "drive" }, "none"))).toEqual(["none", "none"]);
  expect(both(told({ person: "drive" }, "none"))).toEqual(["drive", "none"]);
  expect([levelOf(rules, "d_bbbbbbbb", "agent"), levelOf(rules, "d_aaaaaaaa", "host")]).toEqual(["none", "none"]);
  expect(levelOf(unfaulted(readRules('{"others":"none"}')), "d_cccccccc", "person")).toBe("none");
  expect(levelOf(CLOSED, "d_aaaaaaaa", "person")).toBe("none");
  for (const broken of [
    "",
    "[]",
    '{"others":"drive"}',
    '{"devices":{"laptop":{}}}',
    '{"devices":{"d_aaaaaaaa":"drive"}}',
  ]) {
    expect(readRules(broken)).toMatchObject({ code: "input.invalid" });
  }
});

test("who watches only looks; nobody signs in, invites or ends the daemon from afar", () => {
  const may = (level: "none" | "watch" | "drive") =>
    ops.filter((op) => forbids(level, needOf(op)) === undefined).map(({ name }) => name);
  expect(may("none")).toEqual([]);
  const changing = ops.filter(({ effect }) => effect !== "read").map(({ name }) => name);
  expect(
    may("watch")
      .filter((name) => changing.includes(name))
      .sort(),
  ).toEqual(["metrics", "needs", "watch"]);
  for (const name of ["approve", "deny", "pty_send", "run_command", "take", "undo"])
    expect(may("watch")).not.toContain(name);
  const never = ops.map(({ name }) => name).filter((name) => !may("drive").includes(name));
  expect(never.sort()).toEqual(
    [
      "devices",
      ...["fleet_allow", "fleet_devices", "fleet_init", "fleet_invite", "fleet_join", "fleet_leave"],
      ...["fleet_nats_config", "fleet_renew", "fleet_revoke"],
      "hook",
      "login_code",
      "pair",
      "push",
      "share",
      "shared",
      "shares",
      "shutdown",
      "unpair",
      "unshare",
    ].sort(),
  );
});
