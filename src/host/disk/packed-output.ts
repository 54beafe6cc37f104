// The old output of a session, compressed: a gzip file of independent members, each with one frame of the output, so that
// `zcat` reads it whole and a range is read by expanding only its frames. Each member's header tells its length, so
// the file is its own index, and it can grow. docs/decisions/020-old-output-is-packed.md says why.
import { execFile } from "node:child_process";
import fs from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip } from "node:zlib";
import type { Descriptors } from "./descriptors.ts";

export const RAW = "output.raw";
export const PACKED = "output.raw.gz";
/** Says how much of the raw file is a hole. */
const HOLE = "output.hole";
/** Some blocks of any disk. */
const TRIED_BYTES = 64 << 10;
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
const run = promisify(execFile);

/** Compresses the output in a session's folder, which nothing writes to any more. False: there is nothing to gain. */
export async function packOutput(dir: string): Promise<boolean> {
  const raw = join(dir, RAW);
  const size = fs.statSync(raw, { throwIfNoEntry: false })?.size ?? 0;
  if (size < PACK_BYTES_MIN) return false;
  await packTo(dir, size);
  // Within one turn of the loop: a reader finds the one or the other.
  fs.unlinkSync(raw);
  fs.rmSync(join(dir, HOLE), { force: true });
  return true;
}

/**
 * Compresses what is before a place, in whole frames, of an output that may grow. False: there is nothing to gain, or files can
 * have no holes here.
 */
export async function packBefore(dir: string, place: number): Promise<boolean> {
  const raw = join(dir, RAW);
  const size = fs.statSync(raw, { throwIfNoEntry: false })?.size ?? 0;
  const to = Math.floor(Math.min(place, size) / FRAME_BYTES) * FRAME_BYTES;
  if (to === 0 || to < holeOf(dir) || !(await canHaveHoles(dir))) return false;
  await packTo(dir, to);
  // From here on nobody reads the raw bytes.
  await writeSynced(join(dir, HOLE), `${to}\n`);
  await punch(raw, to);
  return true;
}

/** Adds frames up to a place. They are on the disk and were read back when it is done. */
async function packTo(dir: string, to: number): Promise<void> {
  const [raw, packed] = [join(dir, RAW), join(dir, PACKED)];
  await using file = await open(packed, "a+", 0o600);
  const { count, end } = soundPart(file.fd);
  // Zeros would take the place of what may still be saved.
  if (count * FRAME_BYTES < holeOf(dir)) throw new Error(`${packed} is damaged`);
  const part = { from: count * FRAME_BYTES, to };
  try {
    await file.truncate(end);
    await append(raw, file, part);
    await file.sync();
    if (!(await isSame(raw, file.fd, part))) throw new Error(`${packed}: what was written is not what is read`);
  } catch (error) {
    await file.truncate(end);
    throw error;
  }
  await synced(dir);
}

/** How many full frames are there, and where they end. A crash may have cut the last one short. */
function soundPart(fd: number): { count: number; end: number } {
  const all = framesOf(fd);
  const frames = sizeOf(fd, all) % FRAME_BYTES === 0 ? all : all.slice(0, -1);
  const last = frames.at(-1);
  return { count: frames.length, end: last ? last.at + last.bytes : 0 };
}

/** How much of the raw file's beginning only the packed one has. */
function holeOf(dir: string): number {
  const path = join(dir, HOLE);
  return fs.existsSync(path) ? Number(fs.readFileSync(path, "utf8")) : 0;
}

async function canHaveHoles(dir: string): Promise<boolean> {
  const path = join(dir, `${HOLE}.tried`);
  try {
    fs.writeFileSync(path, Buffer.alloc(TRIED_BYTES), { mode: 0o600 });
    await punch(path, TRIED_BYTES);
    return true;
  } catch {
    return false;
  } finally {
    fs.rmSync(path, { force: true });
  }
}

/** The file's size and all places in it stay, and the disk has the room again. */
async function punch(path: string, to: number): Promise<void> {
  await run("fallocate", ["--punch-hole", "--offset", "0", "--length", String(to), path]);
}

async function writeSynced(path: string, text: string): Promise<void> {
  {
    await using file = await open(`${path}.new`, "w", 0o600);
    await file.appendFile(text);
    await file.sync();
  }
  await rename(`${path}.new`, path);
  await synced(dirname(path));
}

interface Part {
  readonly from: number;
  readonly to: number;
}

async function append(raw: string, file: FileHandle, { from, to }: Part): Promise<void> {
  await using source = await open(raw, "r");
  const buffer = Buffer.allocUnsafe(FRAME_BYTES);
  for (let at = from; at < to; at += FRAME_BYTES) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(FRAME_BYTES, to - at), at);
    await file.appendFile(member(await compress(buffer.subarray(0, bytesRead))));
  }
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

async function isSame(raw: string, fd: number, { from, to }: Part): Promise<boolean> {
  await using source = await open(raw, "r");
  const frames = framesOf(fd);
  const buffer = Buffer.allocUnsafe(FRAME_BYTES);
  for (let at = from; at < to; at += FRAME_BYTES) {
    const frame = frames[at / FRAME_BYTES];
    const { bytesRead } = await source.read(buffer, 0, Math.min(FRAME_BYTES, to - at), at);
    if (!frame || !buffer.subarray(0, bytesRead).equals(await expand(zippedFrame(fd, frame)))) return false;
  }
  return sizeOf(fd, frames) === Math.max(from, to);
}

/** A new file is sure to outlive a power cut only when its folder was written. */
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

interface Index {
  readonly frames: readonly Frame[];
  readonly size: number;
  /** How much of it is not in a raw file. */
  readonly hole: number;
}

/** Reads packed outputs. Owns: where their frames lie, until told to forget it, and the few that were expanded last. */
export class PackedOutputs {
  #descriptors: Descriptors;
  #indexes = new Map<string, Index>();
  /** The most recently used one is last. */
  #expanded = new Map<string, Buffer>();

  constructor(descriptors: Descriptors) {
    this.#descriptors = descriptors;
  }

  /** 0: there is none. */
  size(path: string): number {
    return this.#index(path).size;
  }

  /** What is before this place is read here, also while there is a raw file. */
  hole(path: string): number {
    return this.#index(path).hole;
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

  /** It has grown, or nobody reads it for now. */
  forget(path: string): void {
    this.#indexes.delete(path);
  }

  #index(path: string): Index {
    const known = this.#indexes.get(path);
    if (known) return known;
    const fd = fs.existsSync(path) ? this.#descriptors.of(path, "r") : undefined;
    const frames = fd === undefined ? [] : framesOf(fd);
    const size = fd === undefined ? 0 : sizeOf(fd, frames);
    const index = { frames, size, hole: holeOf(dirname(path)) };
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
