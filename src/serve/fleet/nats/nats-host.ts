// Another machine of the fleet, by its newest card. Owns: what is known of how it stands, and the calls and terminals that are open
// there. What is asked of it is in asking.ts.
import type { Cancelled } from "../../../core/base/cancellation.ts";
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { DeviceStream } from "../../../core/fleet/stream/device.ts";
import { type HostId, subjects } from "../../../core/fleet/subjects.ts";
import type { Card } from "../../../host/fleet/card.ts";
import { API_PROTOCOL } from "../../../protocol/plain/version.ts";
import { readAnswer } from "../far-answer.ts";
import type { Member } from "../members/membership.ts";
import type { Asker, FarSocket, HostNow, Reach, RemoteHost } from "../remote-host.ts";
import { nothingSent } from "../unanswered.ts";
import { Asking, NEVER, streamName } from "./asking.ts";
import { LateSocket } from "./late-socket.ts";
import { ATTACH, CALL, LISTS } from "./wire.ts";

/** A beacon and a half: the broker knows at once whether anybody still listens there. */
const MISSED_MS = 15_000;
/** Three beacons. */
const QUIET_MS = 30_000;
const GONE_MS = 120_000;
interface NatsHostParts {
  readonly bus: Bus;
  readonly member: Member;
  readonly clock: Clock;
  readonly address: string;
  /** How it is called here: its own name, unless another machine has that. */
  readonly name: string;
}

export class NatsHost implements RemoteHost {
  readonly way = "nats";
  readonly name: string;
  readonly address: string;
  readonly me: string;
  #parts: NatsHostParts;
  #card: Card;
  #heardAt: number;
  #now: HostNow;
  #timer: (() => void) | undefined;
  #listeners = new Map<string, (frame: Uint8Array) => void>();
  #sockets = new Set<LateSocket>();
  #asking: Asking;
  #reachRuns = new Set<() => void>();
  #newsRuns = new Set<() => void>();
  #seq: number;

