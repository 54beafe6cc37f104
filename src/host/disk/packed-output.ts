// The output of an ended session, compressed: a gzip file of independent members, each with one frame of the output, so that
// `zcat` reads it whole and a range is read by expanding only its frames. Each member's header tells its length, so
// the file is its own index. docs/decisions/020-ended-output-is-packed.md says why.
import fs from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip } from "node:zlib";
import type { Descriptors } from "./descriptors.ts";

export const RAW = "output.raw";
export const PACKED = "output.raw.gz";
/** What is expanded to read a single byte: some milliseconds. Larger frames would hardly be smaller on disk. */
const FRAME_BYTES = 1 << 20;
/** Smaller output gains too little: a file takes whole blocks of the disk. */
const PACK_BYTES_MIN = 64 << 10;
/** A search goes through frames in order, and a reader of a command stays in one. */
const EXPANDED_MAX = 4;
/** gzip's own header, then our field in it: its size, its two letters and theirs, and the member's length. */
const GZIP_HEADER_BYTES = 10;
const HEADER_BYTES = GZIP_HEADER_BYTES + 10;
const HAS_FIELD = 4;
const FIELD = Buffer.from([8, 0, 0x64, 0x74, 4, 0]);

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Compresses the output in a session's folder. Nothing may write to it any more. False: there is nothing to gain. */
export async function packOutput(dir: string): Promise<boolean> {
  const [raw, packed] = [join(dir, RAW), join(dir, PACKED)];
  const size = (await stat(raw).catch(() => undefined))?.size ?? 0;
  if (size < PACK_BYTES_MIN) return false;
  try {
    await writePacked(raw, `${packed}.new`);
    if (!(await isSame(raw, `${packed}.new`))) throw new Error(`${packed}: what was written is not what is read`);
    await rename(`${packed}.new`, packed);
  } catch (error) {
    fs.rmSync(`${packed}.new`, { force: true });
    throw error;
  }
  await synced(dir);
  // Within one turn of the loop: a reader finds the one or the other.
  fs.unlinkSync(raw);
  return true;
}

async function writePacked(raw: string, path: string): Promise<void> {
  await using from = await open(raw, "r");
  await using to = await open(path, "w", 0o600);
  const buffer = Buffer.allocUnsafe(FRAME_BYTES);
  for (let at = 0; ; at += FRAME_BYTES) {
    const { bytesRead } = await from.read(buffer, 0, FRAME_BYTES, at);
    if (bytesRead === 0) break;
    await to.writeFile(member(await compress(buffer.subarray(0, bytesRead))));
  }
  await to.sync();
}

function member(zipped: Buffer): Buffer {
  const whole = Buffer.concat([
    zipped.subarray(0, GZIP_HEADER_BYTES),
    FIELD,
    Buffer.alloc(4),
    zipped.subarray(GZIP_HEADER_BYTES),
  ]);
  whole.writeUInt8(HAS_FIELD, 3);
  whole.writeUInt32LE(whole.length, HEADER_BYTES - 4);
  return whole;
}

async function isSame(raw: string, path: string): Promise<boolean> {
  await using from = await open(raw, "r");
  const fd = fs.openSync(path, "r");
  try {
    const frames = framesOf(fd);
    const buffer = Buffer.allocUnsafe(FRAME_BYTES);
    for (const [i, frame] of frames.entries()) {
      const { bytesRead } = await from.read(buffer, 0, FRAME_BYTES, i * FRAME_BYTES);
      if (!buffer.subarray(0, bytesRead).equals(await expand(zippedFrame(fd, frame)))) return false;
    }
    return sizeOf(fd, frames) === (await from.stat()).size;
  } finally {
    fs.closeSync(fd);
  }
}

/** A rename is sure to outlive a power cut only when its folder was written. */
async function synced(dir: string): Promise<void> {
  await using folder = await open(dir, "r");
  await folder.sync();
}

interface Frame {
  readonly at: number;
  readonly bytes: number;
}

/** Where the members lie. */
function framesOf(fd: number): Frame[] {
  const { size } = fs.fstatSync(fd);
  const header = Buffer.alloc(HEADER_BYTES);
  const frames: Frame[] = [];
  for (let at = 0; at < size; ) {
    const got = fs.readSync(fd, header, 0, HEADER_BYTES, at);
    const bytes = got === HEADER_BYTES ? header.readUInt32LE(HEADER_BYTES - 4) : 0;
    // Cut short or damaged: what is before it can be read.
    if (bytes <= HEADER_BYTES || at + bytes > size || !header.subarray(GZIP_HEADER_BYTES, -4).equals(FIELD)) break;
    frames.push({ at, bytes });
    at += bytes;
  }
  return frames;
}

function zippedFrame(fd: number, { at, bytes }: Frame): Buffer {
  const zipped = Buffer.allocUnsafe(bytes);
  fs.readSync(fd, zipped, 0, bytes, at);
  return zipped;
}

/** A member ends with the size of what is in it. All but the last are full. */
function sizeOf(fd: number, frames: readonly Frame[]): number {
  const last = frames.at(-1);
  if (!last) return 0;
  const end = Buffer.alloc(4);
  fs.readSync(fd, end, 0, 4, last.at + last.bytes - 4);
  return (frames.length - 1) * FRAME_BYTES + end.readUInt32LE(0);
}

/** Reads packed outputs, which do not change any more. Owns: where their frames lie, and the few that were expanded last. */
export class PackedOutputs {
  #descriptors: Descriptors;
  #indexes = new Map<string, { readonly frames: readonly Frame[]; readonly size: number }>();
  /** The most recently used one is last. */
  #expanded = new Map<string, Buffer>();

  constructor(descriptors: Descriptors) {
    this.#descriptors = descriptors;
  }

  size(path: string): number {
    return this.#index(path).size;
  }

  read(path: string, at: number, into: Uint8Array): number {
    let got = 0;
    while (got < into.length) {
      const from = at + got;
      const frame = this.#frame(path, Math.floor(from / FRAME_BYTES)).subarray(from % FRAME_BYTES);
      const part = frame.subarray(0, into.length - got);
      if (part.length === 0) break;
      into.set(part, got);
      got += part.length;
    }
    return got;
  }

  /** Nobody reads it for now. */
  forget(path: string): void {
    this.#indexes.delete(path);
  }

  #index(path: string) {
    const known = this.#indexes.get(path);
    if (known) return known;
    const fd = this.#descriptors.of(path, "r");
    const frames = framesOf(fd);
    const index = { frames, size: sizeOf(fd, frames) };
    this.#indexes.set(path, index);
    return index;
  }

  #frame(path: string, number: number): Buffer {
    const frame = this.#index(path).frames[number];
    if (!frame) return Buffer.alloc(0);
    const key = `${number} ${path}`;
    const whole = this.#expanded.get(key) ?? expanded(zippedFrame(this.#descriptors.of(path, "r"), frame));
    this.#expanded.delete(key);
    this.#expanded.set(key, whole);
    const [oldest] = this.#expanded.keys();
    if (this.#expanded.size > EXPANDED_MAX && oldest !== undefined) this.#expanded.delete(oldest);
    return whole;
  }
}

/** A damaged frame, which its checksum tells, has nothing in it. The others can still be read. */
function expanded(zipped: Buffer): Buffer {
  try {
    return gunzipSync(zipped);
  } catch {
    return Buffer.alloc(0);
  }
}
