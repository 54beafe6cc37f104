// Tells when a screen changed, for those who subscribed to it. Owns: one loop per watched screen, which ends with its last
// subscriber and not before: a session may come, end, and come again under its name. Looks only; never brings up a
// daemon, and never starts anything.
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../client/client.ts";

/** A busy screen is told of four times a second: more would be read by nobody. */
const NOTICE_MS = 250;
/** One wait: short enough that a daemon which was replaced is found again. */
const WAIT_MS = 30_000;
/** While there is nothing to watch: no daemon, no such session yet, or one that has ended. */
const RETRY_MS = 2_000;
/** Screens one client may watch. */
const WATCHED_MAX = 100;

export interface WatchesParts {
  /** Made at the first use: watching nothing costs nothing. */
  client(): Client;
  tell(uri: string): void;
}

const URI = /^terminal:\/\/([^/?#]{1,200})\/screen$/;

export function screenUri(session_id: string): string {
  return `terminal://${session_id}/screen`;
}

/** Undefined for whatever is no screen's, however badly it is written. */
export function sessionIn(uri: string): string | undefined {
  const name = URI.exec(uri)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

interface Watch {
  readonly by: Set<object>;
  readonly end: AbortController;
}

export class Watches {
  #parts: WatchesParts;
  #watched = new Map<string, Watch>();

  constructor(parts: WatchesParts) {
    this.#parts = parts;
  }

  /** As often as one likes: each subscriber counts once for a screen. What is no screen is not watched. */
  add(uris: readonly string[], by: object): void {
    // All are read before the first is watched: what goes wrong leaves nothing behind.
    const screens = uris.map((uri) => ({ uri, session_id: sessionIn(uri) }));
    for (const { uri, session_id } of screens) if (session_id !== undefined) this.#join(uri, session_id, by);
  }

  remove(uris: readonly string[], by: object): void {
    for (const uri of uris) {
      const watch = this.#watched.get(uri);
      if (!watch?.by.delete(by) || watch.by.size > 0) continue;
      watch.end.abort();
      this.#watched.delete(uri);
    }
  }

  close(): void {
    for (const { end } of this.#watched.values()) end.abort();
    this.#watched.clear();
  }

  #join(uri: string, session_id: string, by: object): void {
    const known = this.#watched.get(uri);
    if (known?.by.has(by) || (!known && this.#watched.size >= WATCHED_MAX)) return;
    // Begun anew for each: whoever subscribes hears at once.
    known?.end.abort();
    const end = new AbortController();
    this.#watched.set(uri, { by: new Set([...(known?.by ?? []), by]), end });
    void this.#watch(uri, session_id, end.signal);
  }

  async #watch(uri: string, session_id: string, signal: AbortSignal): Promise<void> {
    const told = { last: "" };
    while (!signal.aborted) {
      const next = await this.#look(uri, session_id, told, signal).catch(() => {
        // Whatever comes after a gap is news.
        told.last = "";
        return RETRY_MS;
      });
      // Aborting ends the pause; the loop ends with it.
      await pause(next, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Waits for one change. What changes before the wait has begun is found by the look that follows it. */
  async #look(uri: string, session_id: string, told: { last: string }, signal: AbortSignal): Promise<number> {
    const client = this.#parts.client();
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    const waits = client.pty_wait({ session_id, any: [{ change: true }], timeout_ms: WAIT_MS }, { signal: either });
    // It may fail while nobody awaits it yet, and that would end the process; whoever awaits it hears of it all the same.
    waits.catch(() => undefined);
    try {
      const now = await client.pty_screen_status({ session_id }, { signal });
      // The first look is always told: whatever changed since the subscriber last read is in it.
      if (this.#tell(uri, told, now, signal)) return NOTICE_MS;
      const { outcome, screen } = await waits;
      this.#tell(uri, told, screen, signal);
      return outcome === "exited" ? RETRY_MS : NOTICE_MS;
    } finally {
      enough.abort();
    }
  }

  /** Whether there was news. Another session under the same name is. */
  #tell(
    uri: string,
    told: { last: string },
    { session_id, seq }: { readonly session_id: string; readonly seq: number },
    signal: AbortSignal,
  ): boolean {
    const now = `${session_id} ${seq}`;
    if (signal.aborted || told.last === now) return false;
    told.last = now;
    this.#parts.tell(uri);
    return true;
  }
}