  constructor(card: Card, parts: NatsHostParts) {
    this.#parts = parts;
    [this.name, this.address, this.me, this.#card] = [parts.name, parts.address, parts.member.name, card];
    [this.#heardAt, this.#seq] = [parts.clock.monotonic(), card.seq];
    this.#now = { reach: "connecting", why: null, since: parts.clock.now(), version: card.version };
    this.#asking = new Asking({
      ...{ bus: parts.bus, member: parts.member, clock: parts.clock, name: parts.name },
      card: () => this.#card,
      away: () => (this.#now.reach === "here" ? undefined : this.#awayFault()),
      gone: () => this.#tell("gone", "nobody answers for it"),
      hurry: () => this.hurry(),
      listen: (name, heard) => this.#listen(name, heard),
    });
    this.carded(card);
  }

  get id(): HostId {
    return this.#card.host as HostId;
  }

  get now(): HostNow {
    return this.#now;
  }

  onReach(run: () => void): () => void {
    this.#reachRuns.add(run);
    return () => void this.#reachRuns.delete(run);
  }

  onNews(run: () => void): () => void {
    this.#newsRuns.add(run);
    return () => void this.#newsRuns.delete(run);
  }

  hurry(): void {
    this.#parts.bus.publish(subjects.who, new Uint8Array());
  }

  async close(): Promise<void> {
    this.#timer?.();
    this.#lose("it is no longer known here");
  }

  /** Its newest card. */
  carded(card: Card): void {
    const isNew = card.epoch !== this.#card.epoch || this.#now.reach !== "here";
    const [before, epoch] = [this.#seq, this.#card.epoch];
    [this.#card, this.#seq, this.#heardAt] = [card, card.seq, this.#parts.clock.monotonic()];
    this.#timer?.();
    if (card.gone) return this.#tell("gone", "its daemon was stopped");
    this.#watch();
    const older = card.protocol < API_PROTOCOL ? `${this.name} is older` : "this machine is older";
    if (card.protocol !== API_PROTOCOL)
      return this.#tell("refused", `${older}: ${this.name} has duetty ${card.version} (protocol ${card.protocol})`);
    this.#tell("here", null);
    // What was open there ended with the daemon before this one.
    if (card.epoch !== epoch) for (const socket of [...this.#sockets]) socket.lost();
    this.#asking.carded(epoch);
    if (isNew || before !== card.seq) this.#news();
  }

  /** It says that something changed; only a hint. */
  changed(seq: unknown): void {
    if (this.#now.reach === "here" && seq !== this.#seq && typeof seq === "number") {
      this.#seq = seq;
      this.#news();
    }
  }

  /** A frame, or a part of an answer, for what is open here. */
  heard(stream: string, data: Uint8Array): void {
    this.#listeners.get(stream)?.(data);
  }

  /** The broker is away, which is not its fault; or there again. */
  away(why: string | undefined): void {
    this.#timer?.();
    if (why !== undefined) return this.#tell("quiet", `the broker is away: ${why}`);
    this.#tell("quiet", "it has not been heard since the broker is back");
    this.#heardAt = this.#parts.clock.monotonic();
    this.#watch();
  }

  async call(op: string, input: object, asker: Asker, cancelled: Cancelled): Promise<object | Fault> {
    const asked = await this.#asking.ask(op, input, asker, cancelled);
    return isFault(asked) ? asked : readAnswer(this.name, op, asked.answer);
  }

  lists(asker: Asker, cancelled: Cancelled): Promise<object | Fault> {
    return this.call(LISTS, {}, asker, cancelled);
  }

  open(session_id: string, query: URLSearchParams, asker: Asker): FarSocket {
    const name = streamName();
    const { bus, member, clock } = this.#parts;
    const make = async () => {
      const input = { session_id, query: query.toString(), stream: name };
      const asked = await this.#asking.ask(ATTACH, input, asker, NEVER);
      const wrong = isFault(asked) ? asked : readAnswer(this.name, ATTACH, asked.answer);
      if (isFault(asked) || isFault(wrong)) {
        onEnd();
        return wrong as Fault;
      }
      const subject = subjects.in(this.id, member.device, name);
      const send = (frame: Uint8Array) => bus.publish(subject, frame);
      const seals = asked.answer.seals(name);
      return { stream: new DeviceStream({ send, seals, clock, flow: "taken", onEnd }) };
    };
    // Whoever numbers what they type hears what arrived: they send the rest again, or tell it.
    const socket: LateSocket = new LateSocket(make, query.has("viewer") ? "sent_again" : "told");
    const deaf = this.#listen(name, (frame) => socket.heard(frame));
    const onEnd = () => {
      deaf();
      this.#sockets.delete(socket);
    };
    this.#sockets.add(socket);
    return socket;
  }

  #awayFault(): Fault {
    const { reach, why } = this.#now;
    const code = reach === "refused" ? "host.refused" : reach === "gone" ? "host.gone" : "host.quiet";
    return fault(code, `${this.name} is not here${why === null ? "" : `: ${why}`}`, nothingSent());
  }

  /** Cards stop coming before anything else says that a machine is away. */
  #watch(): void {
    this.#timer?.();
    const { clock } = this.#parts;
    const silent = clock.monotonic() - this.#heardAt;
    const next = [MISSED_MS, QUIET_MS, GONE_MS].find((ms) => silent < ms);
    if (next === undefined) return;
    this.#timer = clock.after(next - silent, () => {
      if (next === MISSED_MS) void this.#knock();
      else this.#tell(next === QUIET_MS ? "quiet" : "gone", "it has said nothing for a while");
      this.#watch();
    });
  }

  /** An empty request asks for nothing. Where a daemon was killed, the broker says that nobody listens. */
  async #knock(): Promise<void> {
    const heardAt = this.#heardAt;
    const how = { timeoutMs: QUIET_MS - MISSED_MS };
    const heard = await this.#parts.bus.request(subjects.op(this.id, CALL), new Uint8Array(), how);
    const isNobody = isFault(heard) && heard.code === "host.gone";
    if (isNobody && heardAt === this.#heardAt) this.#tell("gone", "nobody answers for it");
  }

  #listen(name: string, heard: (data: Uint8Array) => void): () => void {
    this.#listeners.set(name, heard);
    return () => void this.#listeners.delete(name);
  }

  #news(): void {
    for (const run of [...this.#newsRuns]) run();
  }

  /** Whoever waits for an answer is told now, and terminals connect again when they can. */
  #lose(why: string): void {
    this.#asking.lose(why);
    for (const socket of [...this.#sockets]) socket.lost();
  }

  #tell(reach: Reach, why: string | null): void {
    const { version } = this.#card;
    if (reach === this.#now.reach && why === this.#now.why && version === this.#now.version) return;
    const since = reach === this.#now.reach ? this.#now.since : this.#parts.clock.now();
    this.#now = { reach, why, since, version };
    if (reach !== "here") this.#lose(why ?? "it is away");
    for (const run of [...this.#reachRuns]) run();
  }
}
