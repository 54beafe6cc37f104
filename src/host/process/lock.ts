// A lock of the kernel's on a folder. It ends with its process, whatever ends that, and needs no space on the disk. A lock that is a
// file must be judged and removed when its owner was killed, and two that do so at once both win.
import fs from "node:fs";
import { libc } from "../pty/libc.ts";

interface Lock {
  /** Whoever inherits it has the lock, too. */
  readonly fd: number;
  release(): void;
}

/** Undefined when another process has it. A file system without locks refuses nobody. */
export function takeLock(folder: string): Lock | undefined {
  // Node closes it in every child that it is not given to.
  const fd = fs.openSync(folder, "r");
  const release = () => fs.closeSync(fd);
  if (libc().locks(fd)) return { fd, release };
  release();
  return undefined;
}
