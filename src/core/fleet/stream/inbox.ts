// What one end of a stream hears, in order. Owns: the number of the last frame that it took, and the parts of a message that is not
// complete. Refuses: a frame out of turn, and a message that never ends.
import { COUNT_BYTES, countOf, type Frame, type Kind, kindByte, type Seal } from "../frame.ts";
import type { Side } from "./side.ts";

/** Of one message. A repaint of 1,000 lines in which every cell has colours of its own has 10 MB; a WebSocket takes 4 MiB of words
 *  and keys. */
export const BYTES_MAX = 16 << 20;
export const TEXT_BYTES_MAX = 4 << 20;
const MESSAGE_BYTES_MAX: Readonly<Partial<Record<Kind, number>>> = {
  bytes: BYTES_MAX,
  text: TEXT_BYTES_MAX,
  input: 4 << 20,
  close: 256,
};

export function isTooLarge(kind: Kind, bytes: number): boolean {
  return bytes > (MESSAGE_BYTES_MAX[kind] ?? 0);
}

export type Came =
  | { readonly is: "message"; readonly kind: Kind; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly is: "part" }
  /** It was taken before. */
  | { readonly is: "old" }
  /** How many typed bytes did not arrive, as far as the frame tells, its own among them. */
  | { readonly is: "gap"; readonly typed: number }
  | { readonly is: "broken" };

export class Inbox {
  #seal: Seal;
  /** Whose words they are. */
  #from: Side;
  #taken = 0;
  #typed = 0;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #kind: Kind | undefined;

  constructor(seal: Seal, from: Side) {
    this.#seal = seal;
    this.#from = from;
  }

  /** The number of the last frame that was taken. */
  get taken(): number {
    return this.#taken;
  }

  /** How many typed bytes of complete messages arrived. */
  get typed(): number {
    return this.#typed;
  }

  take(frame: Frame): Came {
    const { kind, part, number } = frame;
    if (number <= this.#taken) return { is: "old" };
    const whole = this.#seal.open(kindByte(kind, part), number, frame.sealed);
    const head = this.#from === "device" ? COUNT_BYTES : 0;
    if (!whole || whole.length < head) return { is: "broken" };
    const body = whole.subarray(head);
    if (number !== this.#taken + 1) {
      const before = head > 0 ? countOf(whole) + (kind === "input" ? body.length : 0) : 0;
      return { is: "gap", typed: this.missing(before) };
    }
    this.#taken = number;
    return this.#add(frame, body);
  }

  /** How many of these typed bytes did not arrive. */
  missing(typed: number): number {
    return (typed - this.#typed) >>> 0;
  }

  #add({ kind, part }: Frame, body: Uint8Array): Came {
    const isNew = part === "whole" || part === "first";
    // Its sender gave up what it had begun, to say goodbye.
    if (isNew) this.#forget();
    else if (this.#kind !== kind) return { is: "broken" };
    this.#partBytes += body.length;
    if (isTooLarge(kind, this.#partBytes)) return { is: "broken" };
    this.#kind = kind;
    // Whoever gave it may use its bytes again.
    this.#parts.push(body.slice());
    if (part === "first" || part === "middle") return { is: "part" };
    const data = joined(this.#parts, this.#partBytes);
    this.#forget();
    if (kind === "input") this.#typed += data.length;
    return { is: "message", kind, data };
  }

  #forget(): void {
    [this.#parts, this.#partBytes, this.#kind] = [[], 0, undefined];
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
