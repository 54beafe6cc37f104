// Which requests a host has taken. Owns: their nonces, each until its request could not begin any more. What it has no room for is
// refused: it forgets nothing early.
import type { FleetCode } from "./faults.ts";

/** Within a quarter of a minute: far more than people and agents ask, 10 MB. */
const NONCES_MAX = 65_536;
/** One device cannot take the room of all others. */
const PER_DEVICE_MAX = 8_192;
/** How often we look for what may be forgotten. */
const LOOK_MS = 1_000;

export class Nonces {
  #until = new Map<string, number>();
  #byDevice = new Map<string, number>();
  #looked = 0;
  /** What began to be late before this may have been forgotten. Clocks that go back do not bring it back. */
  #forgotten = 0;

  /** Undefined: it is new, and taken from now on. */
  refuses(device: string, nonce: string, until: number, now: number): FleetCode | undefined {
    this.#forget(now);
    const name = `${device} ${nonce}`;
    if (this.#until.has(name)) return "fleet.replayed";
    if (until <= this.#forgotten) return "fleet.late";
    const own = this.#byDevice.get(device) ?? 0;
    if (this.#until.size >= NONCES_MAX || own >= PER_DEVICE_MAX) return "fleet.full";
    this.#until.set(name, until);
    this.#byDevice.set(device, own + 1);
    return undefined;
  }

  #forget(now: number): void {
    if (Math.abs(now - this.#looked) < LOOK_MS) return;
    this.#looked = now;
    this.#forgotten = Math.max(this.#forgotten, now);
    for (const [name, until] of this.#until) {
      if (until > now) continue;
      this.#until.delete(name);
      const [device = ""] = name.split(" ");
      const left = (this.#byDevice.get(device) ?? 0) - 1;
      if (left > 0) this.#byDevice.set(device, left);
      else this.#byDevice.delete(device);
    }
  }
}
