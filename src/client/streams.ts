// A connection out of two ways to the other side: one that performs operations, and one that opens sockets. Owns: its end, and that
// its streams come back when the other side does.
import type { Output } from "../protocol/ops.ts";
import { placeOf } from "../protocol/plain/host-place.ts";
import { CLOSED, LiveAttachment } from "./attachment.ts";
import { backoffMs } from "./backoff.ts";
import { CallError, type CallOptions, type Client, clientOf } from "./client.ts";
import type { Connection, OpenSocket, Streams } from "./connection.ts";
import { type End, Over } from "./over.ts";

/** Shorter than what proxies allow; the other side answers at once when something happens. */
const WAIT_MS = 25_000;
/** A screen that changes all the time is read five times a second, as often as its changes are written. */
const PACE_MS = 200;
/** The other side is away, or went away before it answered. Reading again does no harm. */
const AWAY: ReadonlySet<string> = new Set(["daemon.unreachable", "daemon.lost", "host.gone"]);

interface Ways {
  ask(op: string, input: unknown, options: CallOptions): Promise<unknown>;
  readonly open: OpenSocket;
  /** What else ends with the connection. */
  end?(): Promise<void>;
  /** Closes it. */
  readonly signal?: AbortSignal | undefined;
}

export function connectionOf({ ask, open, end, signal: leave }: Ways): Connection {
  const over = new Over();
  const asked = (op: string, input: unknown, options: CallOptions = {}) =>
    until([over, options.signal], (signal) => ask(op, input, { ...options, signal }));
  const client: Client = clientOf(asked);
  let ended: Promise<void> | undefined;
  const close = () => {
    leave?.removeEventListener("abort", close);
    over.abort(new CallError(CLOSED));
    ended ??= end?.() ?? Promise.resolve();
    return ended;
  };
  leave?.addEventListener("abort", close);
  if (leave?.aborted) void close();
  const streams: Streams = {
    attach: (session_id, options = {}) => {
      const why = () => client.pty_screen_status({ session_id }).then(() => undefined, refusalOf);
      const host = placeOf(session_id)?.host;
      return new LiveAttachment({ open: (query) => open(session_id, query), why, host, over }, options);
    },
    changes: ({ signal } = {}) => changesOf(client, new Asking([over, signal])),
    deltas: (session_id, { cursor = 0, signal } = {}) =>
      deltasOf(client, session_id, cursor, new Asking([over, signal])),
    close,
    [Symbol.asyncDispose]: close,
  };
  return clientOf(asked, streams);
}

async function* changesOf(client: Client, asking: Asking): AsyncGenerator<Output<"news">, void> {
  let since = 0;
  for (;;) {
    // Another daemon counts from the beginning, and we do not know what happened meanwhile.
    const answer = await asking.answer(({ signal, attempt }) => {
      if (attempt > 0) since = 0;
      return client.news({ since, timeout_ms: since === 0 ? 0 : WAIT_MS }, { signal });
    });
    if (!answer) return;
    if (answer.seq !== since) yield answer;
    since = answer.seq;
  }
}

async function* deltasOf(
  client: Client,
  session_id: string,
  cursor: number,
  asking: Asking,
): AsyncGenerator<Output<"pty_read_screen_deltas">, void> {
  // What changes after this is waited for, so nothing falls between a wait and a reading.
  for (let since: number | undefined; ; ) {
    const timeout_ms = since === undefined ? 0 : WAIT_MS;
    const wait = { session_id, any: [{ change: true as const }], since, timeout_ms, show: "none" as const };
    const waited = await asking.answer(({ signal }) => client.pty_wait(wait, { signal }));
    if (!waited) return;
    for (;;) {
      const read = await asking.answer(({ signal }) =>
        client.pty_read_screen_deltas({ session_id, cursor }, { signal }),
      );
      if (!read) return;
      if (read.deltas.length === 0) break;
      cursor = read.resume_cursor;
      yield read;
      if (cursor === read.file_size) await asking.pause(PACE_MS);
    }
    if (waited.outcome === "exited") return;
    since = waited.cursor;
  }
}

/** Asks until there is an answer, or the end. Owns: how long to wait for a side that is away. */
class Asking {
  #signals: readonly End[];

  constructor(signals: readonly (End | undefined)[]) {
    this.#signals = signals.filter((signal) => signal !== undefined);
  }

  /** Undefined: it is over. */
  async answer<T>(
    ask: (how: { readonly signal: AbortSignal; readonly attempt: number }) => Promise<T>,
  ): Promise<T | undefined> {
    for (let attempt = 0; !this.#isOver; attempt += 1) {
      try {
        return await until(this.#signals, (signal) => ask({ signal, attempt }));
      } catch (error) {
        if (this.#isOver) return undefined;
        if (refusalOf(error)) throw error;
      }
      await this.pause(backoffMs(attempt, Math.random()));
    }
    return undefined;
  }

  /** Shorter if it is over before. */
  async pause(ms: number): Promise<void> {
    const paused = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      });
    if (!this.#isOver) await until(this.#signals, paused);
  }

  get #isOver(): boolean {
    return this.#signals.some(({ aborted }) => aborted);
  }
}

/** Undefined: the other side is only away. */
function refusalOf(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return new Error(String(error));
  return error instanceof CallError && AWAY.has(error.code) ? undefined : error;
}

/** Runs until one of the signals. Then its reason is the failure. */
async function until<T>(signals: readonly (End | undefined)[], run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const [one, done] = [new AbortController(), new AbortController()];
  for (const signal of signals) {
    if (signal?.aborted) one.abort(signal.reason);
    signal?.addEventListener("abort", () => one.abort(signal.reason), { signal: done.signal });
  }
  try {
    one.signal.throwIfAborted();
    return await run(one.signal);
  } catch (error) {
    one.signal.throwIfAborted();
    throw error;
  } finally {
    done.abort();
  }
}
