// This machine as others of the fleet see it: its card, and operations that they ask. Each is opened and judged by the keys of the
// fleet (host/fleet/verifier.ts) and by this machine's own fleet.json, then performed like any other call. Owns: the epoch.

import { Cancel } from "../../../core/base/cancellation.ts";
import type { Changes } from "../../../core/base/changes.ts";
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Bus, BusMessage } from "../../../core/fleet/bus.ts";
import { subjects } from "../../../core/fleet/subjects.ts";
import { randomText } from "../../../host/fleet/bytes.ts";
import { writeCard } from "../../../host/fleet/card.ts";
import { refused } from "../../../host/fleet/faults.ts";
import { makeEpochKey } from "../../../host/fleet/hpke.ts";
import { forbids, levelOf, type Need, needOf } from "../../../host/fleet/levels.ts";
import { notAllowed } from "../../../host/fleet/not-allowed.ts";
import { type Asked, Verifier } from "../../../host/fleet/verifier.ts";
import { type AnyOp, ops } from "../../../protocol/ops.ts";
import { API_PROTOCOL, VERSION } from "../../../protocol/plain/version.ts";
import { type Call, type Caller, calledFrom } from "../../auth.ts";
import type { Log } from "../../log.ts";
import type { Perform } from "../../perform.ts";
import { packed } from "../far-answer.ts";
import { farJson } from "../far-json.ts";
import { listed } from "../listed.ts";
import type { Member, Membership } from "../members/membership.ts";
import type { HostStreams } from "./host-streams.ts";
import { ATTACH, CANCEL, CallBody, inParts, LISTS, REVOKED } from "./wire.ts";

/** A machine that said nothing for three of these counts as quiet. */
const HERE_MS = 10_000;
/** Changes are told so often at most. */
const NEWS_MS = 200;
/** All answer when somebody asks who is there: spread, so that a thousand do not speak at once. */
const SPREAD_MS = 100;

/** Ends of calls that are over already are among them, so only the newest are kept. */
const EARLY_MAX = 256;
/** A device and a nonce. */
const KEY_CHARS_MAX = 100;
/** Every device may say them: the list of those that were put out, and a nonce. */
const [LIST_BYTES_MAX, CANCEL_BYTES_MAX] = [2 << 20, 1 << 10];

const OPS: ReadonlyMap<string, AnyOp> = new Map(ops.map((op) => [op.name, op]));

export interface HostSideParts {
  readonly bus: Bus;
  readonly member: Member;
  readonly membership: Membership;
  readonly clock: Clock;
  readonly changes: Changes;
  readonly log: Log;
  readonly perform: Perform;
  random(): number;
  counts(): { readonly sessions: number; readonly pending: number };
  /** Every call that does more than look is written down. */
  note(event: object, input: unknown): void;
  /** Opens a terminal's stream; the answer is sent before its first frame. */
  attach: HostStreams["attach"];
}

/** A call under way. */
interface Under {
  readonly cancelled: Cancel;
  readonly certificate: Asked["certificate"];
  readonly need: Need;
}

export class HostSide {
  readonly epoch = randomText();
  #parts: HostSideParts;
  #verifier: Verifier;
  #sealKey: string;
  #ends: (() => void)[] = [];
  #calls = new Map<string, Under>();
  /** Calls whose end came before they did. */
  #early = new Set<string>();
  #isAsked = false;
  #isOver = false;
  #toldSeq = 0;
  #card: { readonly text: string; readonly at: number } | undefined;

  static async open(parts: HostSideParts): Promise<HostSide> {
    return new HostSide(parts, await makeEpochKey());
  }

