// The Bus port over a NATS broker, core NATS only. The client is loaded when the first connection is opened, and by nobody
// else. A connection that breaks is replaced, never repaired: the client would lose in silence what is published meanwhile.
// Owns: one connection at a time, when the next is tried, and what it must listen to.
import { randomUUID } from "node:crypto";
import type { ConnectionOptions, Msg, NatsConnection, TlsOptions } from "@nats-io/transport-node";
import type { Clock } from "../../core/base/clock.ts";
import type { Fault } from "../../core/base/fault.ts";
import type { Bus, BusMessage, BusRequest, BusStatus, Published } from "../../core/fleet/bus.ts";
import { nodeClock } from "../clock.ts";
import { atFirstUse } from "../first-use.ts";
import { openNkey } from "./nkey.ts";
import { mustFit, Requests, refusal } from "./requests.ts";
import { Standing } from "./standing.ts";

/** The first try after a loss comes this soon, as most brokers only restart. */
const RETRY_MS_MIN = 250;
/** A thousand machines that come back to one broker spread over this. */
const RETRY_MS_MAX = 2_000;
/** One refusal may be a broker that reads its configuration again. Two in a row are its word. */
const REFUSALS_MAX = 2;
const DIAL_MS_MAX = 10_000;
/** A broker that vanished without a word is noticed after the third. */
const PING_MS = 10_000;
const PINGS_UNANSWERED_MAX = 2;
/** Who closes does not wait longer for a broker that hangs. */
const LAST_WORDS_MS_MAX = 1_000;
/** What a broker says of a request that nobody listens to. */
const NO_RESPONDERS = 503;
/** Until a broker has said it: its default. */
const BYTES_MAX = 1 << 20;

export interface NatsOptions {
  /** A broker that takes less at once is as good as none. */
  readonly bytesMin?: number;
  /** `nats://host:4222`, or `tls://…`: then a broker without TLS is refused. */
  readonly url: string;
  readonly nkeySeed?: string | undefined;
  /** Where answers arrive. One per device, as a broker's permissions name it. */
  readonly inboxPrefix?: string | undefined;
  /** How the broker's operator sees this connection. */
  readonly name: string;
  /** The certificate that the broker's must come from, as PEM. Without it: those that Node trusts. */
  readonly ca?: string | undefined;
  /** The broker's complaints, as for a subject that it does not permit. They concern no caller in particular. */
  readonly onComplaint?: ((message: string) => void) | undefined;
}

interface NatsParts {
  readonly clock?: Clock;
  readonly random?: () => number;
}

type Connect = (options: ConnectionOptions) => Promise<NatsConnection>;

/** At once, also while there is no broker: it is away until the first connection stands. */
export async function openNats(options: NatsOptions, parts: NatsParts = {}): Promise<Bus> {
  const { connect } = await atFirstUse(() => import("@nats-io/transport-node"));
  return new NatsBus(options, { clock: nodeClock, random: Math.random, ...parts, connect });
}

interface Listener {
  readonly pattern: string;
  on(message: Msg): void;
  /** Ends it at the broker. Undefined while there is none. */
  end?: (() => void) | undefined;
}

class NatsBus implements Bus {
  readonly #parts: Required<NatsParts> & { readonly connect: Connect };
  readonly #options: NatsOptions;
  readonly #standing = new Standing();
  readonly #requests: Requests;
  readonly #listeners = new Set<Listener>();
  readonly #inbox: string;
  #connection: NatsConnection | undefined;
  #bytesMax = BYTES_MAX;
  #isOver = false;
  /** Ends the pause before the next try. */
  #wake: () => void = () => undefined;

  constructor(options: NatsOptions, parts: Required<NatsParts> & { readonly connect: Connect }) {
    this.#options = options;
    this.#parts = parts;
    this.#requests = new Requests(parts.clock);
    this.#inbox = `${options.inboxPrefix ?? "_INBOX"}.${randomUUID()}.`;
    this.#listen({ pattern: `${this.#inbox}*`, on: (message) => this.#answered(message) });
    void this.#stay();
  }

  get status(): BusStatus {
    return this.#standing.status;
  }

  get reason(): string | undefined {
    return this.#standing.reason;
  }

  get bytesMax(): number {
    return this.#bytesMax;
  }

  publish(subject: string, data: Uint8Array): Published {
    return this.#send(subject, data);
  }

