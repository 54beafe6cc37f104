// The host's end of an operation: what is looked at, in this order. Nothing that it refuses was done, and nobody who is not of the
// fleet takes any of its memory. Owns: the nonces of this epoch. Refuses: to know operations; levels.ts says who may do which.
import type { Fault } from "../../core/base/fault.ts";
import { bytesOf, digest, splitLine } from "./bytes.ts";
import { type Certificate, openCertificate, type Revoked, standing } from "./certificate.ts";
import { type Answer, sealAnswer } from "./exchange.ts";
import { type FleetCode, refused } from "./faults.ts";
import { ENC_BYTES, type EpochKey, openSealed, type Shared } from "./hpke.ts";
import type { Identity } from "./keys.ts";
import { Nonces } from "./nonces.ts";
import {
  BEGINS_WITHIN_MS,
  Head,
  linesToSign,
  REQUEST_BYTES_MAX,
  readWay,
  splitHead,
  WAY_CHARS_MAX,
  type Way,
} from "./request.ts";
import { isSignedBy, readJson, signedText } from "./signed.ts";

/** A device knows our time from a card that took its way, so its own is never ahead by much. */
const AHEAD_MS_MAX = 5_000;
/** What is being opened at one time: a thousand small requests, or sixteen large ones. */
const OPENING_BYTES_MAX = 64 << 20;
const OPENING_BYTES_EACH = 64 << 10;

interface VerifierParts extends Way {
  readonly epochKey: EpochKey;
  /** The host's own: refusals are signed with it. */
  readonly identity: Identity;
  /** The root's public key. */
  readonly root: string;
  revoked(): Revoked;
  /** The clock of our cards. */
  now(): number;
}

/** A request that was found to be true. */
export interface Asked {
  readonly op: string;
  /** person or agent:NAME, as the device says; the certificate says of which device. */
  readonly actor: string;
  readonly certificate: Certificate;
  readonly nonce: string;
  readonly body: Uint8Array;
  answer(status: number, body: Uint8Array): Answer & { readonly bytes: Uint8Array };
}

/** Why not, and what the device is told: signed by us, about this request. */
export interface Refused {
  readonly fault: Fault;
  readonly bytes: Uint8Array;
}

export class Verifier {
  #parts: VerifierParts;
  #nonces = new Nonces();
  #opening = 0;

  constructor(parts: VerifierParts) {
    this.#parts = parts;
  }

  async open(bytes: Uint8Array): Promise<Asked | Refused> {
    const cost = Math.max(bytes.length, OPENING_BYTES_EACH);
    if (bytes.length > REQUEST_BYTES_MAX) return this.#refusal("fleet.forged", bytes);
    if (this.#opening + cost > OPENING_BYTES_MAX) return this.#refusal("fleet.full", bytes);
    this.#opening += cost;
    const found = await this.#opened(bytes).finally(() => (this.#opening -= cost));
    return typeof found === "string" ? this.#refusal(found, bytes) : found;
  }

  async #opened(bytes: Uint8Array): Promise<Asked | FleetCode> {
    const { line, rest } = splitLine(bytes, WAY_CHARS_MAX) ?? {};
    const way = line === undefined ? undefined : readWay(line);
    if (!way || line === undefined || rest === undefined) return "fleet.forged";
    if (way.host !== this.#parts.host) return "fleet.not_for_me";
    if (way.epoch !== this.#parts.epoch) return "fleet.restarted";
    const enc = rest.slice(0, ENC_BYTES);
    const sealed = rest.subarray(ENC_BYTES);
    const shared = await openSealed(this.#parts.epochKey, Buffer.from(line), enc, sealed);
    return shared ? this.#read(way, shared, shared.text) : "fleet.forged";
  }

  /** In one turn: between the look at a nonce and its being taken nobody else comes in. */
  #read(way: Way, shared: Shared, text: Uint8Array): Asked | FleetCode {
    const { line, rest: body } = splitHead(text) ?? {};
    const head = line === undefined ? undefined : readJson(Buffer.from(line), Head);
    if (!head || body === undefined) return "fleet.forged";
    const certificate = openCertificate(head.cert, this.#parts.root);
    if (!certificate) return "fleet.forged";
    const signature = bytesOf(head.sig);
    const isTrue = signature && isSignedBy(certificate.key, linesToSign(way, head, shared.enc, body), signature);
    if (!isTrue) return "fleet.forged";
    const { op, actor, nonce } = head;
    const why = this.#unfit(certificate, actor) ?? this.#untimely(head, certificate.device);
    return why ?? { op, actor, certificate, nonce, body, answer: (status, back) => sealAnswer(shared, status, back) };
  }

  #unfit(certificate: Certificate, actor: string): FleetCode | undefined {
    const wrong = standing(certificate, { revoked: this.#parts.revoked(), now: this.#parts.now() });
    if (wrong) return wrong;
    const { role, hosts } = certificate;
    const isHere = hosts.includes("*") || hosts.includes(this.#parts.host);
    const isOwn = role === "person" ? actor === "person" : role === "agent" && actor.startsWith("agent:");
    return isHere && isOwn ? undefined : "fleet.not_allowed";
  }

  #untimely({ at, until, nonce }: Head, device: string): FleetCode | undefined {
    const now = this.#parts.now();
    if (at > now + AHEAD_MS_MAX || until <= at || until - at > BEGINS_WITHIN_MS) return "fleet.clock";
    return now >= until ? "fleet.late" : this.#nonces.refuses(device, nonce, until, now);
  }

  #refusal(code: FleetCode, request: Uint8Array): Refused {
    const text = signedText("refusal", { request: digest(request), code }, this.#parts.identity.key);
    return { fault: refused(code), bytes: Buffer.from(text) };
  }
}
