// A journal in pieces that can be searched one by one, the newest first: where each begins, how many lines are before it, and
// whether its lines are in it byte by byte. Owns: `pieces.jsonl`, a cache that may be deleted or damaged at any time.
import type { Clock } from "../base/clock.ts";
import { Plain, type PlainPlace } from "../journal/plain.ts";
import type { SessionFiles } from "../journal/store.ts";

const PIECE_BYTES = 1 << 20;
const SLICE_BYTES = 64 << 10;
const TURN_MS_MAX = 4;
const [HT, LF, CR, SPACE, DEL] = [0x09, 0x0a, 0x0d, 0x20, 0x7f];

export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Lines ended before it. */
  readonly line: number;
  /** Nothing but characters and line breaks: words in its lines are in its bytes as well. */
  readonly verbatim: boolean;
}

export class SearchPieces {
  #files: SessionFiles;
  #pieceBytes: number;
  #known: Piece[] | undefined;
  /** Lines ended at the end of the last known piece. */
  #end: PlainPlace = { cursor: 0, line: 0 };
  #work: Promise<unknown> = Promise.resolve();

  constructor(files: SessionFiles, pieceBytes = PIECE_BYTES) {
    this.#files = files;
    this.#pieceBytes = pieceBytes;
  }

  /** All pieces up to the present end, in order. The last one still grows. */
  upToNow(clock: Clock): Promise<readonly Piece[]> {
    const work = this.#work.then(() => this.#extend(clock));
    this.#work = work.catch(() => undefined);
    return work;
  }

  async #extend(clock: Clock): Promise<readonly Piece[]> {
    this.#known ??= this.#read();
    const total = this.#files.outputSize();
    // A journal that was cut is another journal.
    if (this.#end.cursor > total) [this.#known, this.#end] = [[], { cursor: 0, line: 0 }];
    for (let began = clock.monotonic(); total - this.#end.cursor >= this.#pieceBytes; ) {
      const found = this.#next(total);
      if (!found) break;
      const { piece, next } = found;
      this.#known.push(piece);
      this.#end = next;
      this.#files.appendLater("pieces", { ...piece, lines: next.line });
      if (clock.monotonic() - began < TURN_MS_MAX) continue;
      await new Promise<void>((resolve) => clock.soon(resolve));
      began = clock.monotonic();
    }
    if (this.#end.cursor === total) return this.#known;
    return [...this.#known, { from: this.#end.cursor, to: total, line: this.#end.line, verbatim: false }];
  }

  /** Those that follow each other from the start on. What does not fit is left out and found again. */
  #read(): Piece[] {
    const pieces: Piece[] = [];
    for (const line of this.#files.readLines("pieces")) {
      if (!isKept(line) || line.from !== this.#end.cursor || line.line !== this.#end.line) continue;
      const { lines, ...piece } = line;
      pieces.push(piece);
      this.#end = { cursor: line.to, line: lines };
    }
    return pieces;
  }

  /** From the end of the last piece to the first line that begins a piece's length after it, if there is one yet. */
  #next(total: number): { piece: Piece; next: PlainPlace } | undefined {
    const { cursor: from, line } = this.#end;
    const buffer = new Uint8Array(Math.min(SLICE_BYTES, this.#pieceBytes));
    const plain = new Plain(this.#end, () => undefined);
    let [at, verbatim, previous, lines, next] = [from, true, LF, line, undefined as PlainPlace | undefined];
    const most = from + 2 * this.#pieceBytes;
    for (const far = Math.min(total, most); at < far && !next; ) {
      const got = this.#files.readOutput(at, buffer.subarray(0, Math.min(buffer.length, far - at)));
      if (got === 0) break;
      const bytes = buffer.subarray(0, got);
      if (verbatim) {
        const read = readVerbatim(bytes, previous, at >= from + this.#pieceBytes);
        ({ verbatim, previous } = read);
        lines += read.lines;
        if (verbatim && read.end !== undefined) next = { cursor: at + read.end, line: lines };
        // From its start again, now with all that a terminal would do.
        if (!verbatim) at = from;
        else at += got;
        continue;
      }
      plain.push(bytes);
      at += got;
      if (plain.place.cursor >= from + this.#pieceBytes) next = plain.place;
    }
    if (!next && at < most) return undefined;
    // An endless line is cut, because otherwise the piece would have no end.
    next ??= { cursor: at, line: verbatim ? lines : plain.place.line };
    return { piece: { from, to: next.cursor, line, verbatim }, next };
  }
}

interface Verbatim {
  readonly verbatim: boolean;
  readonly previous: number;
  readonly lines: number;
  /** After the first line break, when one was looked for. */
  readonly end?: number;
}

/** Counts lines, as long as there is nothing that a terminal would not show as it is. */
function readVerbatim(bytes: Uint8Array, before: number, isDue: boolean): Verbatim {
  let [previous, lines] = [before, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const isPlain = byte >= SPACE ? byte !== DEL : byte === LF || byte === CR || byte === HT;
    // A carriage return alone lets the line be written over; C2 80 to C2 9F are control characters.
    const isAlone = previous === CR && byte !== LF;
    const isControl = previous === 0xc2 && byte < 0xa0;
    if (!isPlain || isAlone || isControl) return { verbatim: false, previous: byte, lines };
    previous = byte;
    if (byte !== LF) continue;
    lines += 1;
    if (isDue) return { verbatim: true, previous, lines, end: at + 1 };
  }
  return { verbatim: true, previous, lines };
}

function isKept(line: unknown): line is Piece & { readonly lines: number } {
  if (typeof line !== "object" || line === null) return false;
  const { from, to, line: before, lines, verbatim } = line as Record<string, unknown>;
  const counts = [from, to, before, lines].every((n) => Number.isSafeInteger(n) && Number(n) >= 0);
  return counts && typeof verbatim === "boolean" && Number(to) > Number(from) && Number(lines) >= Number(before);
}
