// Operations that are asked of one other machine of the fleet. Owns: those that wait for their answer. Nothing is kept while that
// machine is away, and nothing is asked twice unless it proved that it did nothing.
import { Buffer } from "node:buffer";
import { Cancel, type Cancelled } from "../../../core/base/cancellation.ts";
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { type HostId, subjects } from "../../../core/fleet/subjects.ts";
import { randomText } from "../../../host/fleet/bytes.ts";
import type { Card } from "../../../host/fleet/card.ts";
import type { Answer } from "../../../host/fleet/exchange.ts";
import { sealRequest } from "../../../host/fleet/request.ts";
import { bytesMaxOf } from "../far-answer.ts";
import type { Member } from "../members/membership.ts";
import type { Asker } from "../remote-host.ts";
import { unanswered } from "../unanswered.ts";
import { CALL, CANCEL, type CallBody, Collected, partsIn } from "./wire.ts";

/** The longest wait of an operation is 10 minutes. */
const ANSWER_MS = 660_000;
/** The next part of a large answer. */
const PART_MS = 10_000;
/** All of them: the longest answer, over a slow way. */
const ALL_PARTS_MS = 120_000;
/** A machine that was started again tells its card at once. */
const CARD_MS = 2_000;
/** It refuses what was sealed to the one before it by then. What is not refused was asked of that one, which is no more. */
const REFUSAL_MS = 1_000;

export const NEVER: Cancelled = { onCancel: () => undefined };

interface AskingParts {
  readonly bus: Bus;
  readonly member: Member;
  readonly clock: Clock;
  readonly name: string;
  card(): Card;
  /** Why nothing can be asked now. */
  away(): Fault | undefined;
  /** Nobody listens there. */
  gone(): void;
  /** Asks for its card. */
  hurry(): void;
  /** What comes on the subject of this name. Returns the end of listening. */
  listen(name: string, heard: (part: Uint8Array) => void): () => void;
}

type Asked = { readonly answer: Answer } | Fault;

interface Pending {
  readonly op: string;
  readonly given: Cancel;
  readonly epoch: string;
  /** That machine begins it before this, or never. */
  readonly until: number;
  /** Why nobody waits any more, unless its caller left. */
  lost?: string;
}

export class Asking {
  #parts: AskingParts;
  #pending = new Set<Pending>();
  #cardRuns = new Set<() => void>();

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  /** Once more if the machine was started again: it proves that it did nothing. */
  async ask(op: string, input: object, asker: Asker, cancelled: Cancelled): Promise<Asked> {
    const { card, hurry } = this.#parts;
    const { epoch } = card();
    const first = await this.#once(op, input, asker, cancelled);
    if (!isFault(first) || first.code !== "fleet.restarted") return first;
    // Its new card usually came before its refusal.
    if (card().epoch === epoch) {
      hurry();
      await this.#nextCard();
    }
    return card().epoch === epoch ? first : this.#once(op, input, asker, cancelled);
  }

  /** Its card came; `before`: its epoch until then. */
  carded(before: string): void {
    for (const run of [...this.#cardRuns]) run();
    const { epoch } = this.#parts.card();
    if (epoch === before) return;
    this.#parts.clock.after(REFUSAL_MS, () => {
      for (const call of [...this.#pending])
        if (call.epoch === before) end(call, "it was started again before it answered");
    });
  }

  /** Whoever waits for an answer is told now. */
  lose(why: string): void {
    for (const call of [...this.#pending]) end(call, why);
  }

  async #once(op: string, input: object, asker: Asker, cancelled: Cancelled): Promise<Asked> {
    const wrong = this.#parts.away();
    if (wrong) return wrong;
    const { bus, clock, member, card, listen, name } = this.#parts;
    const parts = streamName();
    const collected = new Collected(bytesMaxOf(op));
    const { surface, masked, connection, approvalWaitMs } = asker;
    const body: CallBody = { input, parts, surface, masked, connection, approval_wait_ms: approvalWaitMs };
    const asking = { identity: member.identities[asker.role], cert: member.certs[asker.role], actor: asker.actor };
    const { host, epoch } = card();
    const request = await sealRequest(card(), asking, op, Buffer.from(JSON.stringify(body)), clock.now());
    if (isFault(request)) return request;
    const call: Pending = { op, given: new Cancel(), epoch, until: request.until };
    this.#pending.add(call);
    cancelled.onCancel(() => {
      if (!this.#pending.has(call)) return;
      call.given.end();
      void this.#cancel(request.nonce, asker);
    });
    const end = listen(parts, (part) => collected.heard(part));
    try {
      const how = { timeoutMs: ANSWER_MS, cancelled: call.given };
      const message = await bus.request(subjects.op(host as HostId, CALL), request.bytes, how);
      if (isFault(message)) return this.#failed(message, call);
      const count = partsIn(message.data);
      const whole = count === 0 ? message.data : await this.#whole(collected, count, call);
      if (!whole) return fault("host.quiet", `${name} did not send all of its answer`, "What was asked was done.");
      const answer = request.answered(whole);
      return isFault(answer) ? answer : { answer };
    } finally {
      this.#pending.delete(call);
      end();
    }
  }

  /** Undefined: it did not come in time, or nobody waits for it any more. */
  async #whole(collected: Collected, count: number, { given }: Pending): Promise<Uint8Array | undefined> {
    const { clock } = this.#parts;
    const left = new Promise<void>((resolve) => given.onCancel(resolve));
    const until = clock.monotonic() + ALL_PARTS_MS;
    return collected.whole(count, () => {
      if (given.ended || clock.monotonic() > until) return Promise.resolve();
      return Promise.race([after(clock, PART_MS), left]);
    });
  }

  /** Nobody waits for it any more. That machine may have begun it. */
  async #cancel(nonce: string, asker: Asker): Promise<void> {
    if (!this.#parts.away()) await this.#once(CANCEL, { nonce }, asker, NEVER);
  }

  #failed(wrong: Fault, { op, lost, epoch, until }: Pending): Fault {
    const { name, gone, card, clock } = this.#parts;
    if (wrong.code === "host.gone") gone();
    if (wrong.code !== "host.quiet") return fault(wrong.code, `${name}: ${wrong.message}`, wrong.hint);
    // The daemon after it cannot open what was sealed to the one before.
    const beginsMs = epoch === card().epoch ? until - clock.now() : 0;
    return fault("host.quiet", `${name}: ${lost ?? wrong.message}`, unanswered(op, beginsMs));
  }

  #nextCard(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#cardRuns.delete(done);
        resolve();
      };
      this.#cardRuns.add(done);
      this.#parts.clock.after(CARD_MS, done);
    });
  }
}

function end(call: Pending, why: string): void {
  call.lost = why;
  call.given.end();
}

export function streamName(): string {
  return `x_${randomText()}`;
}

function after(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
