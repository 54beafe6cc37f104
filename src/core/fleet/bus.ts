// Port: a broker that carries messages between machines, at most once and without a memory. Types only. Subjects are words
// between dots; in a pattern `*` stands for one word and a last `>` for one or more. A connection does not hear itself.
// Order holds from one connection to another. Between two connections nothing is in step: who subscribes is heard soon, not at once.
import type { Cancelled } from "../base/cancellation.ts";
import type { Fault } from "../base/fault.ts";

/** away: it tries to come back for ever. closed: it never comes back; `reason` says why. */
export type BusStatus = "connected" | "away" | "closed";
/** away: there is no broker, and nothing was sent. sent: handed over, which no broker confirms. */
export type Published = "sent" | "away";

export interface BusMessage {
  readonly subject: string;
  /** Belongs to whoever gets it. */
  readonly data: Uint8Array;
  /** Answers a request, once. Absent when nobody waits for an answer. */
  readonly reply?: (data: Uint8Array) => Published;
}

export interface BusRequest {
  readonly timeoutMs: number;
  readonly cancelled?: Cancelled | undefined;
}

export interface Bus {
  readonly status: BusStatus;
  /** Why it is away or closed, for people. */
  readonly reason: string | undefined;
  /** Whoever sends more has a bug: publish and reply throw. A request is a fault then, as its body comes from others. */
  readonly bytesMax: number;
  /** Never waits for a broker. The bytes are the bus's from now on. */
  publish(subject: string, data: Uint8Array): Published;
  /** Lives through cuts; what is published meanwhile is lost. */
  subscribe(pattern: string, on: (message: BusMessage) => void): { close(): void };
  /** Faults: `host.gone`: nobody listens there, told at once. `host.quiet`: no answer in time, or the connection broke or
   *  the caller left before it; it may have been done. `bus.away` and `bus.too_large`: nothing was sent. */
  request(subject: string, data: Uint8Array, how: BusRequest): Promise<BusMessage | Fault>;
  /** Told after each change of the status. The returned function ends it. */
  onStatus(run: (status: BusStatus) => void): () => void;
  /** What was published before is sent. */
  close(): Promise<void>;
}
