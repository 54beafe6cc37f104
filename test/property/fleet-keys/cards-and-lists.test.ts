// Cards of hosts, lists of what was revoked, and the memory of nonces.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { openCard, writeCard } from "../../../src/host/fleet/card.ts";
import {
  merged,
  NOBODY_REVOKED,
  openCertificate,
  openRevoked,
  revoke,
  standing,
} from "../../../src/host/fleet/certificate.ts";
import { makeIdentity } from "../../../src/host/fleet/keys.ts";
import { Nonces } from "../../../src/host/fleet/nonces.ts";
import { sealRequest } from "../../../src/host/fleet/request.ts";
import { signedText } from "../../../src/host/fleet/signed.ts";
import { asked, codeOf, Fleet, NOON, unfaulted } from "../../fixtures/fleet/fleet.ts";

async function stage() {
  const fleet = new Fleet();
  const host = await fleet.host();
  const trust = () => ({ root: fleet.root.publicKey, revoked: fleet.revoked, now: fleet.now });
  return { fleet, host, trust };
}

test("a card says who a host is", async () => {
  const { host } = await stage();
  expect(host.card()).toMatchObject({ host: host.host, epoch: host.epoch, key: host.identity.publicKey, ahead: 0 });
});

test("card forged: by a stranger, by another host, by a device, or for another key", async () => {
  const { fleet, host, trust } = await stage();
  const other = await fleet.host("h_bbbbbbbb");
  const device = fleet.device();
  const stranger = makeIdentity();
  // The agent's own key on the host's very machine.
  const agent = fleet.device({ role: "agent", host: host.host, name: "desk" });
  const texts = [
    writeCard(stranger, { ...host.claims() }),
    writeCard(host.identity, { ...host.claims(), name: "server" }),
    writeCard(other.identity, { ...host.claims() }),
    writeCard(other.identity, { ...host.claims(), cert: other.cert }),
    writeCard(agent.identity, { ...host.claims(), cert: agent.cert }),
    writeCard(device.identity, { ...host.claims(), cert: device.cert }),
    writeCard(stranger, {
      ...host.claims(),
      cert: fleet.certificate(stranger, { role: "host", host: host.host }, stranger),
    }),
  ];
  for (const text of texts) expect(openCard(text, trust())).toMatchObject({ code: "fleet.forged" });
});

test("a card of another epoch, replayed", async () => {
  const { fleet, host, trust } = await stage();
  const old = host.cardText();
  fleet.now += 10_000;
  const again = await fleet.host();
  const card = unfaulted(openCard(again.cardText(), trust()));
  expect(openCard(old, trust(), card)).toMatchObject({ code: "fleet.replayed" });
  fleet.now += 10_000;
  const newest = unfaulted(openCard(again.cardText(), trust(), card));
  expect(newest.epoch).toBe(again.epoch);
  // Who has only the old card seals to a key that nobody has any more.
  const stale = unfaulted(openCard(old, trust()));
  const request = unfaulted(await sealRequest(stale, fleet.device(), "pty_list", Buffer.from("{}"), fleet.now));
  expect(codeOf(await again.verifier.open(request.bytes))).toBe("fleet.restarted");
});

test("an older card of the same epoch, an hour old, or of a revoked host does not count", async () => {
  const { fleet, host, trust } = await stage();
  const old = host.cardText();
  fleet.now += 1;
  host.seq += 1;
  const newer = host.card();
  expect(openCard(old, trust(), newer)).toMatchObject({ code: "fleet.replayed" });
  fleet.now += 3_600_000;
  expect(openCard(old, trust())).toMatchObject({ code: "fleet.clock" });
  const certificate = openCertificate(host.cert, fleet.root.publicKey);
  fleet.revoked = unfaulted(revoke(fleet.root, fleet.revoked, certificate ? [certificate] : [], fleet.now));
  expect(openCard(host.cardText(), trust())).toMatchObject({ code: "fleet.revoked" });
  fleet.now += 30 * 86_400_000;
  expect(openCard(host.cardText(), { ...trust(), revoked: NOBODY_REVOKED })).toMatchObject({ code: "fleet.expired" });
});

test("a device whose clock is wrong by half an hour is understood", async () => {
  const { fleet, host, trust } = await stage();
  for (const off of [-1_800_000, 1_800_000]) {
    const card = unfaulted(openCard(host.cardText(), { ...trust(), now: fleet.now + off }));
    const request = unfaulted(await sealRequest(card, fleet.device(), "pty_list", Buffer.from("{}"), fleet.now + off));
    expect(codeOf(await host.verifier.open(request.bytes))).toBe("taken");
  }
});

