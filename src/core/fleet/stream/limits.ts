// How many streams a host carries. Owns: what is open, by device. Refuses: one more than a broker would carry without cutting a
// client, which has 64 MiB for what waits.
import { type Fault, fault } from "../../base/fault.ts";
import { WINDOW_BYTES } from "./side.ts";

/** More terminals than a person looks at. */
const OF_DEVICE_MAX = 32;
/** Of all devices. */
const OF_HOST_MAX = 256;
/** Toward one device: a quarter of what a broker keeps for it. */
const WINDOWS_BYTES_MAX = 16 << 20;

export class StreamLimits {
  #devices = new Map<string, { streams: number; bytes: number }>();
  #streams = 0;

  /** Returns what to call at its end. */
  begin(device: string, window: number = WINDOW_BYTES): (() => void) | Fault {
    const held = this.#devices.get(device) ?? { streams: 0, bytes: 0 };
    const hint = "Close some of them first.";
    if (held.streams >= OF_DEVICE_MAX)
      return fault("session.limit", `this device has ${held.streams} terminals open on this host`, hint);
    if (held.bytes + window > WINDOWS_BYTES_MAX)
      return fault(
        "session.limit",
        "the terminals that this device has open on this host may have no more on its way",
        hint,
      );
    if (this.#streams >= OF_HOST_MAX)
      return fault("session.limit", `this host has ${this.#streams} terminals open for other machines`, hint);
    held.streams += 1;
    held.bytes += window;
    this.#streams += 1;
    this.#devices.set(device, held);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      held.streams -= 1;
      held.bytes -= window;
      this.#streams -= 1;
      if (held.streams === 0) this.#devices.delete(device);
    };
  }
}
