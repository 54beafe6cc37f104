// One operation on another machine, as it travels: a line for the way (host and epoch), and all else sealed to the host. Inside are
// what is asked, the certificate, and the device's signature over every field, over the body, and over the key of this very seal:
// a host that reads it can neither hand it on nor seal it again. This file is the device's end, and the form that both share.
import { sign } from "node:crypto";
import * as z from "zod";
import { type Fault, fault } from "../../core/base/fault.ts";
import { digest, lined, randomText, splitLine, textOf } from "./bytes.ts";
import type { Card } from "./card.ts";
import { type Answer, openAnswer } from "./exchange.ts";
import { isFleetCode, refused } from "./faults.ts";
import { sealTo } from "./hpke.ts";
import type { Identity } from "./keys.ts";
import { readSigned } from "./signed.ts";
import { HostId, Ms, Random } from "./words.ts";

/** A request begins within this time or never. It must cover a slow way, not the work: the largest message of a broker over 70 KB/s. */
export const BEGINS_WITHIN_MS = 15_000;
/** As over HTTP. */
const BODY_BYTES_MAX = 4 << 20;
const HEAD_BYTES_MAX = 64 << 10;
export const REQUEST_BYTES_MAX = BODY_BYTES_MAX + 2 * HEAD_BYTES_MAX;
export const WAY_CHARS_MAX = 60;

/** What stands before the body, inside of the seal. */
export const Head = z.strictObject({
  cert: z.string().max(HEAD_BYTES_MAX),
  /** The certificate's device is added by the host. */
  actor: z.string().regex(/^(?:person|agent:[\w.-]{1,40})$/),
  op: z.string().regex(/^\w{1,60}$/),
  at: Ms,
  until: Ms,
  nonce: Random,
  sig: z.string().length(86),
});
export type Head = z.output<typeof Head>;

const Refusal = z.strictObject({ request: z.string(), code: z.string() });

export interface Way {
  readonly host: string;
  readonly epoch: string;
}

const WayForm = z.tuple([z.literal("duetty-op-1"), HostId, Random]);

export function lineOf({ host, epoch }: Way): string {
  return `duetty-op-1 ${host} ${epoch}`;
}

export function readWay(line: string): Way | undefined {
  const [, host, epoch] = WayForm.safeParse(line.split(" ")).data ?? [];
  return host === undefined || epoch === undefined ? undefined : { host, epoch };
}

/** No field has a line feed, so these lines can be read in one way only. */
export function linesToSign(way: Way, head: Omit<Head, "sig">, enc: Uint8Array, body: Uint8Array): Buffer {
  const { op, actor, at, until, nonce, cert } = head;
  const fields = [way.host, op, actor, at, until, nonce, way.epoch, digest(body), textOf(enc), digest(cert)];
  return Buffer.from(["duetty-op-1", ...fields].join("\n"));
}

export function splitHead(text: Uint8Array): { line: string; rest: Uint8Array } | undefined {
  return splitLine(text, HEAD_BYTES_MAX);
}

/** Who asks: the key of a person or an agent on this machine, and its certificate. */
interface Asking {
  readonly identity: Identity;
  readonly cert: string;
  readonly actor: string;
}

export interface Sealed {
  readonly bytes: Uint8Array;
  readonly nonce: string;
  /** The host begins it before this, by our clock, or never. */
  readonly until: number;
  /** What came back. A fault that the host did not prove is never taken for its word. */
  answered(bytes: Uint8Array): Answer | Fault;
}

/** `now`: our clock. Times inside are the host's, as its card told them. */
export async function sealRequest(
  card: Card,
  { identity, cert, actor }: Asking,
  op: string,
  body: Uint8Array,
  now: number,
): Promise<Sealed | Fault> {
  if (body.length > BODY_BYTES_MAX) return fault("request.invalid", "the request is too large", "4 MiB are the most.");
  const at = now + card.ahead;
  const head = { cert, actor, op, at, until: at + BEGINS_WITHIN_MS, nonce: randomText() };
  const line = lineOf(card);
  const seal = await sealTo(card.seal_key, Buffer.from(line), (enc) => {
    const sig = textOf(sign(null, linesToSign(card, head, enc, body), identity.key));
    return lined(JSON.stringify(Head.parse({ ...head, sig })), body);
  });
  if (!seal) return refused("fleet.forged", "the key of that machine");
  const bytes = lined(line, seal.enc, seal.sealed);
  const answered = (back: Uint8Array) => openAnswer(seal, back) ?? refusalIn(back, bytes, card.key);
  return { bytes, nonce: head.nonce, until: now + BEGINS_WITHIN_MS, answered };
}

/** The host could not open it, or would not: it says so with its own key, and of which request. */
function refusalIn(back: Uint8Array, request: Uint8Array, key: string): Fault {
  const said = readSigned("refusal", Buffer.from(back).toString("utf8"), Refusal)?.by(key);
  if (said === undefined || said.request !== digest(request) || !isFleetCode(said.code)) {
    return refused("fleet.forged", "an answer");
  }
  return refused(said.code);
}
