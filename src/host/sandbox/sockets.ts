// Sockets of other programs by their paths. Whoever listens on a path outside answers anybody who can see the path, even on a
// read-only mount.
import fs from "node:fs";

/** As the kernel lists them: some twice, some gone. */
export function listeningPaths(): string[] {
  if (process.platform !== "linux") return [];
  const lines = fs.readFileSync("/proc/net/unix", "utf8").split("\n");
  const paths = lines.flatMap((line) => /^(?:\S+ +){7}(\/.+)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)];
}

/** Whether a process of ours without capabilities may write here, by its mode. Its program may have ended just now. */
export function isOpenToUs(path: string): boolean {
  const { uid, mode } = fs.statSync(path, { throwIfNoEntry: false }) ?? { uid: -1, mode: 0 };
  return (mode & (uid === process.geteuid?.() ? 0o200 : 0o022)) !== 0;
}
