// The Store port on plain files, one folder per session. Owns: file descriptors, opened at first use and let go by close.
// Folders are 0700, files 0600.
import fs from "node:fs";
import { join } from "node:path";
import type { LineFile, Meta, SessionFiles, Store } from "../core/journal/store.ts";

const OUTPUT = "output.raw";
const META = "meta.json";

export function fileStore(root: string): Store {
  const dir = (id: string) => join(root, id);
  return {
    ids: () => fs.readdirSync(root).filter((name) => fs.existsSync(join(root, name, META))),
    meta: (id) => readMeta(join(dir(id), META)),
    writeMeta(meta) {
      fs.mkdirSync(dir(meta.session_id), { recursive: true, mode: 0o700 });
      writeWhole(join(dir(meta.session_id), META), `${JSON.stringify(meta, null, 2)}\n`);
    },
    remove: (id) => fs.rmSync(dir(id), { recursive: true, force: true }),
    started: (id) => fs.existsSync(join(dir(id), OUTPUT)),
    files: (id, use) => new Files(dir(id), use),
  };
}

class Files implements SessionFiles {
  #dir: string;
  #open = new Map<string, number>();

  constructor(dir: string, use: "holder" | "daemon") {
    this.#dir = dir;
    // The file's existence says that a PTY was started, so it comes before the PTY.
    if (use === "holder") this.#fd(OUTPUT, "a");
  }

  outputSize(): number {
    return fs.statSync(join(this.#dir, OUTPUT), { throwIfNoEntry: false })?.size ?? 0;
  }

  appendOutput(bytes: Uint8Array): number {
    const fd = this.#fd(OUTPUT, "a");
    let stored = 0;
    while (stored < bytes.length) {
      const wrote = refusable(() => fs.writeSync(fd, bytes, stored, bytes.length - stored));
      if (wrote === undefined) break;
      stored += wrote;
    }
    return stored;
  }

  readOutput(at: number, into: Uint8Array): number {
    if (into.length === 0 || !fs.existsSync(join(this.#dir, OUTPUT))) return 0;
    const fd = this.#fd(OUTPUT, "r");
    let got = 0;
    while (got < into.length) {
      const n = fs.readSync(fd, into, got, into.length - got, at + got);
      if (n === 0) break;
      got += n;
    }
    return got;
  }

  appendLine(file: LineFile, value: object): boolean {
    const fd = this.#lines(file);
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    const wrote = refusable(() => fs.writeSync(fd, line));
    if (wrote === line.length) return true;
    // Half a line would be torn for ever: take it back.
    if (wrote !== undefined) fs.ftruncateSync(fd, fs.fstatSync(fd).size - wrote);
    return false;
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

  close(): void {
    for (const fd of this.#open.values()) fs.closeSync(fd);
    this.#open.clear();
  }

  #lines(file: LineFile): number {
    const name = `${file}.jsonl`;
    if (!this.#open.has(`${name} a`)) mendTail(join(this.#dir, name));
    return this.#fd(name, "a");
  }

  #fd(name: string, flag: "a" | "r"): number {
    const key = `${name} ${flag}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const fd = fs.openSync(join(this.#dir, name), flag, 0o600);
    this.#open.set(key, fd);
    return fd;
  }
}

/** The disk may say no (ENOSPC, EDQUOT, EIO, EFBIG); everything else is a bug and throws. */
function refusable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["ENOSPC", "EDQUOT", "EIO", "EFBIG"].includes(code)) return undefined;
    throw error;
  }
}

/** A line that a crash cut short is moved aside, so that the next one begins on a line of its own. */
function mendTail(path: string): void {
  const whole = fs.existsSync(path) ? fs.readFileSync(path) : Buffer.alloc(0);
  const end = whole.lastIndexOf(10) + 1;
  if (end === whole.length) return;
  fs.writeFileSync(`${path}.torn`, whole.subarray(end), { mode: 0o600, flag: "a" });
  fs.truncateSync(path, end);
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // A damaged line in the middle loses itself, never its neighbours.
    return [];
  }
}

function readMeta(path: string): Meta | undefined {
  const text = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
  const [value] = parsed(text);
  const isMeta = typeof value === "object" && value !== null && "session_id" in value && "command" in value;
  return isMeta ? (value as Meta) : undefined;
}

/** Whole or not at all: written beside, then renamed. */
export function writeWhole(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`;
  fs.writeFileSync(beside, text, { mode: 0o600 });
  fs.renameSync(beside, path);
}
