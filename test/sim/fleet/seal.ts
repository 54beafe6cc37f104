// Seals that prove nothing to others but everything to a test: no number is used twice, and what is on its way is counted from
// outside of the streams.
import { readState, type Seal } from "../../../src/core/fleet/frame.ts";

const TAG_BYTES = 16;
/** A test has no time to read all of a long body. The broker damages only these. */
export const TAGGED_BYTES = 200;
const ACK = 2;
const CLOSE = 5;
/** Above it are the frames that tell a state. */
const SAID_MAX = 0x7f_ff_ff_ff;

/** What one host end has on its way, by what it sealed and by the acks that reached it. */
export class Outstanding {
  #sent: { readonly number: number; readonly bytes: number }[] = [];
  bytes = 0;
  most = 0;

  sealed(kind: number, number: number, bytes: number): void {
    if (number > SAID_MAX || kind === CLOSE) return;
    this.#sent.push({ number, bytes });
    this.bytes += bytes;
    this.most = Math.max(this.most, this.bytes);
  }

  acked(number: number): void {
    let count = 0;
    for (const frame of this.#sent) {
      if (frame.number > number) break;
      this.bytes -= frame.bytes;
      count += 1;
    }
    this.#sent.splice(0, count);
  }
}

/** `key`: whose, and in which direction. */
export function simSeal(key: number, watch: Partial<{ outstanding: Outstanding; acks: Outstanding }> = {}): Seal {
  const used = new Set<number>();
  return {
    seal(kind, number, body) {
      if (used.has(number)) throw new Error(`number ${number} was sealed twice`);
      used.add(number);
      watch.outstanding?.sealed(kind, number, body.length);
      const sealed = new Uint8Array(body.length + TAG_BYTES);
      sealed.set(body);
      new DataView(sealed.buffer).setFloat64(body.length, tagOf(key, kind, number, body));
      return sealed;
    },
    open(kind, number, sealed) {
      if (sealed.length < TAG_BYTES) return undefined;
      const body = sealed.subarray(0, sealed.length - TAG_BYTES);
      const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.length);
      // The second half of the tag is empty.
      if (view.getFloat64(body.length) !== tagOf(key, kind, number, body)) return undefined;
      if (view.getFloat64(body.length + 8) !== 0) return undefined;
      const state = kind === ACK ? readState(body) : undefined;
      if (state) watch.acks?.acked(state.taken);
      return body;
    },
  };
}

function tagOf(key: number, kind: number, number: number, body: Uint8Array): number {
  let sum = (key * 31 + kind) * 65_537 + number;
  for (let i = 0; i < Math.min(body.length, TAGGED_BYTES); i += 1) sum = (Math.imul(sum, 31) + (body[i] ?? 0)) | 0;
  return (sum >>> 0) + body.length * 4_294_967_296;
}
