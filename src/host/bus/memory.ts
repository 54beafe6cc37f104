// The Bus port without a network: one object is one broker with many connections. As loose as a real one: what a
// connection does reaches the broker a turn later, and a message its listener another turn later. What is on its way
// when a connection is cut is lost. Owns: who listens to what. Refuses: to keep messages.
import type { Clock } from "../../core/base/clock.ts";
import type { Fault } from "../../core/base/fault.ts";
import type { Bus, BusMessage, BusRequest, BusStatus, Published } from "../../core/fleet/bus.ts";
import { mustFit, Requests, refusal } from "./requests.ts";
import { Standing } from "./standing.ts";

/** As brokers have it when nobody sets it. */
const BYTES_MAX = 1 << 20;

interface BrokerParts {
  readonly clock: Clock;
  readonly bytesMax?: number;
  /** Brings one message to one listener: at once, late, twice or never. */
  readonly carry?: (deliver: () => void, subject: string) => void;
}

/** On its way. `replyTo` is where the answer goes. */
interface Sent {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly replyTo?: string | undefined;
}

export class MemoryBroker {
  #parts: Required<BrokerParts>;
  #connections: MemoryBus[] = [];
  #isUp = true;

  constructor({ clock, bytesMax = BYTES_MAX, carry = (deliver) => clock.soon(deliver) }: BrokerParts) {
    this.#parts = { clock, bytesMax, carry };
  }

  connect(): MemoryBus {
    const { clock, bytesMax, carry } = this.#parts;
    const route = (sent: Sent) => this.#route(bus, sent);
    const inbox = `_INBOX.${this.#connections.length}`;
    const bus: MemoryBus = new MemoryBus({ clock, bytesMax, carry, inbox, route, isUp: () => this.#isUp });
    this.#connections.push(bus);
    bus.restore();
    return bus;
  }

  /** kill -9. */
  stop(): void {
    this.#isUp = false;
    for (const bus of this.#connections) bus.cut("the broker is down");
  }

  start(): void {
    this.#isUp = true;
    for (const bus of this.#connections) bus.restore();
  }

  #route(from: MemoryBus, sent: Sent): void {
    // A connection does not hear itself.
    const others = this.#connections.filter((bus) => bus !== from);
    const heard = others.map((bus) => bus.arrive(sent)).some((count) => count > 0);
    if (!heard && sent.replyTo !== undefined) from.nobody(sent.replyTo);
  }
}

interface BusParts extends Required<BrokerParts> {
  readonly inbox: string;
  route(sent: Sent): void;
  isUp(): boolean;
}

interface Listener {
  readonly pattern: readonly string[];
  on(message: BusMessage): void;
  /** The broker knows of it. */
  known: boolean;
}

class MemoryBus implements Bus {
  readonly #parts: BusParts;
  readonly #standing = new Standing();
  readonly #requests: Requests;
  readonly #listeners = new Set<Listener>();
  /** Another one after each cut: what began in an earlier life is lost. */
  #life = 0;

  constructor(parts: BusParts) {
    this.#parts = parts;
    this.#requests = new Requests(parts.clock);
    const wordOf = (subject: string) => subject.slice(parts.inbox.length + 1);
    this.subscribe(`${parts.inbox}.*`, (message) => this.#requests.answered(wordOf(message.subject), message));
  }

  get status(): BusStatus {
    return this.#standing.status;
  }

  get reason(): string | undefined {
    return this.#standing.reason;
  }

  get bytesMax(): number {
    return this.#parts.bytesMax;
  }

  publish(subject: string, data: Uint8Array): Published {
    return this.#send({ subject, data });
  }

  subscribe(pattern: string, on: (message: BusMessage) => void): { close(): void } {
    const listener: Listener = { pattern: pattern.split("."), on, known: false };
    this.#listeners.add(listener);
    this.#tell(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  async request(subject: string, data: Uint8Array, how: BusRequest): Promise<BusMessage | Fault> {
    const refused = refusal(this, data);
    if (refused) return refused;
    return this.#requests.ask(how, (word) => {
      this.#send({ subject, data, replyTo: `${this.#parts.inbox}.${word}` });
    });
  }

  onStatus(run: (status: BusStatus) => void): () => void {
    return this.#standing.onStatus(run);
  }

  async close(): Promise<void> {
    const sent = new Promise<void>((resolve) => this.#parts.clock.soon(resolve));
    this.#listeners.clear();
    this.#standing.become("closed", "it was closed here");
    this.#requests.broken();
    await sent;
  }

  /** The way to the broker breaks. */
  cut(reason = "the connection was cut"): void {
    if (this.status === "closed") return;
    this.#life += 1;
    for (const listener of this.#listeners) listener.known = false;
    this.#standing.become("away", reason);
    this.#requests.broken();
  }

  /** It comes back, if the broker is up. */
  restore(): void {
    if (this.status !== "away" || !this.#parts.isUp()) return;
    this.#standing.become("connected");
    for (const listener of this.#listeners) this.#tell(listener);
  }

  /** From the broker. Says how many listen here. */
  arrive({ subject, data, replyTo }: Sent): number {
    const words = subject.split(".");
    const listeners = [...this.#listeners].filter(({ known, pattern }) => known && matches(pattern, words));
    const reply = replyTo === undefined ? {} : { reply: (bytes: Uint8Array) => this.publish(replyTo, bytes) };
    for (const listener of listeners) {
      const own = data.slice();
      this.#carry(subject, () => {
        if (this.#listeners.has(listener)) listener.on({ subject, data: own, ...reply });
      });
    }
    return listeners.length;
  }

  /** From the broker: nobody listens where we asked. */
  nobody(replyTo: string): void {
    this.#carry(replyTo, () => this.#requests.nobody(replyTo.slice(this.#parts.inbox.length + 1)));
  }

  #send(sent: Sent): Published {
    if (this.status !== "connected") return "away";
    mustFit(sent.data, this.bytesMax);
    this.#soon(() => this.#parts.route(sent));
    return "sent";
  }

  #tell(listener: Listener): void {
    if (this.status !== "connected") return;
    this.#soon(() => {
      listener.known = true;
    });
  }

  #carry(subject: string, deliver: () => void): void {
    const life = this.#life;
    this.#parts.carry(() => {
      if (life === this.#life) deliver();
    }, subject);
  }

  #soon(run: () => void): void {
    const life = this.#life;
    this.#parts.clock.soon(() => {
      if (life === this.#life) run();
    });
  }
}

/** `*` is one word, a last `>` one or more. */
function matches(pattern: readonly string[], words: readonly string[]): boolean {
  const rest = pattern.at(-1) === ">" ? pattern.length - 1 : undefined;
  if (rest === undefined ? words.length !== pattern.length : words.length <= rest) return false;
  return pattern.slice(0, rest).every((word, i) => word === "*" || word === words[i]);
}
