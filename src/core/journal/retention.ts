// Which ended sessions leave the disk, by age, count and size. Pure: it decides, and src/serve/upkeep/care.ts acts.

const DAY_MS = 86_400_000;
const MB = 2 ** 20;

/** What is kept. Null: everything. */
export interface Retention {
  /** How long after its end. */
  readonly days: number | null;
  /** How many that have ended, the newest first. */
  readonly sessions: number | null;
  /** How much on disk, with those that run. */
  readonly total_mb: number | null;
  /** How much one that has ended may take. */
  readonly session_mb: number | null;
}

interface Kept {
  readonly session_id: string;
  /** Null while it runs: it never leaves. */
  readonly ended_at: number | null;
  readonly bytes: number;
}

interface Leaving {
  readonly session_id: string;
  readonly bytes: number;
  readonly why: string;
}

/** Those that leave, the oldest first. */
export function leaving(all: readonly Kept[], keep: Retention, now: number): Leaving[] {
  const { days, sessions, total_mb, session_mb } = keep;
  let bytes = all.reduce((sum, one) => sum + (one.ended_at === null ? one.bytes : 0), 0);
  let count = 0;
  const newestFirst = all
    .flatMap(({ ended_at, ...one }) => (ended_at === null ? [] : [{ ...one, ended_at }]))
    .sort((a, b) => b.ended_at - a.ended_at);
  const gone = newestFirst.flatMap(({ session_id, ended_at, bytes: own }): Leaving[] => {
    const why =
      days !== null && now - ended_at > days * DAY_MS
        ? `it ended more than ${days} days ago`
        : session_mb !== null && own > session_mb * MB
          ? `it takes more than ${session_mb} MB`
          : sessions !== null && count >= sessions
            ? `${sessions} newer ones are kept`
            : total_mb !== null && bytes + own > total_mb * MB
              ? `newer ones fill ${total_mb} MB`
              : undefined;
    if (why !== undefined) return [{ session_id, bytes: own, why }];
    count += 1;
    bytes += own;
    return [];
  });
  return gone.reverse();
}
