// Every message between machines, damaged: with one bit flipped, cut short, or replaced by noise. Each is refused and none throws.
import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { openCard } from "../../../src/host/fleet/card.ts";
import { merged, NOBODY_REVOKED, openCertificate, revoke } from "../../../src/host/fleet/certificate.ts";
import { askToJoin, joined, readCode } from "../../../src/host/fleet/invitation.ts";
import { Invitations } from "../../../src/host/fleet/invitations.ts";
import { makeIdentity } from "../../../src/host/fleet/keys.ts";
import { depth } from "../../fixtures/depth.ts";
import { codeOf, Fleet, NOON, turned, unfaulted } from "../../fixtures/fleet/fleet.ts";

interface Message {
  readonly bytes: Buffer;
  /** The code of the refusal, or "taken". */
  readonly open: (given: Buffer) => Promise<string> | string;
  /** Codes that a cut message and noise are refused with. */
  readonly refusal: RegExp;
  /** The same for a flipped bit, where it may lead to another refusal. */
  readonly flipRefusal?: RegExp;
  /** Noise after an honest beginning. */
  readonly begun?: string;
}

const FORGED = /^fleet\.forged$/;
const ANY_REFUSAL = /^(?:fleet|input)\.\w+$/;
/** A shorter message is tried with every single bit. */
const EVERY_BIT_BYTES_MAX = 100;

const outcome = (result: unknown): string => (isFault(result) ? result.code : "taken");

function textMessage(text: string, open: (text: string) => unknown): Pick<Message, "bytes" | "open"> {
  const decoded = (given: Buffer) => given.toString(isUtf8(given) ? "utf8" : "latin1");
  return { bytes: Buffer.from(text), open: (given) => outcome(open(decoded(given))) };
}

async function exchange() {
  const fleet = new Fleet();
  const host = await fleet.host();
  return { fleet, host, who: fleet.device() };
}

const GUEST = {
  url: "tls://broker.example:4222",
  device: "d_bbbbbbbb",
  name: "desk",
  host: "h_bbbbbbbb",
  roles: ["person" as const],
  nkey: "SUAEXAMPLE",
  hosts: ["*" as const],
  login: "SUALATER",
};

function invitation() {
  const invitations = new Invitations(makeIdentity());
  const code = unfaulted(invitations.invite(GUEST, NOON));
  const invited = unfaulted(readCode(code, NOON));
  const keys = { person: makeIdentity().publicKey };
  const request = askToJoin(invited, keys);
  const admit = (given: Uint8Array) => invitations.admit(given, NOBODY_REVOKED, NOON);
  return { code, invited, keys, request, admit };
}

const MESSAGES: Readonly<Record<string, () => Promise<Message> | Message>> = {
  "a request": async () => {
    const { host, who } = await exchange();
    const { bytes } = await host.ask(who);
    return {
      bytes: Buffer.from(bytes),
      open: async (given) => codeOf(await host.verifier.open(given)),
      refusal: FORGED,
      flipRefusal: /^fleet\.(?:forged|not_for_me|restarted)$/,
      begun: `duetty-op-1 ${host.host} ${host.epoch}\n`,
    };
  },
  "an answer": async () => {
    const { host, who } = await exchange();
    const { request, answer } = await host.exchanged(who);
    const open = (given: Buffer) => outcome(request.answered(given));
    return { bytes: Buffer.from(answer.bytes), open, refusal: FORGED };
  },
  "a frame of a stream": async () => {
    const { host, who } = await exchange();
    const { request, answer } = await host.exchanged(who);
    const device = unfaulted(request.answered(answer.bytes)).seals("s1");
    const bytes = Buffer.from(answer.seals("s1").out.seal(0, 1, Buffer.from("echo hello\n")));
    const open = (given: Buffer) => (device.out.open(0, 1, given) === undefined ? "undefined" : "taken");
    return { bytes, open, refusal: /^undefined$/ };
  },
  "a card": async () => {
    const { fleet, host } = await exchange();
    const trust = { root: fleet.root.publicKey, revoked: fleet.revoked, now: fleet.now };
    return { ...textMessage(host.cardText(), (text) => openCard(text, trust)), refusal: FORGED };
  },
  "a list of revoked certificates": () => {
    const fleet = new Fleet();
    const { root } = fleet;
    const device = openCertificate(fleet.device().cert, root.publicKey);
    const list = unfaulted(revoke(root, NOBODY_REVOKED, device ? [device] : [], NOON));
    const open = (text: string) => merged(NOBODY_REVOKED, text, root.publicKey);
    return { ...textMessage(list.text, open), refusal: ANY_REFUSAL };
  },
  "an invitation code": () => {
    const { code } = invitation();
    return { ...textMessage(code, (text) => readCode(text, NOON)), refusal: ANY_REFUSAL };
  },
  "a request to join": () => {
    const { request, admit } = invitation();
    return { bytes: Buffer.from(request), open: (given) => outcome(admit(given)), refusal: ANY_REFUSAL };
  },
  "an answer to a request to join": () => {
    const { invited, keys, request, admit } = invitation();
    const { answer } = unfaulted(admit(request));
    const open = (given: Buffer) => outcome(joined(invited, keys, request, given));
    return { bytes: Buffer.from(answer), open, refusal: FORGED };
  },
};

test.each(Object.entries(MESSAGES))(
  "%s with any bit flipped, cut anywhere or made of noise is refused",
  async (_, make) => {
    const { bytes, open, refusal, flipRefusal = refusal, begun = "" } = await make();
    const lastBit = bytes.length * 8 - 1;
    if (bytes.length <= EVERY_BIT_BYTES_MAX) {
      const outcomes: string[] = [];
      for (let bit = 0; bit <= lastBit; bit += 1) outcomes.push(await open(turned(bytes, bit)));
      expect(outcomes.filter((code) => !flipRefusal.test(code))).toEqual([]);
    }
    const flips = fc.asyncProperty(fc.nat(lastBit), async (bit) => {
      expect(await open(turned(bytes, bit))).toMatch(flipRefusal);
    });
    await fc.assert(flips, { numRuns: depth(150, 600) });
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((random) => Buffer.from(random)),
      fc.string().map((text) => Buffer.from(text)),
    );
    const others = fc.oneof(
      fc.nat(bytes.length - 1).map((end) => bytes.subarray(0, end)),
      noise,
      noise.map((rest) => Buffer.concat([Buffer.from(begun), rest])),
    );
    const refused = fc.asyncProperty(others, async (given) => {
      expect(await open(given)).toMatch(refusal);
    });
    await fc.assert(refused, { numRuns: depth(100, 400) });
    // The failures have changed nothing: the honest message still counts.
    expect(await open(bytes)).toBe("taken");
  },
);