  subscribe(pattern: string, on: (message: BusMessage) => void): { close(): void } {
    const listener: Listener = { pattern, on: (message) => on(this.#plain(message)) };
    this.#listen(listener);
    const close = () => {
      this.#listeners.delete(listener);
      listener.end?.();
      listener.end = undefined;
    };
    return { close };
  }

  async request(subject: string, data: Uint8Array, how: BusRequest): Promise<BusMessage | Fault> {
    const refused = refusal(this, data);
    if (refused) return refused;
    return this.#requests.ask(how, (word) => void this.#send(subject, data, `${this.#inbox}${word}`));
  }

  onStatus(run: (status: BusStatus) => void): () => void {
    return this.#standing.onStatus(run);
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#end("it was closed here");
    if (connection) await this.#leave(connection);
  }

  #end(reason: string): void {
    this.#isOver = true;
    this.#standing.become("closed", reason);
    this.#requests.broken();
    this.#wake();
  }

  /** Sends what waits, then closes. */
  async #leave(connection: NatsConnection): Promise<void> {
    const late = new Promise<void>((resolve) => void this.#parts.clock.after(LAST_WORDS_MS_MAX, resolve));
    // A connection that breaks meanwhile rejects: then nothing is left to do.
    await Promise.race([connection.flush().catch(() => undefined), late]);
    // The client stops listening to its socket as it closes: an error of the last write must be told before, or it is nobody's.
    await new Promise<void>((resolve) => this.#parts.clock.soon(resolve));
    await connection.close();
  }

  /** One connection after the other, for ever. */
  async #stay(): Promise<void> {
    for (let [tries, refusals] = [0, 0]; !this.#isOver; tries += 1) {
      const connection = await this.#dial();
      if (connection instanceof Error) {
        refusals = isRefusal(connection) ? refusals + 1 : 0;
        if (refusals === REFUSALS_MAX) return this.#end(`the broker refuses us: ${connection.message}`);
        this.#standing.become("away", connection.message);
      } else {
        [tries, refusals] = [0, 0];
        await this.#serve(connection);
      }
      if (!this.#isOver) await this.#pause(tries);
    }
  }

  async #dial(): Promise<NatsConnection | Error> {
    try {
      return await this.#parts.connect(this.#connectionOptions());
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #connectionOptions(): ConnectionOptions {
    const { url, name, ca, nkeySeed } = this.#options;
    const nkey = nkeySeed === undefined ? undefined : openNkey(nkeySeed);
    const sign = (nonce?: string) =>
      nkey && nonce !== undefined ? { nkey: nkey.publicKey, sig: nkey.signNonce(nonce) } : undefined;
    return {
      servers: url,
      name,
      noEcho: true,
      reconnect: false,
      ignoreClusterUpdates: true,
      noAsyncTraces: true,
      timeout: DIAL_MS_MAX,
      pingInterval: PING_MS,
      maxPingOut: PINGS_UNANSWERED_MAX,
      ...(nkey ? { authenticator: sign } : {}),
      ...(ca !== undefined || url.startsWith("tls:") ? { tls: tlsOf(url, ca) } : {}),
    };
  }

  /** Until it ends. */
  async #serve(connection: NatsConnection): Promise<void> {
    if (this.#isOver) return connection.close();
    this.#connection = connection;
    this.#bytesMax = connection.info?.max_payload ?? BYTES_MAX;
    const { bytesMin = 0 } = this.#options;
    if (this.#bytesMax < bytesMin) {
      this.#connection = undefined;
      await connection.close();
      return this.#standing.become("away", `the broker's max_payload is ${this.#bytesMax}; ${bytesMin} are needed`);
    }
    for (const listener of this.#listeners) this.#tell(listener);
    void this.#hearComplaints(connection);
    this.#standing.become("connected");
    const error = await connection.closed();
    this.#connection = undefined;
    for (const listener of this.#listeners) listener.end = undefined;
    this.#standing.become("away", error instanceof Error ? error.message : "the connection to the broker broke");
    this.#requests.broken();
  }

  async #hearComplaints(connection: NatsConnection): Promise<void> {
    for await (const event of connection.status())
      if (event.type === "error") this.#options.onComplaint?.(event.error.message);
  }

  #pause(tries: number): Promise<void> {
    const { clock, random } = this.#parts;
    const spread = Math.min(RETRY_MS_MIN << Math.min(tries, 3), RETRY_MS_MAX - RETRY_MS_MIN);
    return new Promise((resolve) => {
      const cancel = clock.after(RETRY_MS_MIN + random() * spread, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #listen(listener: Listener): void {
    this.#listeners.add(listener);
    this.#tell(listener);
  }

  #tell(listener: Listener): void {
    const connection = this.#connection;
    if (!connection || connection.isClosed()) return;
    // Errors are told by the connection's status, too.
    const callback = (error: Error | null, message: Msg) => {
      if (!error) guarded(() => listener.on(message));
    };
    const subscription = connection.subscribe(listener.pattern, { callback });
    listener.end = () => subscription.unsubscribe();
  }

  #answered(message: Msg): void {
    const word = message.subject.slice(this.#inbox.length);
    if (message.headers?.code === NO_RESPONDERS && message.data.length === 0) this.#requests.nobody(word);
    else this.#requests.answered(word, this.#plain(message));
  }

  #plain({ subject, data, reply: replyTo }: Msg): BusMessage {
    if (!replyTo) return { subject, data };
    return { subject, data, reply: (bytes) => this.#send(replyTo, bytes) };
  }

  #send(subject: string, data: Uint8Array, reply?: string): Published {
    const connection = this.#connection;
    if (this.status !== "connected" || !connection || connection.isClosed()) return "away";
    mustFit(data, this.#bytesMax);
    connection.publish(subject, data, reply === undefined ? {} : { reply });
    return "sent";
  }
}

/** The client names the host to TLS only when it is a name: an address would be checked as "localhost". */
function tlsOf(url: string, ca: string | undefined): TlsOptions & { readonly host: string } {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return ca === undefined ? { host } : { host, ca };
}

/** The broker knows us and says no. */
function isRefusal({ name }: Error): boolean {
  return name === "AuthorizationError" || name === "UserAuthenticationExpiredError";
}

/** The client takes what a listener throws for the end of the connection, and hides it. It is a bug of ours. */
function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
