// A broker between one host and one device that loses, doubles, delays, reorders and damages what it carries, and cuts either of
// them off. It remembers nothing.
import type { SimTime } from "./clock.ts";
import { TAGGED_BYTES } from "./seal.ts";

export type Place = "host" | "device";

/** How likely each of them is for one frame. */
export interface Faults {
  readonly drop: number;
  readonly double: number;
  readonly reorder: number;
  readonly damage: number;
}

export const NO_FAULTS: Faults = { drop: 0, double: 0, reorder: 0, damage: 0 };
/** What is reordered comes this much later. */
const LATE_MS = 300;

export interface Listener {
  heard(stream: string, frame: Uint8Array): void;
  enter(run: () => void): void;
}

export class SimBroker {
  faults: Faults = NO_FAULTS;
  latencyMs = 1;
  readonly listeners: { host?: Listener; device?: Listener } = {};
  #time: SimTime;
  #random: () => number;
  /** Counts connections; 0: away. */
  #connection = { host: 1, device: 1 };
  #connections = 1;
  #lastAt = { host: 0, device: 0 };

  constructor(time: SimTime, random: () => number) {
    [this.#time, this.#random] = [time, random];
  }

  isAway(place: Place): boolean {
    return this.#connection[place] === 0;
  }

  cut(place: Place): void {
    this.#connection[place] = 0;
  }

  join(place: Place): void {
    if (this.isAway(place)) this.#connection[place] = ++this.#connections;
  }

  publish(from: Place, stream: string, frame: Uint8Array): "sent" | "away" {
    if (this.isAway(from)) return "away";
    const to = from === "host" ? "device" : "host";
    const { drop, double, damage } = this.faults;
    if (this.isAway(to) || this.#random() < drop) return "sent";
    const isDamaged = this.#random() < damage;
    if (isDamaged)
      frame[Math.floor(this.#random() * Math.min(frame.length, TAGGED_BYTES))] = Math.floor(this.#random() * 256);
    if (this.#random() < double) this.#carry(to, stream, frame.slice());
    this.#carry(to, stream, frame);
    return "sent";
  }

  #carry(to: Place, stream: string, frame: Uint8Array): void {
    const { now } = this.#time;
    const isLate = this.#random() < this.faults.reorder;
    const inTurn = Math.max(this.#lastAt[to], now + this.latencyMs);
    if (!isLate) this.#lastAt[to] = inTurn;
    const connection = this.#connection[to];
    this.#time.after(isLate ? this.latencyMs + this.#random() * LATE_MS : inTurn - now, () => {
      const listener = this.listeners[to];
      if (this.#connection[to] !== connection || !listener) return;
      listener.enter(() => {
        listener.heard(stream, frame);
        // A view of it that somebody kept shows itself.
        frame.fill(0xee);
      });
    });
  }
}
