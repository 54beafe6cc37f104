// A lock: a link whose target is its owner's pid and the boot in which it has that pid. It is there at once and whole, also on a
// full disk. We take over a dead owner's lock.
import fs from "node:fs";
import { bootId } from "./boot.ts";

interface Lock {
  release(): void;
}

/** Undefined when a living process has it. `stale` judges a lock whose pid lives, because the pid may be reused. */
export function takeLock(path: string, stale: (ageMs: number) => boolean): Lock | undefined {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      fs.symlinkSync(`${process.pid} ${bootId()}`, path);
      return { release: () => fs.rmSync(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (!abandoned(path, stale)) return undefined;
    fs.rmSync(path, { force: true });
  }
  return undefined;
}

function abandoned(path: string, stale: (ageMs: number) => boolean): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return true;
  // Earlier versions wrote a file, and only the pid.
  const target = stat.isSymbolicLink() ? fs.readlinkSync(path) : fs.readFileSync(path, "utf8");
  const [word = "", boot] = target.split(" ");
  const pid = Number(word);
  // Whoever has that pid now is somebody else.
  if (boot && boot !== bootId()) return true;
  // An empty file is a lock that its owner has created but not yet written.
  if (!pid) return Date.now() - stat.mtimeMs > 1_000;
  return !isAlive(pid) || stale(Date.now() - stat.mtimeMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: the process belongs to somebody else, but it lives.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** It was killed, but its parent has not reaped it. The init of many containers reaps nothing. */
function isZombie(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return fs.existsSync(path) && / Z /.test(fs.readFileSync(path, "utf8").replace(/^.*\)/s, ")"));
}
