// The frames between holder and daemon: a length, a kind, a payload. Control is JSON; frequent frames are binary.
// Output never passes here: the journal is the transport, and "grew" only says how far it reaches.
import type { Fault } from "../../core/base/fault.ts";
import type { InputNumber, Probe, QuickProbe, TerminalQuery } from "../../core/journal/holding.ts";
import type { GapRecord, ResizeRecord } from "../../core/journal/records.ts";
import type { UnreadLimit } from "../../core/journal/unread.ts";
import type { ExitStatus, PtyCommand, Size } from "../../core/pty/pty.ts";

export type Request =
  | { op: "hello"; protocol: number; start?: DaemonStart; unread?: UnreadLimit }
  // The daemon leaves on purpose.
  | { op: "leave" }
  | { op: "open"; session_id: string; command: PtyCommand }
  | { op: "list" }
  | { op: "resize"; handle: number; size: Size }
  // A holder of an earlier version answers with a fault, and keeps what a program made of it.
  | { op: "keep_size"; handle: number }
  // A holder of an earlier version takes a hush for "resume", and goes on telling.
  | { op: "flow"; handle: number; flow: "pause" | "resume" | "hush" }
  // A holder of an earlier version answers with a fault, and bounds nothing. One that does not know `ahead` reads on.
  | { op: "read"; handle: number; cursor: number; ahead?: number }
  | { op: "signal"; handle: number; name: string }
  // A holder of an earlier version answers a quick one with the whole probe.
  | { op: "probe"; handle: number; only?: "quick" | "echo" }
  // A holder of an earlier version answers with a fault.
  | { op: "retype"; handle: number }
  | { op: "type"; handle: number; base64: string }
  | { op: "drop_unread"; handle: number }
  | { op: "close"; handle: number }
  | { op: "shutdown" };

/** How the holder starts a daemon that died. */
export interface DaemonStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
}

export interface Listed {
  readonly session_id: string;
  readonly handle: number;
  readonly pid: number;
  readonly cursor: number;
  readonly answered: number;
  /** How far each viewer's input has come. A holder of an earlier version does not tell. */
  readonly typed?: readonly InputNumber[];
}

export interface Opened {
  readonly handle: number;
  readonly pid: number;
}

export type Answer = "written" | "echo_off" | Hello | Listed[] | Opened | QuickProbe | Probe | boolean | null | Fault;

export type HolderEvent =
  | { event: "resized"; handle: number; record: ResizeRecord }
  | { event: "gap"; handle: number; record: GapRecord }
  | { event: "refused"; handle: number; bytes: number }
  | { event: "exited"; handle: number; status: ExitStatus; cursor: number; ts: number };

export type Frame =
  | { kind: "request"; id: number; request: Request }
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "event"; event: HolderEvent }
  | { kind: "write"; handle: number; bytes: Uint8Array; number?: InputNumber | undefined }
  | { kind: "answering"; handle: number; to: TerminalQuery; bytes: Uint8Array }
  | { kind: "grew"; handle: number; cursor: number };

/** Numbers for one viewer's input: more keys than anybody types. Viewers have numbers below 2^27. */
const INPUT_NUMBERS = 2 ** 26;

const JSON_FRAME = 1;
const WRITE_FRAME = 2;
const GREW_FRAME = 3;
const ANSWER_FRAME = 4;
const HEAD_BYTES = 5;
/** handle u32, cursor f64: exact to 2^53. */
const HOT_BYTES = 12;
/** A frame is at most one write of the gate or one command with its environment. */
const FRAME_BYTES_MAX = 16 << 20;

export function encodeFrame(frame: Frame): Buffer {
  if (frame.kind === "grew") return hot(GREW_FRAME, frame.handle, frame.cursor, new Uint8Array(0));
  if (frame.kind === "write") return hot(WRITE_FRAME, frame.handle, packed(frame.number), frame.bytes);
  if (frame.kind === "answering") {
    const asker = Buffer.alloc(4);
    asker.writeInt32LE(frame.to.asker ?? 0);
    return hot(ANSWER_FRAME, frame.handle, frame.to.cursor, Buffer.concat([asker, frame.bytes]));
  }
  const json = Buffer.from(JSON.stringify(frame));
  const out = Buffer.allocUnsafe(HEAD_BYTES + json.length);
  head(out, JSON_FRAME, json.length);
  json.copy(out, HEAD_BYTES);
  return out;
}

function hot(kind: number, handle: number, cursor: number, bytes: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(HEAD_BYTES + HOT_BYTES + bytes.length);
  head(out, kind, HOT_BYTES + bytes.length);
  out.writeUInt32LE(handle, HEAD_BYTES);
  out.writeDoubleLE(cursor, HEAD_BYTES + 4);
  out.set(bytes, HEAD_BYTES + HOT_BYTES);
  return out;
}

function head(out: Buffer, kind: number, length: number): void {
  out.writeUInt32LE(length, 0);
  out[4] = kind;
}

/** Cuts a byte stream into frames, however it arrives. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (this.#rest.length >= HEAD_BYTES) {
      const length = this.#rest.readUInt32LE(0);
      if (length > FRAME_BYTES_MAX) throw new Error(`frame of ${length} bytes from the other side`);
      if (this.#rest.length < HEAD_BYTES + length) break;
      frames.push(decode(this.#rest[4] ?? 0, this.#rest.subarray(HEAD_BYTES, HEAD_BYTES + length)));
      this.#rest = this.#rest.subarray(HEAD_BYTES + length);
    }
    return frames;
  }
}

function decode(kind: number, body: Buffer): Frame {
  if (kind === JSON_FRAME) return JSON.parse(body.toString()) as Frame;
  const handle = body.readUInt32LE(0);
  const cursor = body.readDoubleLE(4);
  if (kind === GREW_FRAME) return { kind: "grew", handle, cursor };
  const rest = body.subarray(HOT_BYTES);
  if (kind === WRITE_FRAME) return { kind: "write", handle, bytes: rest, number: unpacked(cursor) };
  return { kind: "answering", handle, to: { cursor, asker: rest.readInt32LE(0) || null }, bytes: rest.subarray(4) };
}

/** An input number in one f64, exact up to 2^53. 0: it has none, which is what earlier daemons send. */
function packed(number: InputNumber | undefined): number {
  return number ? number.viewer * INPUT_NUMBERS + number.n : 0;
}

function unpacked(value: number): InputNumber | undefined {
  return value === 0 ? undefined : { viewer: Math.floor(value / INPUT_NUMBERS), n: value % INPUT_NUMBERS };
}
