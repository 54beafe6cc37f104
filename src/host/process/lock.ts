// A lock by an exclusive file that holds its owner's pid. A dead owner's lock is taken over.
import fs from "node:fs";

export interface Lock {
  release(): void;
}

/** Undefined when a living process has it. `stale` judges a lock whose owner's pid lives, which may be a reused pid. */
export function takeLock(path: string, stale: (ageMs: number) => boolean): Lock | undefined {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      fs.writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
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
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  if (!stat) return true;
  const pid = Number(fs.readFileSync(path, "utf8"));
  // An empty file is a lock whose owner is between creating and writing it.
  if (!pid) return Date.now() - stat.mtimeMs > 1_000;
  return !isAlive(pid) || stale(Date.now() - stat.mtimeMs);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: somebody else's process, but alive.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Killed, but its parent (an init that reaps nobody, as in many containers) has not noticed. */
function isZombie(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return fs.existsSync(path) && / Z /.test(fs.readFileSync(path, "utf8").replace(/^.*\)/s, ")"));
}
