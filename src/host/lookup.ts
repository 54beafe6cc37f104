// Names to addresses, as the machine's own configuration has it. The C library blocks one of the daemon's four worker
// threads for each name, so boxes share two of them: the disk must not wait for a slow name server.
import { lookup } from "node:dns/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ConcurrencyLimit } from "../core/base/concurrency-limit.ts";

const AT_ONCE_MAX = 2;
/** Two tries of five seconds, as the C library has it. */
const LOOKUP_MS_MAX = 10_000;

export function makeLookup(): (host: string) => Promise<readonly string[]> {
  const limit = new ConcurrencyLimit(AT_ONCE_MAX);
  return (host) => {
    const found = limit.run(() =>
      lookup(host, { all: true }).then(
        (all) => all.map(({ address }) => address),
        // ENOTFOUND, EAI_AGAIN: there is no such name, or nobody who knows.
        () => [],
      ),
    );
    return Promise.race([found, pause(LOOKUP_MS_MAX, [], { ref: false })]);
  };
}
