// One line of plain text while it is written: characters, the cursor after each, and where the next one goes.
// Reports a line when it ends, and text that a carriage return is about to overwrite. Knows no sequences.

/** Longer lines are reported in pieces of this length. Minified code must not become one string of megabytes. */
const LINE_UNITS_MAX = 16_384;
const TAB_STOP = 8;
const SPACE = 0x20;
/** Arguments of one call; V8's limit is far above. */
const RUN_UNITS = 4_096;

export interface PlainLine {
  readonly text: string;
  /** Lines ended before this one. */
  readonly line: number;
  /** The cursor after the character at this place. A screen at this cursor shows it. */
  behind(index: number): number;
}

export class PlainRow {
  #units = new Uint16Array(LINE_UNITS_MAX);
  #ends = new Float64Array(LINE_UNITS_MAX);
  #length = 0;
  #col = 0;
  #line: number;
  /** The cursor went back to the start, and nothing is overwritten yet. */
  #returned = false;
  #onLine: (line: PlainLine) => void;

  constructor(line: number, onLine: (line: PlainLine) => void) {
    this.#line = line;
    this.#onLine = onLine;
  }

  get line(): number {
    return this.#line;
  }

  put(point: number, end: number): void {
    if (point > 0xffff) {
      this.#unit(0xd800 + ((point - 0x10000) >> 10), end);
      this.#unit(0xdc00 + ((point - 0x10000) & 0x3ff), end);
    } else if (point < 0x7f || point > 0x9f) this.#unit(point, end);
  }

  /** The same for printable ASCII from a place on. `start` is the cursor there. Returns where it ends. */
  run(bytes: Uint8Array, from: number, start: number): number {
    const [units, ends, size] = [this.#units, this.#ends, bytes.length];
    let [col, at] = [this.#col, from];
    const appends = col === this.#length;
    for (; at < size; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte < 0x20 || byte > 0x7e) break;
      if (!appends || col >= LINE_UNITS_MAX) {
        this.#unit(byte, start + at - from + 1);
        continue;
      }
      units[col] = byte;
      ends[col] = start + at - from + 1;
      col += 1;
      this.#col = col;
      this.#length = col;
    }
    return at;
  }

  home(): void {
    this.#col = 0;
    this.#returned = true;
  }

  move(by: number): void {
    this.#col = Math.max(0, this.#col + by);
  }

  /** Writes over existing text and fills gaps with spaces. */
  forward(count: number, end: number): void {
    this.to(this.#col + count, end);
  }

  to(col: number, end: number): void {
    const target = Math.min(col, LINE_UNITS_MAX - 1);
    while (this.#length < target) {
      this.#units[this.#length] = SPACE;
      this.#ends[this.#length] = end;
      this.#length += 1;
    }
    this.#col = target;
  }

  tab(end: number): void {
    this.to((Math.floor(this.#col / TAB_STOP) + 1) * TAB_STOP, end);
  }

  /** As EL does: to the end, from the beginning, all. */
  erase(what: number): void {
    const from = what === 0 ? this.#col : 0;
    if (from < this.#length) this.#losing();
    if (what === 1) this.#units.fill(SPACE, 0, Math.min(this.#col + 1, this.#length));
    else this.#length = Math.min(this.#length, from);
  }

  remove(count: number): void {
    if (this.#col >= this.#length) return;
    this.#shift(this.#col + count, this.#col);
    this.#length = Math.max(this.#col, this.#length - count);
  }

  insert(count: number, end: number): void {
    if (this.#col >= this.#length) return;
    const room = Math.min(count, LINE_UNITS_MAX - 1 - this.#length);
    this.#shift(this.#col, this.#col + room);
    this.#units.fill(SPACE, this.#col, this.#col + room);
    this.#ends.fill(end, this.#col, this.#col + room);
    this.#length += room;
  }

  /** The program leaves the line. */
  finish(how: "next line" | "same line"): void {
    this.#tell();
    this.#length = 0;
    this.#col = 0;
    this.#returned = false;
    if (how === "next line") this.#line += 1;
  }

  #unit(unit: number, end: number): void {
    if (this.#col >= LINE_UNITS_MAX) this.finish("same line");
    if (this.#col > this.#length) this.to(this.#col, end);
    const same = this.#col < this.#length && this.#units[this.#col] === unit;
    if (this.#returned && this.#col < this.#length && !same) this.#losing();
    this.#units[this.#col] = unit;
    // Text written over the same text was there before.
    if (!same) this.#ends[this.#col] = end;
    this.#col += 1;
    this.#length = Math.max(this.#length, this.#col);
  }

  #losing(): void {
    if (this.#returned) this.#tell();
    this.#returned = false;
  }

  #shift(from: number, to: number): void {
    const end = Math.max(from, this.#length);
    this.#units.copyWithin(to, from, end);
    this.#ends.copyWithin(to, from, end);
  }

  #tell(): void {
    let text = "";
    for (let at = 0; at < this.#length; at += RUN_UNITS)
      text += textOf(this.#units.subarray(at, Math.min(this.#length, at + RUN_UNITS)));
    if (text.trim() === "") return;
    this.#onLine({ text: text.trimEnd(), line: this.#line, behind: (index) => this.#ends[index] ?? 0 });
  }
}

/** Five times as fast as a spread. A typed array works where the types ask for a list of numbers. */
function textOf(units: Uint16Array): string {
  return String.fromCharCode.apply(undefined, units as unknown as number[]);
}
