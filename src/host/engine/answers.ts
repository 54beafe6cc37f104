// What the terminal asks of its host while it parses: replies to queue, its size, what kind of device it is.
// Owns: the queue. Refuses: to write to the terminal: it is not re-entrant, and all of this runs inside its write.

import { CELL_PX } from "../../core/base/image/cells.ts";
import type { Size } from "../../core/pty/pty.ts";
import type { Memory } from "./memory.ts";
import type { Abi, Callbacks } from "./wasm.ts";

export const TERMINAL_NAME = "duetty 0.1.0";
/** VT220 with sixel images and ANSI colour. */
const DEVICE = { level: 62, features: [4, 22], type: 1, firmware: 10 };

/** Known only after the instance that calls back is made. */
interface Asker {
  readonly memory: Memory;
  readonly abi: Abi;
  /** Where TERMINAL_NAME is in the wasm's memory. */
  readonly name: number;
  size(): Size;
}

export class Answers {
  #replies: Uint8Array[] = [];

  take(): Uint8Array {
    if (this.#replies.length === 0) return new Uint8Array(0);
    const all = Buffer.concat(this.#replies);
    this.#replies = [];
    return all;
  }

  callbacks(asker: () => Asker): Callbacks {
    return {
      WRITE_PTY: (_terminal, _user, ptr, len) => {
        this.#replies.push(asker().memory.u8.slice(ptr, ptr + len));
      },
      XTVERSION: (out) => {
        const { memory, name } = asker();
        memory.view.setUint32(out, name, true);
        memory.view.setUint32(out + 4, TERMINAL_NAME.length, true);
      },
      SIZE: (_terminal, _user, out) => writeSize(asker(), out),
      DEVICE_ATTRIBUTES: (_terminal, _user, out) => writeDevice(asker(), out),
    };
  }
}

function writeSize(asker: Asker, out: number): number {
  const { memory, abi } = asker;
  const { rows, cols } = asker.size();
  const at = (field: string) => out + abi.offset("GhosttySizeReportSize", field);
  memory.view.setUint16(at("rows"), rows, true);
  memory.view.setUint16(at("columns"), cols, true);
  memory.view.setUint32(at("cell_width"), CELL_PX.width, true);
  memory.view.setUint32(at("cell_height"), CELL_PX.height, true);
  return 1;
}

function writeDevice({ memory, abi }: Asker, out: number): number {
  const primary = out + abi.offset("GhosttyDeviceAttributes", "primary");
  const secondary = out + abi.offset("GhosttyDeviceAttributes", "secondary");
  const features = abi.offset("GhosttyDeviceAttributesPrimary", "features");
  const firmware = abi.offset("GhosttyDeviceAttributesSecondary", "firmware_version");
  memory.u8.fill(0, out, out + abi.size("GhosttyDeviceAttributes"));
  memory.view.setUint16(primary, DEVICE.level, true);
  for (const [i, feature] of DEVICE.features.entries())
    memory.view.setUint16(primary + features + 2 * i, feature, true);
  const count = primary + abi.offset("GhosttyDeviceAttributesPrimary", "num_features");
  memory.view.setUint32(count, DEVICE.features.length, true);
  memory.view.setUint16(secondary, DEVICE.type, true);
  memory.view.setUint16(secondary + firmware, DEVICE.firmware, true);
  return 1;
}
