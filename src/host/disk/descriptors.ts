// Open files of many sessions. Owns: their descriptors. The one that was not used for longest is closed when there are too
// many, so sessions that rest or have ended keep none. A caller uses a descriptor at once and never keeps it.
import fs from "node:fs";
import { KEPT_FILES_MAX } from "../process/descriptor-limit.ts";

/** A working session uses three. Beyond this, opening a file again (20 µs) is cheaper than running out of descriptors. */
const OPEN_MAX = Math.min(64, KEPT_FILES_MAX);

export type OpenFlag = "a" | "r";

export class Descriptors {
  /** The most recently used one is last. */
  #open = new Map<string, number>();
  #max: number;

  constructor(max = OPEN_MAX) {
    this.#max = max;
  }

  of(path: string, flag: OpenFlag): number {
    const key = `${flag} ${path}`;
    const fd = this.#open.get(key) ?? fs.openSync(path, flag, 0o600);
    this.#open.delete(key);
    this.#open.set(key, fd);
    const [oldest] = this.#open.keys();
    if (this.#open.size > this.#max && oldest !== undefined) this.#close(oldest);
    return fd;
  }

  /** All of one folder. */
  closeIn(dir: string): void {
    for (const key of [...this.#open.keys()]) if (key.slice(2).startsWith(`${dir}/`)) this.#close(key);
  }

  #close(key: string): void {
    const fd = this.#open.get(key);
    this.#open.delete(key);
    if (fd !== undefined) fs.closeSync(fd);
  }
}
