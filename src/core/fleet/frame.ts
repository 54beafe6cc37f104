// A frame of a stream between two machines: kind u8, number u32, sealed body. Owns: the kinds, the numbers, and what stands in the
// bodies. Refuses: to know keys of seals, order or time. Pure.
// What was said is numbered from 1 without a gap; what is told of the state has the numbers above. So no number is used twice.
import { Utf8, utf8 } from "../base/utf8.ts";

/** The seal of one direction of one stream. A number is never sealed twice, and numbers of a kind only grow. */
export interface Seal {
  seal(kind: number, number: number, body: Uint8Array): Uint8Array;
  /** Undefined: changed, or of another kind, number, direction or stream. */
  open(kind: number, number: number, sealed: Uint8Array): Uint8Array | undefined;
}

const KINDS = { bytes: 0, text: 1, ack: 2, input: 3, beat: 4, close: 5, unknown: 9 } as const;
export type Kind = keyof typeof KINDS;
const NAMES = new Map<number, Kind>(Object.entries(KINDS).map(([name, byte]) => [byte, name as Kind]));
/** In the byte of the kind: the same message was begun before; another part of it follows. */
const BEGUN = 0x40;
const MORE = 0x80;
const PARTS = { whole: 0, first: MORE, middle: BEGUN | MORE, last: BEGUN } as const;
/** Which part of its message a frame holds. A new message before the end of another: that one was given up. */
export type Part = keyof typeof PARTS;
const HEADER_BYTES = 5;

/** What one frame holds. A larger one makes typing beside a flood slower, and brokers take 1 MiB at most. */
export const BODY_BYTES_MAX = 64 << 10;
/** Frames above it tell a state. At one each millisecond a stream lasts 24 days; then it is attached anew. */
export const SAID_NUMBER_MAX = 0x7f_ff_ff_ff;
export const NUMBER_MAX = 0xff_ff_ff_ff;

export interface Frame {
  readonly kind: Kind;
  readonly part: Part;
  readonly number: number;
  readonly sealed: Uint8Array;
}

export function kindByte(kind: Kind, part: Part): number {
  return KINDS[kind] | PARTS[part];
}

/** The part that begins, or ends, here. */
export function partOf(begins: "begins" | "goes on", ends: "ends" | "more"): Part {
  if (begins === "begins") return ends === "ends" ? "whole" : "first";
  return ends === "ends" ? "last" : "middle";
}

export function writeFrame({ kind, part, number, sealed }: Frame): Uint8Array {
  const frame = new Uint8Array(HEADER_BYTES + sealed.length);
  frame[0] = kindByte(kind, part);
  viewOf(frame).setUint32(1, number);
  frame.set(sealed, HEADER_BYTES);
  return frame;
}

/** Undefined: no frame of ours. */
export function readFrame(bytes: Uint8Array): Frame | undefined {
  const [byte] = bytes;
  if (byte === undefined || bytes.length < HEADER_BYTES) return undefined;
  const kind = NAMES.get(byte & ~(BEGUN | MORE));
  if (!kind) return undefined;
  const part = partOf(byte & BEGUN ? "goes on" : "begins", byte & MORE ? "more" : "ends");
  return { kind, part, number: viewOf(bytes).getUint32(1), sealed: bytes.subarray(HEADER_BYTES) };
}

/** What a host says of a stream that it does not know. Nobody sealed it, so it is only a hint. */
export function unknownFrame(): Uint8Array {
  return writeFrame({ kind: "unknown", part: "whole", number: 0, sealed: new Uint8Array(0) });
}

/** The body of an ack and of a beat: where its sender stands. */
export interface State {
  /** beat: answer with a beat, now. */
  readonly asks: "beat" | "nothing";
  /** The newest number that it said. */
  readonly said: number;
  /** The newest number of the other side that it has taken. */
  readonly taken: number;
  /** How many typed bytes it sent, modulo 2^32. */
  readonly typed: number;
}

const STATE_BYTES = 13;

export function writeState({ asks, said, taken, typed }: State): Uint8Array {
  const body = new Uint8Array(STATE_BYTES);
  const view = viewOf(body);
  view.setUint8(0, asks === "beat" ? 1 : 0);
  view.setUint32(1, said);
  view.setUint32(5, taken);
  view.setUint32(9, typed);
  return body;
}

export function readState(body: Uint8Array): State | undefined {
  if (body.length !== STATE_BYTES) return undefined;
  const view = viewOf(body);
  const asks = view.getUint8(0) === 1 ? "beat" : "nothing";
  return { asks, said: view.getUint32(1), taken: view.getUint32(5), typed: view.getUint32(9) };
}

/** Every frame of a device begins with how many bytes were typed before it, so that a host knows what a gap has lost. */
export const COUNT_BYTES = 4;

export function counted(typed: number, body: Uint8Array): Uint8Array {
  const all = new Uint8Array(COUNT_BYTES + body.length);
  viewOf(all).setUint32(0, typed);
  all.set(body, COUNT_BYTES);
  return all;
}

export function countOf(body: Uint8Array): number {
  return viewOf(body).getUint32(0);
}

/** As on a WebSocket. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

const REASON_BYTES_MAX = 123;

export function writeClosing({ code, reason }: Closing): Uint8Array {
  const text = utf8(reason).subarray(0, REASON_BYTES_MAX);
  const body = new Uint8Array(2 + text.length);
  viewOf(body).setUint16(0, code);
  body.set(text, 2);
  return body;
}

export function readClosing(body: Uint8Array): Closing | undefined {
  if (body.length < 2) return undefined;
  return { code: viewOf(body).getUint16(0), reason: new Utf8().text(body.subarray(2)) };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
