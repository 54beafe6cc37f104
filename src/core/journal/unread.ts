// How much of a journal no daemon has read yet, and what happens beyond a limit. Owns: the limit, how far somebody has read, and
// the count of bytes that were dropped. Refuses: to touch the PTY or a file.

/** What a session may print while nobody reads it. */
export interface UnreadLimit {
  readonly bytes: number;
  /** pause: the program waits for its reader. drop: it goes on, and a gap says how much is missing. */
  readonly beyond: "pause" | "drop";
}

export class Unread {
  #limit: UnreadLimit | undefined;
  #read = 0;
  #full = false;
  #dropped = 0;

  /** Whether the program has to wait. */
  get pauses(): boolean {
    return this.#full && this.#limit?.beyond === "pause";
  }

  /** Whether what comes now is not to be stored. */
  get drops(): boolean {
    return this.#full && this.#limit?.beyond === "drop";
  }

  /** Undefined: a daemon of an earlier version does not tell how far it reads, so nothing is bounded. */
  bound(limit: UnreadLimit | undefined, cursor: number): void {
    this.#limit = limit;
    this.grew(cursor);
  }

  read(read: number, cursor: number): void {
    this.#read = Math.max(this.#read, read);
    this.grew(cursor);
  }

  grew(cursor: number): void {
    const { bytes = Number.POSITIVE_INFINITY } = this.#limit ?? {};
    // Not full again at once after the next chunk: a reader that catches up gets a good piece at a time.
    this.#full = cursor - this.#read > (this.#full ? bytes / 2 : bytes);
  }

  drop(bytes: number): void {
    this.#dropped += bytes;
  }

  /** What was dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}
