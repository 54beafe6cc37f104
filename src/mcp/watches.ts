// Tells subscribers when a screen changed. Owns: one loop per watched screen, which ends with its last
// subscriber and not before, because a session may come, end, and come again under its name. It only reads; it never
// starts a daemon or anything else.
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../client/client.ts";

/** A busy screen sends four updates a second. Nobody would read more. */
const NOTICE_MS = 250;
/** The length of one wait, short enough to find a replaced daemon again. */
const WAIT_MS = 30_000;
/** The pause while there is nothing to watch: no daemon, no such session yet, or one that has ended. */
const RETRY_MS = 2_000;
/** Screens one client may watch. */
const WATCHED_MAX = 100;

interface WatchesParts {
  /** Made at the first use, so that watching nothing costs nothing. */
  client(): Client;
  tell(uri: string): void;
}

/** Of a session on another machine: HOST/ID. */
const URI = /^terminal:\/\/((?:[^/?#]{1,40}\/)?[^/?#]{1,200})\/screen$/;

export function screenUri(session_id: string): string {
  return `terminal://${session_id}/screen`;
}

/** Undefined when the address is not a screen's, even when it is malformed. */
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

  /** May be called again: each subscriber counts once per screen. Other addresses are ignored. */
  add(uris: readonly string[], by: object): void {
    // We read all addresses before we watch the first, so a failure leaves nothing behind.
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
    // We restart the loop for each subscriber, so that it gets an update at once.
    known?.end.abort();
    const end = new AbortController();
    this.#watched.set(uri, { by: new Set([...(known?.by ?? []), by]), end });
    void this.#watch(uri, session_id, end.signal);
  }

  async #watch(uri: string, session_id: string, signal: AbortSignal): Promise<void> {
    const reported = { last: "" };
    while (!signal.aborted) {
      const next = await this.#nextChange(uri, session_id, reported, signal).catch(() => {
        // Anything after a gap counts as a change.
        reported.last = "";
        return RETRY_MS;
      });
      // Aborting ends the pause and the loop with it.
      await pause(next, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Waits for one change. The read that follows finds changes from before the wait began. */
  async #nextChange(uri: string, session_id: string, reported: { last: string }, signal: AbortSignal): Promise<number> {
    const client = this.#parts.client();
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    const waits = client.pty_wait({ session_id, any: [{ change: true }], timeout_ms: WAIT_MS }, { signal: either });
    // It may fail before anybody awaits it, which would end the process. Whatever awaits it later still gets the error.
    waits.catch(() => undefined);
    try {
      const now = await client.pty_screen_status({ session_id }, { signal });
      // We always report the first read, because it holds everything since the subscriber last read.
      if (this.#tell(uri, reported, now, signal)) return NOTICE_MS;
      const { outcome, screen } = await waits;
      this.#tell(uri, reported, screen, signal);
      return outcome === "exited" ? RETRY_MS : NOTICE_MS;
    } finally {
      enough.abort();
    }
  }

  /** Whether something changed. Another session under the same name counts. */
  #tell(
    uri: string,
    reported: { last: string },
    { session_id, seq }: { readonly session_id: string; readonly seq: number },
    signal: AbortSignal,
  ): boolean {
    const now = `${session_id} ${seq}`;
    if (signal.aborted || reported.last === now) return false;
    reported.last = now;
    this.#parts.tell(uri);
    return true;
  }
}
