// Output as lines of plain text with the cursor of every character: for searching the journal without a screen.
// Pure; cutting the input anywhere changes nothing. Owns: the line being written and the sequence being skipped.
// Lines are those the program wrote, not those the screen wrapped. Text is reported before a carriage return overwrites it.
import { Utf8 } from "../base/utf8.ts";
import { type PlainLine, PlainRow } from "./plain-row.ts";

export type { PlainLine } from "./plain-row.ts";

const ESC = 0x1b;
const BEL = 0x07;
/** Colours are by far the most frequent sequences, and they do not move text. */
const SGR = 0x6d;
/** Larger numbers in sequences mean "to the end" anyway. */
const PARAM_MAX = 9_999;

type State = "ground" | "escape" | "escape_rest" | "csi" | "osc" | "string";

/** Where reading may start again: after a line, outside any sequence. */
export interface PlainPlace {
  readonly cursor: number;
  /** Lines ended before it. */
  readonly line: number;
}

export class Plain {
  #row: PlainRow;
  #utf8 = new Utf8();
  #state: State = "ground";
  #cursor: number;
  #param = 0;
  #private = false;
  #place: PlainPlace;
  #put = (point: number) => this.#row.put(point, this.#cursor);

  /** `onLine` gets every line once. The line is only valid during the call. */
  constructor(from: PlainPlace, onLine: (line: PlainLine) => void) {
    this.#cursor = from.cursor;
    this.#place = from;
    this.#row = new PlainRow(from.line, onLine);
  }

  /** The last place from which another reader could continue. */
  get place(): PlainPlace {
    return this.#place;
  }

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i] ?? 0;
      if (this.#state === "ground" && byte >= 0x20 && byte < 0x7f && !this.#utf8.open) {
        i = this.#run(bytes, i) - 1;
        continue;
      }
      this.#cursor += 1;
      if (this.#state !== "ground") this.#inside(byte);
      else if (byte >= 0x80 || this.#utf8.open) this.#many(byte);
      else this.#control(byte);
    }
  }

  /** Reports the rest as a line, although no line break ended it. */
  end(): void {
    this.#row.finish("same line");
  }

  /** Plain characters, which are most of the output. Returns where they end. */
  #run(bytes: Uint8Array, from: number): number {
    const end = this.#row.run(bytes, from, this.#cursor);
    this.#cursor += end - from;
    return end;
  }

  #many(byte: number): void {
    if (byte >= 0x80) return this.#utf8.byte(byte, this.#put);
    for (const char of this.#utf8.end()) this.#put(char.charCodeAt(0));
    if (byte >= 0x20 && byte < 0x7f) this.#put(byte);
    else this.#control(byte);
  }

  #control(byte: number): void {
    if (byte === ESC) this.#state = "escape";
    else if (byte === 0x0a || byte === 0x0b || byte === 0x0c) this.#break("next line");
    else if (byte === 0x0d) this.#row.home();
    else if (byte === 0x08) this.#row.move(-1);
    else if (byte === 0x09) this.#row.tab(this.#cursor);
  }

  #break(how: "next line" | "same line"): void {
    this.#row.finish(how);
    this.#place = { cursor: this.#cursor, line: this.#row.line };
  }

  #inside(byte: number): void {
    if (byte === ESC) this.#state = "escape";
    else if (byte === 0x18 || byte === 0x1a) this.#state = "ground";
    else if (this.#state === "escape") this.#escape(byte);
    else if (this.#state === "csi") this.#csi(byte);
    else if (this.#state === "osc") this.#state = byte === BEL ? "ground" : "osc";
    else if (this.#state === "escape_rest" && byte >= 0x30) this.#state = "ground";
  }

  #escape(byte: number): void {
    if (byte === 0x5b) {
      this.#state = "csi";
      this.#param = 0;
      this.#private = false;
    } else if (byte === 0x5d) this.#state = "osc";
    else if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#state = "string";
    else if (byte < 0x30) this.#state = "escape_rest";
    else {
      this.#state = "ground";
      // RIS, IND, NEL and RI leave the line.
      if (byte === 0x63 || byte === 0x44 || byte === 0x45 || byte === 0x4d) this.#break("same line");
    }
  }

  #csi(byte: number): void {
    if (byte >= 0x30 && byte <= 0x39) this.#param = Math.min(PARAM_MAX, this.#param * 10 + byte - 0x30);
    else if (byte >= 0x3c && byte <= 0x3f) this.#private = true;
    else if (byte === 0x3b || byte === 0x3a) this.#param = 0;
    if (byte < 0x40) return;
    this.#state = "ground";
    if (byte !== SGR) this.#obey(String.fromCharCode(byte), this.#param);
  }

  #obey(final: string, param: number): void {
    const count = Math.max(1, param);
    if (this.#private) {
      // The program switches between the two screens.
      if ((final === "h" || final === "l") && (param === 1049 || param === 1047 || param === 47))
        this.#break("same line");
      return;
    }
    if ("HfABdEFJST".includes(final)) this.#break("same line");
    else if (final === "C") this.#row.forward(count, this.#cursor);
    else if (final === "D") this.#row.move(-count);
    else if (final === "G" || final === "`") this.#row.to(count - 1, this.#cursor);
    else if (final === "K") this.#row.erase(param);
    else if (final === "P") this.#row.remove(count);
    else if (final === "@") this.#row.insert(count, this.#cursor);
  }
}
