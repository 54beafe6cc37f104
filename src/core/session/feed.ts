// The only reader of a session's journal. Owns: how far it was read, and the turns in which that happens.
// Bounded slices, so that no loud session can keep the others from their turn.
import type { Clock } from "../base/clock.ts";
import type { SessionFiles } from "../journal/store.ts";
import { PieceSize } from "../past/piece-size.ts";
import type { Size } from "../pty/pty.ts";

/** One read of the file, and one message to viewers: large enough to be cheap. */
const READ_BYTES = 64 << 10;
/** One turn of one session takes at most this much … */
const TURN_BYTES_MAX = 256 << 10;
/** … or this long, whichever comes first. A call takes a few turns of the loop, and each waits no longer than this. */
const TURN_MS_MAX = 2;

interface Point {
  readonly cursor: number;
  readonly run: () => void;
}

interface FeedEvents {
  size(): Size;
  /** Never more than this at once. */
  pieceBytesMax(): number;
  slice(bytes: Uint8Array, cursor: number): void;
  /** Plays one read, or as much of it as the turn has time for. */
  played(bytes: Uint8Array, cursor: number): void;
  /** A turn is over; `behind` bytes are still unread. */
  turned(behind: number): void;
  /** Runs a turn, and ends the feed where it fails. */
  whole(turn: () => void): void;
}

export class Feed {
  #files: SessionFiles;
  #clock: Clock;
  #on: FeedEvents;
  #buffer = new Uint8Array(READ_BYTES);
  #fed = 0;
  #grown = 0;
  #points: Point[] = [];
  #scheduled = false;
  #pieceSize = new PieceSize();
  #turning = false;
  /** Runs only between the owner's start and its dispose. */
  #playing = false;

  constructor(files: SessionFiles, clock: Clock, on: FeedEvents) {
    this.#files = files;
    this.#clock = clock;
    this.#on = on;
  }

  get fed(): number {
    return this.#fed;
  }

  get behind(): number {
    return this.#grown - this.#fed;
  }

  /** Nothing is left to play: no byte, and nothing that comes after the last one. */
  get isDone(): boolean {
    return this.behind === 0 && this.#points.length === 0;
  }

  begin(): void {
    this.#playing = true;
    this.#wake();
  }

  grew(cursor: number): void {
    this.#grown = Math.max(this.#grown, cursor);
    this.#wake();
  }

  /** Runs `run` when exactly the bytes before `cursor` were fed. Equal cursors run in order of arrival. */
  at(cursor: number, run: () => void): void {
    const behind = this.#points.findIndex((point) => point.cursor > cursor);
    this.#points.splice(behind < 0 ? this.#points.length : behind, 0, { cursor, run });
    this.#wake();
  }

  /** Begins again at a cursor, with other points. */
  restart(cursor: number): void {
    this.#fed = cursor;
    this.#points = [];
  }

  stop(): void {
    this.#playing = false;
  }

  /** The first turn runs now, because an echo must not wait for the event loop. */
  #wake(): void {
    if (this.#playing && !this.#turning && !this.#scheduled) this.#turn();
  }

  #turn(): void {
    this.#scheduled = false;
    if (this.#playing) this.#on.whole(() => this.#readAndTell());
  }

  #readAndTell(): void {
    this.#turning = true;
    try {
      this.#read();
    } finally {
      this.#turning = false;
    }
    if (!this.#playing) return;
    this.#on.turned(this.behind);
    if (this.behind > 0 || this.#points[0]?.cursor === this.#fed) this.#schedule();
  }

  #read(): void {
    const began = this.#clock.monotonic();
    let taken = 0;
    while (this.#playing) {
      this.#passPoints();
      const end = Math.min(this.#points[0]?.cursor ?? this.#grown, this.#grown);
      const want = Math.min(end - this.#fed, READ_BYTES);
      if (want <= 0) break;
      const got = this.#files.readOutput(this.#fed, this.#buffer.subarray(0, want));
      if (got === 0) {
        // The journal was deleted or truncated. We cannot play the lost bytes, but we can still play the end.
        this.#fed = end;
        continue;
      }
      taken += this.#play(this.#buffer.subarray(0, got), began + TURN_MS_MAX);
      if (taken >= TURN_BYTES_MAX || this.#clock.monotonic() - began >= TURN_MS_MAX) break;
    }
  }

  /** Plays pieces until the time is up. The rest is read again in the next turn. */
  #play(bytes: Uint8Array, until: number): number {
    const cursor = this.#fed;
    let done = 0;
    while (done < bytes.length && this.#playing) {
      const piece = bytes.subarray(
        done,
        done + Math.min(this.#pieceSize.next(this.#on.size()), this.#on.pieceBytesMax()),
      );
      const began = this.#clock.monotonic();
      done += piece.length;
      this.#fed = cursor + done;
      this.#on.slice(piece, cursor + done - piece.length);
      // The listener has restarted from elsewhere.
      if (this.#fed !== cursor + done) return done;
      const now = this.#clock.monotonic();
      this.#pieceSize.measured(now - began);
      if (now >= until) break;
    }
    this.#on.played(bytes.subarray(0, done), cursor);
    return done;
  }

  #passPoints(): void {
    while (this.#points[0] && this.#points[0].cursor <= this.#fed && this.#playing) this.#points.shift()?.run();
  }

  #schedule(): void {
    if (this.#scheduled || !this.#playing) return;
    this.#scheduled = true;
    this.#clock.soon(() => this.#turn());
  }
}
