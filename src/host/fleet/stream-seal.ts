// The seal of one direction of one stream: AES-256-GCM, in the same turn. Owns: that no IV is used twice under its key.
import { locked, unlocked } from "./bytes.ts";

export interface Seal {
  /** The whole sealed body, with its tag. Numbers of a kind only grow. */
  seal(kind: number, number: number, body: Uint8Array): Uint8Array;
  /** Undefined: changed, or of another number, kind, direction or stream. That a number comes once is for the stream to see. */
  open(kind: number, number: number, sealed: Uint8Array): Uint8Array | undefined;
}

const NUMBER_MAX = 0xff_ff_ff_ff;

export function streamSeal(key: Uint8Array): Seal {
  const newest = new Map<number, number>();
  return {
    seal(kind, number, body) {
      // Two texts under one IV would open both, and forge any: better no stream than this.
      if (number <= (newest.get(kind) ?? -1)) throw new Error(`number ${number} of kind ${kind} was sealed already`);
      if (!(kind >= 0 && kind <= 0xff && number <= NUMBER_MAX)) throw new Error(`no frame has number ${number}`);
      newest.set(kind, number);
      const { iv, header } = headOf(kind, number);
      return locked(key, iv, header, body);
    },
    open(kind, number, sealed) {
      const { iv, header } = headOf(kind, number);
      return unlocked(key, iv, header, sealed);
    },
  };
}

/** kind 1, nothing 7, number 4. The header is what a frame begins with: kind 1, number 4. */
function headOf(kind: number, number: number): { iv: Uint8Array; header: Uint8Array } {
  const iv = Buffer.alloc(12);
  iv.writeUInt8(kind);
  iv.writeUInt32BE(number, 8);
  return { iv, header: Buffer.concat([iv.subarray(0, 1), iv.subarray(8)]) };
}
