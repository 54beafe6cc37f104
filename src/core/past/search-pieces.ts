// A journal in pieces that can be searched one by one, the newest first: where each begins, how many lines are before it,
// whether its lines are in it byte by byte, and which parts of words it may have. Owns: `pieces.jsonl` and `pieces.bits`, a
// cache that may be deleted or damaged at any time.
import { type Clock, Turns } from "../base/clock.ts";
import { Plain, type PlainPlace } from "../journal/plain.ts";
import type { SessionFiles } from "../journal/store.ts";
import { GRAM_BYTES, Grams } from "./grams.ts";

const PIECE_BYTES = 1 << 20;
const SLICE_BYTES = 64 << 10;
const [HT, LF, CR, SPACE, DEL] = [0x09, 0x0a, 0x0d, 0x20, 0x7f];
const [USUAL, MARKED, CONTROL] = [0, 1, 2];
/** What a byte may mean. Most bytes are usual, and after a usual one nothing has to be asked. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === LF || byte === CR || byte === 0xc2) return MARKED;
  return (byte >= SPACE && byte !== DEL) || byte === HT ? USUAL : CONTROL;
});

export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Lines ended before it. */
  readonly line: number;
  /** Nothing but characters and line breaks: words in its lines are in its bytes as well. */
  readonly verbatim: boolean;
  /** Of its bits; a check that they are its own. Missing in the last piece, which still grows. */
  readonly sum?: number | undefined;
}

export class SearchPieces {
  #files: SessionFiles;
  #pieceBytes: number;
  #known: Piece[] | undefined;
  /** Lines ended at the end of the last known piece. */
  #end: PlainPlace = { cursor: 0, line: 0 };
  #work: Promise<unknown> = Promise.resolve();
  /** How many wait for the pieces. */
  #waiting = 0;

  constructor(files: SessionFiles, pieceBytes = PIECE_BYTES) {
    this.#files = files;
    this.#pieceBytes = pieceBytes;
  }

