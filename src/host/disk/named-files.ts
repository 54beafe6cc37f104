// Which of the names that programs printed are files. It only looks, at one at a time: a folder that never answers keeps one of
// node's few threads, not all of them.
import { stat } from "node:fs/promises";
import { setTimeout as after } from "node:timers/promises";
import { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";

/** What is not known by then counts as absent. A local disk answers for hundreds of names in a tenth of it. */
const LOOK_MS_MAX = 1_000;
/** A look there asks other machines, or a driver. */
const LEFT_ALONE = /^\/(?:proc|sys|dev|net|misc|afs)(?:\/|$)/;

export class NamedFiles {
  #limit = new ConcurrencyLimit(1);

  /** Those of these absolute paths that are files. */
  async among(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const files = new Set<string>();
    const over = new AbortController();
    const look = async (path: string) => {
      if (!over.signal.aborted && (await isFile(path))) files.add(path);
    };
    const looking = async () => {
      for (const path of paths) {
        if (over.signal.aborted) return;
        await this.#limit.run(() => look(path));
      }
    };
    const late = after(LOOK_MS_MAX, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([looking(), late]);
    over.abort();
    return new Set(files);
  }
}

async function isFile(path: string): Promise<boolean> {
  if (path.includes("\0") || LEFT_ALONE.test(path)) return false;
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
