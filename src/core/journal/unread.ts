// How much of a journal no daemon has read yet, and what happens beyond a limit. Owns: the limit, how far somebody has read, how
// far the daemon lets it grow, and the count of bytes that were dropped. Refuses: to touch the PTY or a file.

/** What a session may print while nobody reads it. */
export interface UnreadLimit {
  readonly bytes: number;
  /** pause: the program waits for its reader. drop: it goes on, and a gap says how much is missing. */
  readonly beyond: "pause" | "drop";
}

export class Unread {
  #limit: UnreadLimit | undefined;
  #read = 0;
  #cursor = 0;
  #until = Number.POSITIVE_INFINITY;
  #full = false;
  #dropped = 0;

  /** Whether the program has to wait. */
  get pauses(): boolean {
    return this.room <= 0 || (this.#full && this.#limit?.beyond === "pause");
  }

  /** How much more the daemon lets it print. */
  get room(): number {
    return this.#until - this.#cursor;
  }

  /** Whether what comes now is not to be stored. */
  get drops(): boolean {
    return this.#full && this.#limit?.beyond === "drop";
  }

  /** Undefined: a daemon of an earlier version does not tell how far it reads, so nothing is bounded. */
  bound(limit: UnreadLimit | undefined, cursor: number): void {
    this.#limit = limit;
    this.#until = Number.POSITIVE_INFINITY;
    this.grew(cursor);
  }

  /** `ahead`: beyond so much the program waits, whatever the limit is. */
  read(read: number, cursor: number, ahead = Number.POSITIVE_INFINITY): void {
    this.#read = Math.max(this.#read, read);
    this.#until = read + ahead;
    this.grew(cursor);
  }

  grew(cursor: number): void {
    this.#cursor = cursor;
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
