// The bits that help a search, one set after the other in one file. A cache: when the disk refuses, a search reads more.
import fs from "node:fs";
import { join } from "node:path";

const BITS = "pieces.bits";
const { O_CREAT, O_RDONLY, O_WRONLY } = fs.constants;

/** How many bytes there were. */
export function readBits(dir: string, at: number, into: Uint8Array): number {
  return withBits(dir, O_RDONLY, (fd) => fs.readSync(fd, into, 0, into.length, at));
}

export function writeBits(dir: string, at: number, bits: Uint8Array): void {
  withBits(dir, O_CREAT | O_WRONLY, (fd) => fs.writeSync(fd, bits, 0, bits.length, at));
}

function withBits(dir: string, flags: number, use: (fd: number) => number): number {
  let fd: number | undefined;
  try {
    fd = fs.openSync(join(dir, BITS), flags, 0o600);
    return use(fd);
  } catch {
    return 0;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
