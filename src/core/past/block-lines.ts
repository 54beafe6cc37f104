// Finds lines of large outputs without playing all of them. Owns: the line indexes of the newest large blocks. They follow the
// output while it comes, and are made again from the journal when somebody asks for an older one.
import { type Clock, Turns } from "../base/clock.ts";
import type { Block } from "../block/block.ts";
import { LineIndex } from "../journal/line-index.ts";
import type { SessionFiles } from "../journal/store.ts";

/** Smaller outputs are played as a whole. */
const LARGE_BYTES = 256 << 10;
/** Each has a place of some hundred bytes for 16 KiB of output. */
const INDEXES_MAX = 20;
const READ_BYTES = 256 << 10;
const PRELUDE_BYTES_MAX = 32;
/** One for all sessions: nobody keeps it beyond a call. One for each would be most of what a quiet session takes. */
const scratch = new Uint8Array(READ_BYTES);

type Range = Pick<Block, "cursor_begin" | "cursor_end">;

export class BlockLines {
  #files: Pick<SessionFiles, "readOutput" | "outputSize">;
  #clock: Clock;
  /** By the cursor where the output begins; the one that was used last comes last. */
  #indexes = new Map<number, LineIndex>();
  #largeBytes: number;

  constructor(files: SessionFiles, clock: Clock, largeBytes: number = LARGE_BYTES) {
    this.#largeBytes = largeBytes;
    this.#files = files;
    this.#clock = clock;
  }

  /** The output of a block has grown, if one runs. */
  follow(running: Range | undefined, fed: number): void {
    if (!running || fed - running.cursor_begin < this.#largeBytes) return;
    this.#read(this.#indexAt(running.cursor_begin), fed);
  }

  /** The lines of a block, or undefined when only a screen knows them. */
  async of(block: Range): Promise<LineIndex | undefined> {
    const end = block.cursor_end ?? this.#files.outputSize();
    if (end - block.cursor_begin < this.#largeBytes) return undefined;
    const index = this.#indexAt(block.cursor_begin);
    const turns = new Turns(this.#clock);
    while (index.isLocal && index.cursor < end && this.#read(index, end) > 0) await turns.rest();
    // One that followed the output further than the block's end counts lines that are not in it.
    if (index.cursor > end) this.#forget(index);
    return index.isLocal && index.cursor === end ? index : undefined;
  }

  #indexAt(begin: number): LineIndex {
    // While a block runs, its output still includes what fish prints first: colours, in the same line.
    const known = [...this.#indexes.keys()].find((at) => at <= begin && begin - at <= PRELUDE_BYTES_MAX);
    const start = known ?? begin;
    const index = this.#indexes.get(start) ?? new LineIndex(start);
    this.#indexes.delete(start);
    this.#indexes.set(start, index);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= INDEXES_MAX) break;
      this.#indexes.delete(oldest);
    }
    return index;
  }

  #forget(index: LineIndex): void {
    for (const [start, one] of this.#indexes) if (one === index) this.#indexes.delete(start);
  }

  #read(index: LineIndex, end: number): number {
    const most = Math.min(READ_BYTES, end - index.cursor);
    if (most <= 0 || !index.isLocal) return 0;
    const got = this.#files.readOutput(index.cursor, scratch.subarray(0, most));
    index.push(scratch.subarray(0, got));
    return got;
  }
}
