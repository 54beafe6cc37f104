// One change at a time in a repository: work trees that are made at once read each other's half-written entries, and fail.
// Owns: the lines in front of each repository. The kernel's lock holds off other daemons.
import { setTimeout as delay } from "node:timers/promises";
import { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { takeLock } from "../process/lock.ts";
import { CommonGit } from "./repository.ts";

/** A change takes a tenth of a second; a slow disk and twenty others before it take longer. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 25;

export class RepositoryLocks {
  readonly #lines = new Map<string, ConcurrencyLimit>();

  /** What git does there has the lock as well: it ends when the last of them has ended. */
  run<T>(common: string, work: (git: CommonGit) => Promise<T>): Promise<T | Fault> {
    const line = this.#lines.get(common) ?? new ConcurrencyLimit(1);
    this.#lines.set(common, line);
    return line.run(async () => {
      const endsMs = performance.now() + PATIENCE_MS;
      for (;;) {
        const lock = takeLock(common);
        if (lock)
          try {
            return await work(new CommonGit(common, lock.fd));
          } finally {
            lock.release();
          }
        if (performance.now() > endsMs)
          return fault(
            "worktree.failed",
            "another program is changing this repository's work trees",
            "Try again in a moment.",
          );
        await delay(RETRY_MS);
      }
    });
  }
}
