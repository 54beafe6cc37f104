// The Store port on plain files, one folder per session. Folders are 0700, files 0600. The holder keeps the descriptors of a
// session until it closes them; the daemon shares a few among all sessions.
import fs from "node:fs";
import { appendFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../core/base/fault.ts";
import { isMeta } from "../../core/journal/meta.ts";
import type { LineFile, LinesPart, Meta, SessionFiles, Store } from "../../core/journal/store.ts";
import { readBits, writeBits } from "./bits.ts";
import { Descriptors, type OpenFlag } from "./descriptors.ts";
import { diskUse } from "./disk-use.ts";
import { keyframeCursors, readKeyframe, writeKeyframe } from "./keyframes.ts";
import { PACKED, PackedOutputs, packBefore, packOutput, RAW } from "./packed-output.ts";

const META = "meta.json";
const KEYFRAMES = "keyframes";
/** Lines kept in memory while the disk refuses them. The oldest go first. */
const OWED_LINES_MAX = 1_000;
/** The size of one read: two hundred deltas of a large screen. */
const LINES_BYTES_MAX = 4 << 20;
/** Read at once when a text is looked for. */
const LOOK_BYTES = 1 << 20;

export function fileStore(root: string): Store {
  const dir = (id: string) => join(root, id);
  const shared = new Descriptors();
  const packed = new PackedOutputs(shared);
  return {
    ids: () => fs.readdirSync(root).filter((name) => fs.existsSync(join(root, name, META))),
    meta: (id) => readMeta(join(dir(id), META)),
    writeMeta(meta) {
      fs.mkdirSync(dir(meta.session_id), { recursive: true, mode: 0o700 });
      writeWhole(join(dir(meta.session_id), META), `${JSON.stringify(meta, null, 2)}\n`);
    },
    remove: (id) => fs.rmSync(dir(id), { recursive: true, force: true }),
    diskUse: (id) => diskUse(dir(id)),
    started: (id) => [RAW, PACKED].some((name) => fs.existsSync(join(dir(id), name))),
    async pack(id, old) {
      const packing = refusableAsync(() => (old === undefined ? packOutput(dir(id)) : packBefore(dir(id), old)));
      const isPacked = await packing.finally(() => packed.forget(join(dir(id), PACKED)));
      // The raw file stays on the disk for as long as somebody has it open.
      if (isPacked) shared.closeIn(dir(id));
      return isPacked ?? false;
    },
    files: (id, use) => (use === "holder" ? Files.held(dir(id)) : new Files(dir(id), shared, packed)),
  };
}

class Files implements SessionFiles {
  #dir: string;
  #descriptors: Descriptors;
  #packed: PackedOutputs;
  #snapshots = 0;
  #owed = new Map<LineFile, Buffer[]>();
  #mended = new Set<LineFile>();
  #later: Promise<void> = Promise.resolve();

  constructor(dir: string, descriptors: Descriptors, packed = new PackedOutputs(descriptors)) {
    this.#dir = dir;
    this.#descriptors = descriptors;
    this.#packed = packed;
  }

  /** Opened at the start, so the holder can go on writing whatever happens to the folder. */
  static held(dir: string): Files {
    const files = new Files(dir, new Descriptors(Number.POSITIVE_INFINITY));
    // The file's existence says that a PTY was started, so it comes before the PTY.
    files.#fd(RAW, "a");
    files.#lines("records");
    return files;
  }

  outputSize(): number {
    const raw = fs.statSync(join(this.#dir, RAW), { throwIfNoEntry: false });
    return raw?.size ?? this.#packed.size(join(this.#dir, PACKED));
  }

  appendOutput(bytes: Uint8Array): number {
    const fd = refusable(() => this.#fd(RAW, "a"));
    if (fd === undefined) return 0;
    let stored = 0;
    while (stored < bytes.length) {
      const wrote = refusable(() => fs.writeSync(fd, bytes, stored, bytes.length - stored));
      if (wrote === undefined) break;
      stored += wrote;
    }
    return stored;
  }

  readOutput(at: number, into: Uint8Array): number {
    if (into.length === 0) return 0;
    const packed = join(this.#dir, PACKED);
    const hole = this.#packed.hole(packed);
    const isRaw = fs.existsSync(join(this.#dir, RAW));
    if (!isRaw) return this.#packed.read(packed, at, into);
    let got = at < hole ? this.#packed.read(packed, at, into.subarray(0, hole - at)) : 0;
    // A damaged frame.
    if (at + got < hole) return got;
    const fd = this.#fd(RAW, "r");
    while (got < into.length) {
      const n = fs.readSync(fd, into, got, into.length - got, at + got);
      if (n === 0) break;
      got += n;
    }
    return got;
  }

  outputHas(text: string, from: number, to: number): boolean {
    const wanted = Buffer.from(text);
    const buffer = Buffer.allocUnsafe(Math.max(LOOK_BYTES, 2 * wanted.length));
    // The text may lie across two parts.
    for (let at = from; at < to; at += buffer.length - wanted.length + 1) {
      const got = this.readOutput(at, buffer.subarray(0, Math.min(buffer.length, to - at)));
      if (buffer.subarray(0, got).includes(wanted)) return true;
      if (got < buffer.length) return false;
    }
    return false;
  }

  appendLine(file: LineFile, value: object): boolean {
    const owed = this.#owed.get(file) ?? [];
    this.#owed.set(file, owed);
    owed.push(Buffer.from(`${JSON.stringify(value)}\n`));
    if (owed.length > OWED_LINES_MAX) owed.shift();
    while (owed[0] && this.#write(file, owed[0])) owed.shift();
    return owed.length === 0;
  }

  #write(file: LineFile, line: Buffer): boolean {
    const fd = refusable(() => this.#lines(file));
    if (fd === undefined) return false;
    const wrote = refusable(() => fs.writeSync(fd, line));
    if (wrote === line.length) return true;
    // Half a line would stay torn for ever, so we take it back.
    if (wrote !== undefined) fs.ftruncateSync(fd, fs.fstatSync(fd).size - wrote);
    return false;
  }

  appendLater(file: LineFile, ...values: object[]): void {
    const path = join(this.#dir, `${file}.jsonl`);
    refusable(() => this.#mend(file));
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    // The disk is full or the session was removed. A reader that misses a delta reads the whole screen.
    this.#later = this.#later.then(() => appendFile(path, lines, { mode: 0o600 })).catch(() => undefined);
  }

  settled(): Promise<void> {
    return this.#later;
  }

  readLines(file: LineFile): unknown[] {
    const path = join(this.#dir, `${file}.jsonl`);
    if (!fs.existsSync(path)) return [];
    return fs
      .readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => parsed(line));
  }

  readLinesFrom(file: LineFile, offset: number, limit: number): LinesPart {
    const path = join(this.#dir, `${file}.jsonl`);
    const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (offset >= size) return { lines: [], next: Math.min(offset, size), size };
    const start = offset > 0 ? offset - 1 : 0;
    const part = Buffer.alloc(Math.min(size - start, LINES_BYTES_MAX));
    const got = part.subarray(0, fs.readSync(this.#fd(`${file}.jsonl`, "r"), part, 0, part.length, start));
    // The byte before the offset tells whether it is the beginning of a line.
    const first = offset === 0 ? 0 : got.indexOf(10) + 1;
    if (first === 0 && offset > 0) return { lines: [], next: size, size };
    return { ...linesIn(got.subarray(first), start + first, limit), size };
  }

  writeSnapshot(value: object): void {
    this.#snapshots += 1;
    const mine = this.#snapshots;
    const path = join(this.#dir, "screen.snapshot.json");
    const text = `${JSON.stringify(value)}\n`;
    // Replacing a file can wait for the disk's journal (ext4: 100 ms and more behind a flood), so it never runs on the loop.
    const replace = async () => {
      if (mine !== this.#snapshots) return;
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
    };
    // The disk is full or the session was removed. The next write may succeed.
    this.#later = this.#later.then(replace).catch(() => undefined);
  }

  keyframes(): number[] {
    return keyframeCursors(join(this.#dir, KEYFRAMES));
  }

  readKeyframe(cursor: number): Promise<Uint8Array | undefined> {
    return readKeyframe(join(this.#dir, KEYFRAMES), cursor);
  }

  writeKeyframe(cursor: number, state: Uint8Array): void {
    writeKeyframe(join(this.#dir, KEYFRAMES), cursor, state);
  }

  readBits(at: number, into: Uint8Array): number {
    return readBits(this.#dir, at, into);
  }

  writeBits(at: number, bits: Uint8Array): void {
    writeBits(this.#dir, at, bits);
  }

  close(): void {
    this.#packed.forget(join(this.#dir, PACKED));
    this.#descriptors.closeIn(this.#dir);
  }

  #lines(file: LineFile): number {
    this.#mend(file);
    return this.#fd(`${file}.jsonl`, "a");
  }

  /** Only what an earlier process left can be torn. */
  #mend(file: LineFile): void {
    if (!this.#mended.has(file)) mendTail(join(this.#dir, `${file}.jsonl`));
    this.#mended.add(file);
  }

  #fd(name: string, flag: OpenFlag): number {
    return this.#descriptors.of(join(this.#dir, name), flag);
  }
}

/** The disk is full, broken or read-only, descriptors ran out, or the folder is gone. Any other error is a bug. */
const REFUSALS = new Set("ENOSPC EDQUOT EIO EFBIG EROFS ENOENT EACCES EPERM EMFILE ENFILE ESTALE".split(" "));

function refusable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    return refused(error);
  }
}

async function refusableAsync<T>(write: () => Promise<T>): Promise<T | undefined> {
  return write().catch(refused);
}

function refused(error: unknown): undefined {
  if (!REFUSALS.has(codeOf(error))) throw error;
}

/** Moves a line that a crash cut short aside, so that the next one begins on its own line. */
function mendTail(path: string): void {
  const whole = fs.existsSync(path) ? fs.readFileSync(path) : Buffer.alloc(0);
  const end = whole.lastIndexOf(10) + 1;
  if (end === whole.length) return;
  fs.writeFileSync(`${path}.torn`, whole.subarray(end), { mode: 0o600, flag: "a" });
  fs.truncateSync(path, end);
}

function linesIn(part: Buffer, start: number, limit: number): { lines: unknown[]; next: number } {
  const lines: unknown[] = [];
  let at = 0;
  for (let end = part.indexOf(10); end >= 0 && lines.length < limit; end = part.indexOf(10, at)) {
    lines.push(...parsed(part.toString("utf8", at, end)));
    at = end + 1;
  }
  return { lines, next: start + at };
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // A damaged line in the middle costs only itself, never its neighbours.
    return [];
  }
}

function readMeta(path: string): Meta | undefined {
  const text = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
  const [value] = parsed(text);
  return isMeta(value) ? value : undefined;
}

/** Whole or not at all: written beside, then renamed. */
export function writeWhole(path: string, text: string): true {
  const beside = `${path}.${process.pid}.new`;
  // In a folder that others write, it may be a link to somewhere else.
  fs.rmSync(beside, { force: true });
  fs.writeFileSync(beside, text, { mode: 0o600, flag: "wx" });
  fs.renameSync(beside, path);
  return true;
}
