// What belongs to one request: its answer, and the keys of a stream that it opens. All keys come from the request's own HPKE
// context and a number that the host drew for this answer. Only the device that asked and the holder of the key that it sealed to
// have that context; the host certified that key in its card. So an answer that opens is the host's, and to this request.
import { randomBytes } from "node:crypto";
import { derived, lined, locked, ONLY_ONCE, splitLine, unlocked } from "./bytes.ts";
import type { Shared } from "./hpke.ts";
import { type Seal, streamSeal } from "./stream-seal.ts";

/** Named as the subjects are. */
export interface StreamSeals {
  /** From the device to the host. */
  readonly in: Seal;
  readonly out: Seal;
}

export interface Answer {
  /** As of HTTP. */
  readonly status: number;
  readonly body: Uint8Array;
  /** The same at both ends. Once for each stream. */
  seals(stream: string): StreamSeals;
}

const LINE = "duetty-answer-1";
const DRAWN_BYTES = 32;

/** The host's. */
export function sealAnswer(shared: Shared, status: number, body: Uint8Array): Answer & { readonly bytes: Uint8Array } {
  const drawn = randomBytes(DRAWN_BYTES);
  const text = Buffer.concat([Uint8Array.of(status >> 8, status & 0xff), body]);
  // The number drawn is new, so this key seals this one text.
  const sealed = locked(keyOf(shared, drawn, "answer"), ONLY_ONCE, Buffer.from(LINE), text);
  return { status, body, bytes: lined(LINE, drawn, sealed), seals: (stream) => sealsOf(shared, drawn, stream) };
}

/** The device's. Undefined: it is no answer of that host to that request. */
export function openAnswer(shared: Shared, bytes: Uint8Array): Answer | undefined {
  const { line, rest } = splitLine(bytes, LINE.length) ?? {};
  if (line !== LINE || rest === undefined) return undefined;
  const drawn = rest.subarray(0, DRAWN_BYTES);
  const text = unlocked(keyOf(shared, drawn, "answer"), ONLY_ONCE, Buffer.from(LINE), rest.subarray(DRAWN_BYTES));
  if (text === undefined || text.length < 2) return undefined;
  return { status: text.readUInt16BE(), body: text.subarray(2), seals: (stream) => sealsOf(shared, drawn, stream) };
}

function sealsOf(shared: Shared, drawn: Uint8Array, stream: string): StreamSeals {
  const seal = (way: string) => streamSeal(keyOf(shared, drawn, `${way} ${stream}`));
  return { out: seal("stream out"), in: seal("stream in") };
}

function keyOf({ secret, enc }: Shared, drawn: Uint8Array, use: string): Buffer {
  return derived(secret, Buffer.concat([enc, drawn]), `duetty ${use} 1`);
}