  /** All pieces up to the present end, in order. The last one still grows. */
  async upToNow(clock: Clock): Promise<readonly Piece[]> {
    this.#waiting += 1;
    try {
      return await this.#inTurn(() => this.#extend(clock, () => false));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Before anybody asks, until somebody does, who goes on with it. */
  async workAhead(clock: Clock, isOver: () => boolean): Promise<void> {
    await this.#inTurn(() => this.#extend(clock, () => this.#waiting > 0 || isOver()));
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const work = this.#work.then(run);
    this.#work = work.catch(() => undefined);
    return work;
  }

  async #extend(clock: Clock, isEnough: () => boolean): Promise<readonly Piece[]> {
    this.#known ??= this.#read();
    const total = this.#files.outputSize();
    // A journal that was cut is another journal.
    if (this.#end.cursor > total) [this.#known, this.#end] = [[], { cursor: 0, line: 0 }];
    const turns = new Turns(clock);
    while (total - this.#end.cursor >= this.#pieceBytes) {
      const found = await this.#next(total, turns);
      if (!found || isEnough()) break;
      const { piece, next, bits } = found;
      this.#files.writeBits(this.#known.length * GRAM_BYTES, bits);
      this.#known.push(piece);
      this.#end = next;
      this.#files.appendLater("pieces", { ...piece, lines: next.line });
    }
    if (this.#end.cursor === total) return this.#known;
    return [...this.#known, { from: this.#end.cursor, to: total, line: this.#end.line, verbatim: false }];
  }

  /** Whether a line of a known piece may have all these parts. */
  mayHave(number: number, grams: readonly number[]): boolean {
    const sum = this.#known?.[number]?.sum;
    if (sum === undefined || grams.length === 0) return true;
    const kept = new Grams();
    const got = this.#files.readBits(number * GRAM_BYTES, kept.bits);
    return got < GRAM_BYTES || kept.has(grams) || kept.sum !== sum;
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
  async #next(total: number, turns: Turns): Promise<Found | undefined> {
    const { cursor: from, line } = this.#end;
    const due = from + this.#pieceBytes;
    const far = Math.min(total, due + this.#pieceBytes);
    const read = (await this.#verbatim(from, due, far, turns)) ?? (await this.#plain(from, due, far, turns));
    if (!read.next && far < due + this.#pieceBytes) return undefined;
    // An endless line is cut, because otherwise the piece would have no end.
    const next = read.next ?? { cursor: far, line: read.line };
    const { bits, sum } = read.grams;
    return { piece: { from, to: next.cursor, line, verbatim: read.verbatim, sum }, next, bits };
  }

  /** As bytes. Undefined: there is something in it that a terminal would not show as it is. */
  async #verbatim(from: number, due: number, far: number, turns: Turns): Promise<Read | undefined> {
    const grams = new Grams();
    let [previous, line] = [LF, this.#end.line];
    for (const { at, bytes } of this.#slices(from, far)) {
      const read = readVerbatim(bytes, previous, due - at);
      if (!read) return undefined;
      line += read.lines;
      grams.bytes(bytes.subarray(0, read.end));
      if (read.end !== undefined) return { verbatim: true, grams, line, next: { cursor: at + read.end, line } };
      previous = bytes.at(-1) ?? LF;
      await turns.rest();
    }
    return { verbatim: true, grams, line };
  }

  /** With all that a terminal would do. */
  async #plain(from: number, due: number, far: number, turns: Turns): Promise<Read> {
    const grams = new Grams();
    const plain = new Plain(this.#end, ({ text }) => grams.line(text));
    const read = () => ({ verbatim: false, grams, line: plain.place.line });
    for (const { bytes } of this.#slices(from, far)) {
      plain.push(bytes);
      if (plain.place.cursor >= due) return { ...read(), next: plain.place };
      await turns.rest();
    }
    plain.end();
    return read();
  }

  *#slices(from: number, far: number): Generator<{ at: number; bytes: Uint8Array }> {
    const buffer = new Uint8Array(Math.min(SLICE_BYTES, this.#pieceBytes));
    for (let at = from; at < far; ) {
      const got = this.#files.readOutput(at, buffer.subarray(0, Math.min(buffer.length, far - at)));
      if (got === 0) return;
      yield { at, bytes: buffer.subarray(0, got) };
      at += got;
    }
  }
}

interface Found {
  readonly piece: Piece;
  readonly next: PlainPlace;
  readonly bits: Uint8Array;
}

interface Read {
  readonly verbatim: boolean;
  readonly grams: Grams;
  readonly line: number;
  readonly next?: PlainPlace;
}

/** Counts lines up to the first that ends after `due`. Undefined: something is not shown as it is. */
function readVerbatim(bytes: Uint8Array, before: number, due: number): { lines: number; end?: number } | undefined {
  let [previous, lines] = [before, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (KINDS[byte] === USUAL && KINDS[previous] === USUAL) {
      previous = byte;
      continue;
    }
    // A carriage return alone lets the line be written over; C2 80 to C2 9F are control characters.
    if (KINDS[byte] === CONTROL || (previous === CR && byte !== LF) || (previous === 0xc2 && byte < 0xa0))
      return undefined;
    previous = byte;
    if (byte !== LF) continue;
    lines += 1;
    if (at >= due) return { lines, end: at + 1 };
  }
  return { lines };
}

function isKept(line: unknown): line is Piece & { readonly lines: number } {
  if (typeof line !== "object" || line === null) return false;
  const { from, to, line: before, lines, verbatim, sum } = line as Record<string, unknown>;
  const counts = [from, to, before, lines].every((n) => Number.isSafeInteger(n) && Number(n) >= 0);
  const isWhole = typeof verbatim === "boolean" && Number.isSafeInteger(sum);
  return counts && isWhole && Number(to) > Number(from) && Number(lines) >= Number(before);
}