  private constructor(parts: HostSideParts, epochKey: Awaited<ReturnType<typeof makeEpochKey>>) {
    this.#parts = parts;
    this.#sealKey = epochKey.publicKey;
    const { member, membership, bus, clock } = parts;
    this.#verifier = new Verifier({
      ...{ host: member.host, epoch: this.epoch, epochKey, identity: member.identities.host, root: member.root },
      revoked: () => membership.revoked(),
      now: () => clock.now(),
    });
    const heard = bus.subscribe(subjects.ops(member.host), (message) => {
      this.#asked(message).catch((error: unknown) => parts.log.error(error));
    });
    const who = bus.subscribe(subjects.who, () => this.#whoIsThere());
    // Whoever asked cannot be answered any more, and was told so.
    const status = bus.onStatus((now) => (now === "connected" ? this.#here() : this.#endCalls(() => true)));
    const changed = membership.onChange(() => {
      this.#endCalls((certificate, need) => this.#isOut(certificate, need));
      // Whoever may see more or less here asks anew.
      parts.changes.bump();
    });
    this.#ends = [() => heard.close(), () => who.close(), status, changed];
    this.#here();
    this.#beat();
    void this.#follow();
  }

  /** Whose certificate was taken back is heard no more. */
  close(): void {
    this.#isOver = true;
    const { bus, member } = this.#parts;
    if (bus.status === "connected") bus.publish(subjects.here(member.host), Buffer.from(this.#cardText("gone")));
    for (const end of this.#ends) end();
    this.#endCalls(() => true);
  }

  #endCalls(concerns: (certificate: Asked["certificate"], need: Need) => boolean): void {
    for (const { cancelled, certificate, need } of [...this.#calls.values()])
      if (concerns(certificate, need)) cancelled.end();
  }

  /** Put out since, or allowed less here. */
  #isOut(certificate: Asked["certificate"], need: Need): boolean {
    return this.#isRevoked(certificate) || this.#forbids(certificate, need) !== undefined;
  }

  #isRevoked({ serial }: Asked["certificate"]): boolean {
    return this.#parts.membership.revoked().serials.has(serial);
  }

  /** By fleet.json as it is now. */
  #forbids({ device, role, name }: Asked["certificate"], need: Need): Fault | undefined {
    const { membership, member } = this.#parts;
    const rules = membership.rules();
    const may = { person: levelOf(rules, device, "person"), agent: levelOf(rules, device, "agent") };
    return (
      forbids(levelOf(rules, device, role), need) && notAllowed({ host: member.name, device: name, role, need, may })
    );
  }

  /** One answer for all who ask meanwhile: everybody hears it. */
  #whoIsThere(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#parts.clock.after(this.#parts.random() * SPREAD_MS, () => {
      this.#isAsked = false;
      this.#here();
    });
  }

  #beat(): void {
    this.#parts.clock.after(HERE_MS, () => {
      if (this.#isOver) return;
      this.#here();
      this.#beat();
    });
  }

  #here(): void {
    const { bus, member } = this.#parts;
    if (!this.#isOver && bus.status === "connected")
      bus.publish(subjects.here(member.host), Buffer.from(this.#current()));
  }

  /** Signing takes time, and a thousand may ask who is there. */
  #current(): string {
    const { clock, changes } = this.#parts;
    const isOld = !this.#card || clock.monotonic() - this.#card.at > NEWS_MS || this.#toldSeq !== changes.seq;
    if (isOld) this.#card = { text: this.#cardText(), at: clock.monotonic() };
    this.#toldSeq = changes.seq;
    return this.#card?.text ?? "";
  }

  #cardText(gone?: "gone"): string {
    const { member, clock, changes, counts } = this.#parts;
    return writeCard(member.identities.host, {
      ...{ host: member.host, name: member.name, epoch: this.epoch, version: VERSION, protocol: API_PROTOCOL },
      ...{ seal_key: this.#sealKey, now: clock.now(), seq: changes.seq, ...counts(), cert: member.certs.host },
      ...(gone && { gone: true as const }),
    });
  }

  /** What changed is asked for by those who show it. */
  async #follow(): Promise<void> {
    const { bus, member, changes, clock } = this.#parts;
    for (let seq = changes.seq; !this.#isOver; seq = changes.seq) {
      await changes.next(seq, HERE_MS);
      if (this.#isOver || changes.seq === seq) continue;
      const { pending } = this.#parts.counts();
      const news = JSON.stringify({ epoch: this.epoch, seq: changes.seq, pending });
      if (bus.status === "connected") bus.publish(subjects.news(member.host), Buffer.from(news));
      await new Promise<void>((resolve) => void clock.after(NEWS_MS, resolve));
    }
  }

  async #asked({ data, reply }: BusMessage): Promise<void> {
    if (!reply) return;
    const asked = await this.#verifier.open(data);
    if ("fault" in asked) return void reply(asked.bytes);
    // Of whoever may not ask for it, not even the question is read.
    const wrong = this.#refuses(asked);
    const body = CallBody.safeParse(wrong ? undefined : farJson(asked.body));
    const invalid = { error: { code: "input.invalid" } };
    const answer = wrong ?? (body.success ? await this.#answered(asked, body.data) : invalid);
    const bytes = answer instanceof Uint8Array ? answer : asked.answer(...packed(answer)).bytes;
    const { bus, member } = this.#parts;
    if (bus.status !== "connected" || this.#isOver) return;
    const cut = inParts(bytes, bus.bytesMax);
    reply(cut.reply);
    if (!body.success) return;
    const { device } = asked.certificate;
    for (const part of cut.parts)
      bus.publish(subjects.out(member.host, device as `d_${string}`, body.data.parts), part);
  }

  #refuses({ certificate, op: name, body }: Asked): Fault | undefined {
    if (name === REVOKED || name === CANCEL) {
      const most = name === REVOKED ? LIST_BYTES_MAX : CANCEL_BYTES_MAX;
      return body.length > most
        ? fault("request.invalid", "the request is too large", `${most} bytes are the most.`)
        : undefined;
    }
    const op = OPS.get(name);
    if (name === ATTACH || name === LISTS) return this.#forbids(certificate, "watch");
    return op ? this.#forbids(certificate, needOf(op)) : refused("fleet.not_for_me");
  }

  async #answered(asked: Asked, body: CallBody): Promise<object | Uint8Array> {
    const { certificate, op: name } = asked;
    const op = OPS.get(name);
    const agent = asked.actor.startsWith("agent:") ? asked.actor.slice("agent:".length) : undefined;
    const caller: Caller = { ...calledFrom(certificate.name, agent), ...(body.masked && { masked: true }) };
    if (name === REVOKED) return this.#told(body.input);
    if (name === CANCEL) return this.#cancelled(certificate.device, body.input);
    const { device, serial } = certificate;
    if (name === ATTACH || (op && needOf(op) !== "watch"))
      this.#parts.note({ kind: "fleet", op: name, actor: asked.actor, device, serial, nonce: asked.nonce }, body.input);
    // Frames of a stream act, too: what may be done is looked at each time.
    const perform: Perform = async (one, input, call) =>
      this.#forbids(certificate, needOf(one)) ?? this.#parts.perform(one, input, call);
    const may = this.#forbids(certificate, "drive") ? "watch" : "drive";
    if (name === ATTACH) return this.#attached(asked, { caller, perform, may }, body.input);
    const one = async (op: AnyOp | undefined, input: unknown, call: Call) =>
      op ? perform(op, input, call) : refused("fleet.not_for_me");
    const all = (call: Call) => listed((name, input) => one(OPS.get(name), input, call));
    const work = name === LISTS ? all : (call: Call) => one(op, body.input, call);
    const { surface, connection, approval_wait_ms: approvalWaitMs } = body;
    const given = { ...caller, ...(connection !== undefined && { connection }), surface, approvalWaitMs };
    return this.#performed(asked, op ? needOf(op) : "watch", given, work);
  }

  #attached(asked: Asked, wanted: Parameters<HostStreams["attach"]>[1], input: unknown): object | Uint8Array {
    const stream = this.#parts.attach(asked, wanted, input);
    return isFault(stream) ? stream : stream.begin(asked.answer);
  }

  async #performed(
    { certificate, nonce }: Asked,
    need: Need,
    given: Omit<Call, "cancelled">,
    work: (call: Call) => Promise<object>,
  ): Promise<object> {
    const cancelled = new Cancel();
    const key = `${certificate.device} ${nonce}`;
    if (this.#early.delete(key)) return refused("fleet.late");
    this.#calls.set(key, { cancelled, certificate, need });
    try {
      const done = await work({ ...given, cancelled });
      // Whoever was put out meanwhile learns nothing more.
      return this.#isRevoked(certificate) ? refused("fleet.revoked") : (this.#forbids(certificate, need) ?? done);
    } catch (error) {
      this.#parts.log.error(error);
      return { error: { code: "internal", message: String(error), hint: "That machine's log has more." } };
    } finally {
      this.#calls.delete(key);
    }
  }

  #cancelled(device: string, input: unknown): object {
    const key = `${device} ${Object(input).nonce}`.slice(0, KEY_CHARS_MAX);
    const call = this.#calls.get(key);
    call?.cancelled.end();
    // A large request is opened more slowly than the word that nobody waits for it.
    if (!call) this.#early.add(key);
    const [oldest] = this.#early;
    if (oldest !== undefined && this.#early.size > EARLY_MAX) this.#early.delete(oldest);
    return {};
  }

  #told(input: unknown): object {
    const text = Object(input).list;
    const taken = typeof text === "string" ? this.#parts.membership.takeRevoked(text) : refused("fleet.forged");
    return isFault(taken) ? taken : { list: this.#parts.membership.revoked().text };
  }
}
