// Requests that a broker, another host, another device or a thief could send. Each is refused for its own reason.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { openCertificate, revoke } from "../../../src/host/fleet/certificate.ts";
import { makeIdentity } from "../../../src/host/fleet/keys.ts";
import { asked, codeOf, DEVICE, Fleet, NOON, unfaulted } from "../../fixtures/fleet/fleet.ts";

async function stage() {
  const fleet = new Fleet();
  return { fleet, host: await fleet.host(), who: fleet.device() };
}

test("an honest request arrives as it was asked", async () => {
  const { host, who } = await stage();
  const request = await host.ask(who, "pty_read_screen", '{"session_id":"s_1a2b3c4d"}');
  const taken = asked(await host.verifier.open(request.bytes));
  expect(taken).toMatchObject({ op: "pty_read_screen", actor: "person", nonce: request.nonce });
  expect(taken.certificate).toMatchObject({ device: DEVICE, name: "laptop", role: "person" });
  expect(Buffer.from(taken.body).toString()).toBe('{"session_id":"s_1a2b3c4d"}');
});

test("nothing of a request can be read on its way but host and epoch", async () => {
  const { host, who } = await stage();
  const { bytes } = await host.ask(who, "pty_send", '{"text":"hunter2"}');
  const seen = Buffer.from(bytes).toString("latin1");
  for (const secret of ["hunter2", "pty_send", "person", who.cert]) expect(seen).not.toContain(secret);
  expect(seen.split("\n")[0]).toBe(`duetty-op-1 ${host.host} ${host.epoch}`);
});

test("a forger's own tool makes what counts when nothing is forged", async () => {
  const { host, who } = await stage();
  expect(codeOf(await host.verifier.open(await host.sealed({ who })))).toBe("taken");
});

test("replay", async () => {
  const { host, who } = await stage();
  const { bytes } = await host.ask(who);
  expect(codeOf(await host.verifier.open(bytes))).toBe("taken");
  expect(codeOf(await host.verifier.open(bytes))).toBe("fleet.replayed");
});

test("replay at the same moment: one of many is taken", async () => {
  const { host, who } = await stage();
  const { bytes } = await host.ask(who);
  const found = await Promise.all(Array.from({ length: 20 }, () => host.verifier.open(bytes)));
  expect(found.map(codeOf).filter((code) => code === "taken")).toHaveLength(1);
});

test.each([
  ["other op", { shown: { op: "pty_close" } }],
  ["other host", { way: { host: "h_bbbbbbbb" } }],
  ["other epoch", { way: { epoch: "aaaaaaaaaaaaaaaaaaaaaa" } }],
  ["other body", { signedBody: "{}", body: '{"x":1}' }],
  ["other actor", { shown: { actor: "agent:claude" } }],
  ["other nonce", { shown: { nonce: "aaaaaaaaaaaaaaaaaaaaaa" } }],
  ["other time", { shown: { at: NOON - 1 } }],
  ["other end", { shown: { until: NOON + 14_999 } }],
  ["other key", { key: makeIdentity() }],
])("%s", async (_, forged) => {
  const { host, who } = await stage();
  expect(codeOf(await host.verifier.open(await host.sealed({ who, ...forged })))).toBe("fleet.forged");
});

test("another certificate of the same key is not what was signed", async () => {
  const { fleet, host, who } = await stage();
  const wider = fleet.certificate(who.identity, { name: "desk" });
  expect(codeOf(await host.verifier.open(await host.sealed({ who, shown: { cert: wider } })))).toBe("fleet.forged");
});

test("a host cannot seal what it heard for another host, or again for itself", async () => {
  const { fleet, host, who } = await stage();
  const other = await fleet.host("h_bbbbbbbb");
  const { bytes } = await host.ask(who);
  expect(codeOf(await other.verifier.open(bytes))).toBe("fleet.not_for_me");
  const readdressed = Buffer.from(Buffer.from(bytes).toString("latin1").replace(host.host, other.host), "latin1");
  expect(codeOf(await other.verifier.open(readdressed))).toBe("fleet.restarted");
  // The words and the signature of one request, in a seal of the host's own making.
  const again = await host.sealed({ who, signedEnc: bytes.slice(-32) });
  expect(codeOf(await host.verifier.open(again))).toBe("fleet.forged");
});

test("old", async () => {
  const { fleet, host, who } = await stage();
  const [first, second] = [await host.ask(who), await host.ask(who)];
  fleet.now += 14_900;
  expect(codeOf(await host.verifier.open(first.bytes))).toBe("taken");
  fleet.now += 100;
  expect(codeOf(await host.verifier.open(second.bytes))).toBe("fleet.late");
});

