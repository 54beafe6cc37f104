// How much output we play at once: little enough that nobody waits long, whatever the output is. Output that
// is expensive to play comes in smaller pieces until it is cheap again.
import type { Size } from "../pty/pty.ts";

/** A piece that takes longer is followed by smaller ones. */
const PIECE_MS_MAX = 4;
/** Smaller pieces cost more than they save. */
const PIECE_BYTES_MIN = 256;
/**
 * The most expensive output per byte (RIS, REP, DECALN over and over) costs the engine 1.3 µs per byte and thousand
 * cells. The first piece of it stays below 50 ms with this; usual output takes a quarter of a millisecond.
 */
const PIECE_BYTES_MAX = 8 << 10;
const CELLS_USUAL = 4_800;

export class PieceSize {
  /** Small at first, because the output is unknown. */
  #bytes = PIECE_BYTES_MAX >> 2;

  /** How much to play next on a screen of this size. */
  next({ cols, rows }: Size): number {
    const fits = Math.floor((PIECE_BYTES_MAX * CELLS_USUAL) / (cols * rows));
    return Math.min(this.#bytes, Math.max(PIECE_BYTES_MIN, fits));
  }

  /** How long the last piece took. */
  measured(ms: number): void {
    if (ms > PIECE_MS_MAX) this.#bytes = Math.max(PIECE_BYTES_MIN, this.#bytes >> 2);
    else if (ms < PIECE_MS_MAX / 4) this.#bytes = Math.min(PIECE_BYTES_MAX, this.#bytes << 1);
  }
}
