// Questions that wait for their answer on one connection. Owns: their numbers and deadlines. Each ends exactly once: by an
// answer, by the broker's word that nobody listens, at its deadline, when its caller leaves or when the connection breaks.
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { BusMessage, BusRequest } from "../../core/fleet/bus.ts";

const LOOK_FIRST = "It may have been done. Look before you ask again.";

type Ended = BusMessage | Fault;

export class Requests {
  #clock: Clock;
  #count = 0;
  #waiting = new Map<string, (how: Ended) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `send` gets the word that the answer's subject ends with. */
  ask({ timeoutMs, cancelled }: BusRequest, send: (word: string) => void): Promise<Ended> {
    this.#count += 1;
    const word = this.#count.toString(36);
    return new Promise((resolve) => {
      const end = (how: Ended) => {
        this.#waiting.delete(word);
        stop();
        resolve(how);
      };
      const late = () => end(quiet(`no answer within ${timeoutMs / 1_000} s`));
      const stop = this.#clock.after(timeoutMs, late);
      this.#waiting.set(word, end);
      cancelled?.onCancel(() => end(quiet("nobody waits for the answer any more")));
      if (this.#waiting.has(word)) send(word);
    });
  }

  answered(word: string, message: BusMessage): void {
    this.#waiting.get(word)?.(message);
  }

  /** The broker says that nobody listens there. */
  nobody(word: string): void {
    const hint = "Nothing was done. Ask again when it is connected.";
    this.#waiting.get(word)?.(fault("host.gone", "its daemon is not connected to the broker", hint));
  }

  /** The connection is gone. A broker that comes back no longer permits the answers to what was asked before. */
  broken(): void {
    for (const end of [...this.#waiting.values()]) end(quiet("the connection to the broker broke before the answer"));
  }
}

/** What a request of this size meets on a connection that stands like this. */
export function refusal(
  bus: { readonly status: string; readonly reason: string | undefined; readonly bytesMax: number },
  data: Uint8Array,
): Fault | undefined {
  if (bus.status !== "connected") {
    const hint = "Nothing was sent. Ask again when the broker can be reached.";
    return fault("bus.away", `there is no connection to the broker${bus.reason ? `: ${bus.reason}` : ""}`, hint);
  }
  if (data.length <= bus.bytesMax) return undefined;
  const message = `${data.length} bytes are more than one message may have (${bus.bytesMax})`;
  return fault("bus.too_large", message, "Nothing was sent. Send less at once.");
}

/** For messages that we cut ourselves. */
export function mustFit(data: Uint8Array, bytesMax: number): void {
  if (data.length > bytesMax) throw new RangeError(`a message of ${data.length} bytes, with at most ${bytesMax}`);
}

function quiet(message: string): Fault {
  return fault("host.quiet", message, LOOK_FIRST);
}