test.each([
  ["future", { at: NOON + 60_000, until: NOON + 70_000 }],
  ["good for hours", { until: NOON + 3_600_000 }],
  ["good for longer than any request", { until: NOON + 15_001 }],
  ["over before it begins", { until: NOON }],
])("%s", async (_, signed) => {
  const { host, who } = await stage();
  expect(codeOf(await host.verifier.open(await host.sealed({ who, signed })))).toBe("fleet.clock");
});

test("certificate changed", async () => {
  const { fleet, host, who } = await stage();
  const [payload = "", signature = ""] = who.cert.split(".");
  const text = Buffer.from(payload, "base64url").toString().replace('"person"', '"host"');
  const changed = `${Buffer.from(text).toString("base64url")}.${signature}`;
  const forOther = fleet.certificate(who.identity, {}, makeIdentity());
  for (const cert of [changed, forOther, `${who.cert}A`, `${who.cert}.`, who.cert.replace(".", ""), ""]) {
    expect(codeOf(await host.verifier.open(await host.sealed({ who, signed: { cert } })))).toBe("fleet.forged");
  }
});

test("certificate expired", async () => {
  const { fleet, host, who } = await stage();
  fleet.now += 30 * 86_400_000;
  expect(codeOf(await host.verifier.open(await host.sealed({ who })))).toBe("fleet.expired");
});

test("certificate revoked", async () => {
  const { fleet, host, who } = await stage();
  const certificate = openCertificate(who.cert, fleet.root.publicKey);
  fleet.revoked = unfaulted(revoke(fleet.root, fleet.revoked, certificate ? [certificate] : [], fleet.now));
  expect(codeOf(await host.verifier.open(await host.sealed({ who })))).toBe("fleet.revoked");
});

test("certificate for other hosts", async () => {
  const { fleet, host } = await stage();
  const who = fleet.device({ hosts: ["h_bbbbbbbb"] });
  expect(codeOf(await host.verifier.open(await host.sealed({ who })))).toBe("fleet.not_allowed");
  const here = fleet.device({ hosts: ["h_bbbbbbbb", host.host] });
  expect(codeOf(await host.verifier.open(await host.sealed({ who: here })))).toBe("taken");
});

test.each([
  ["an agent's key that says person", "agent", "person"],
  ["a person's key that says agent", "person", "agent:claude"],
  ["a host's key", "host", "person"],
] as const)("%s", async (_, role, actor) => {
  const { fleet, host } = await stage();
  const who = fleet.device({ role, host: role === "host" ? "h_bbbbbbbb" : null }, actor);
  expect(codeOf(await host.verifier.open(await host.sealed({ who })))).toBe("fleet.not_allowed");
});

test("replay after a restart of the daemon", async () => {
  const { fleet, host, who } = await stage();
  const { bytes } = await host.ask(who);
  const again = await fleet.host();
  expect(codeOf(await again.verifier.open(bytes))).toBe("fleet.restarted");
  const relabelled = Buffer.from(Buffer.from(bytes).toString("latin1").replace(host.epoch, again.epoch), "latin1");
  expect(codeOf(await again.verifier.open(relabelled))).toBe("fleet.forged");
});

test("a refusal is the host's word, and about one request", async () => {
  const { fleet, host, who } = await stage();
  const [first, second] = [await host.ask(who), await host.ask(who)];
  fleet.now += 15_000;
  const refusal = await host.verifier.open(first.bytes);
  if (!("fault" in refusal)) throw new Error("it was taken");
  expect(first.answered(refusal.bytes)).toMatchObject({ code: "fleet.late" });
  expect(second.answered(refusal.bytes)).toMatchObject({ code: "fleet.forged" });
  const other = await (await fleet.host("h_bbbbbbbb")).verifier.open(first.bytes);
  expect("fault" in other && first.answered(other.bytes)).toMatchObject({ code: "fleet.forged" });
});

test("a request of 4 MiB arrives, and a larger one is not sent", async () => {
  const { host, who } = await stage();
  const body = "x".repeat(4 << 20);
  const request = await host.ask(who, "pty_send", body);
  const taken = asked(await host.verifier.open(request.bytes));
  expect(Buffer.from(taken.body).toString() === body).toBe(true);
  const answer = request.answered(taken.answer(200, taken.body).bytes);
  expect(isFault(answer) ? answer : answer.body.length).toBe(body.length);
  await expect(host.ask(who, "pty_send", `${body}x`)).rejects.toThrow("too large");
});

test("any words in the place of the head: refused, never thrown", async () => {
  const { host, who } = await stage();
  const field = fc.constantFrom("cert", "actor", "op", "at", "until", "nonce", "sig", "more");
  const refuses = fc.asyncProperty(field, fc.jsonValue(), async (name, value) => {
    const bytes = await host.sealed({ who, shown: { [name]: value } });
    expect(codeOf(await host.verifier.open(bytes))).toMatch(/^fleet\.forged$/);
  });
  await fc.assert(refuses, { numRuns: 200 });
});