test("a list of what was revoked: carried by anybody, made by the root alone, and the newest counts", async () => {
  const { fleet } = await stage();
  const { root } = fleet;
  const [a, b] = [fleet.device(), fleet.device()].map(({ cert }) => openCertificate(cert, root.publicKey));
  if (!a || !b) throw new Error("no certificates");
  const one = unfaulted(revoke(root, NOBODY_REVOKED, [a], NOON));
  const two = unfaulted(revoke(root, one, [b], NOON));
  expect([one.number, two.number, [...two.serials]]).toEqual([1, 2, [a.serial, b.serial]]);
  expect(merged(NOBODY_REVOKED, one.text, root.publicKey)).toMatchObject({ number: 1 });
  expect(merged(two, one.text, root.publicKey)).toBe(two);
  expect(openRevoked(two.text, root.publicKey)).toEqual(two);
  const forged = unfaulted(revoke(makeIdentity(), one, [b], NOON));
  expect(merged(one, forged.text, root.publicKey)).toMatchObject({ code: "fleet.forged" });
  expect(standing(a, { revoked: two, now: NOON })).toBe("fleet.revoked");
});

test("a signature of one kind counts for no other", () => {
  const root = makeIdentity();
  const text = signedText("revoked", { v: 1, number: 9, serials: [] }, root.key);
  expect(isFault(merged(NOBODY_REVOKED, text, root.publicKey))).toBe(false);
  const other = signedText("card", { v: 1, number: 9, serials: [] }, root.key);
  expect(merged(NOBODY_REVOKED, other, root.publicKey)).toMatchObject({ code: "fleet.forged" });
});

test("what expired long ago leaves the list, and no earlier", async () => {
  const { fleet } = await stage();
  const old = openCertificate(fleet.device().cert, fleet.root.publicKey);
  if (!old) throw new Error("no certificate");
  const list = unfaulted(revoke(fleet.root, NOBODY_REVOKED, [old], NOON));
  expect(unfaulted(revoke(fleet.root, list, [], old.until + 1)).serials.size).toBe(1);
  expect(unfaulted(revoke(fleet.root, list, [], old.until + 7 * 86_400_000)).serials.size).toBe(0);
});

test("the memory of nonces is bounded, refuses when full, and forgets none early", () => {
  const nonces = new Nonces();
  const devices = Array.from({ length: 9 }, (_, i) => `d_${i}`);
  const take = (device: string, i: number, now = NOON) => nonces.refuses(device, `${i}`, NOON + 30_000, now);
  for (let i = 0; i < 8_192; i += 1) expect(take("d_0", i)).toBeUndefined();
  expect(take("d_0", 8_192)).toBe("fleet.full");
  for (const device of devices.slice(1, 8)) for (let i = 0; i < 8_192; i += 1) take(device, i);
  expect(take("d_8", 0)).toBe("fleet.full");
  expect(take("d_0", 0)).toBe("fleet.replayed");
  expect(take("d_0", 0, NOON + 29_999)).toBe("fleet.replayed");
  // Half a minute later there is room again, and what was forgotten is late for good, wherever the clock goes.
  expect(nonces.refuses("d_8", "x", NOON + 60_000, NOON + 31_000)).toBeUndefined();
  expect(take("d_0", 0, NOON)).toBe("fleet.late");
});

test("no request is taken twice, whatever the clock does", () => {
  const step = fc.record({ nonce: fc.nat({ max: 5 }), skip: fc.integer({ min: -60_000, max: 60_000 }) });
  const once = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const nonces = new Nonces();
    const taken = new Set<string>();
    let now = NOON;
    for (const { nonce, skip } of steps) {
      now += skip;
      // A recorded request keeps its end.
      const until = NOON + nonce * 10_000;
      if (now >= until) continue;
      if (nonces.refuses("d", `${nonce}`, until, now) !== undefined) continue;
      expect(taken.has(`${nonce}`)).toBe(false);
      taken.add(`${nonce}`);
    }
  });
  fc.assert(once, { numRuns: 500 });
});

test("a refused request takes no memory", async () => {
  const { fleet, host } = await stage();
  const who = fleet.device();
  const nonce = "aaaaaaaaaaaaaaaaaaaaaa";
  await host.verifier.open(await host.sealed({ who, signed: { nonce }, key: makeIdentity() }));
  asked(await host.verifier.open(await host.sealed({ who, signed: { nonce } })));
});
