// Finds the marks of shell integration (OSC 133 and 633), or sequences of another number, in a stream of output, and the
// switch to the alternate screen, with the exact cursors of both. Pure; cutting the input anywhere changes nothing. Owns: the sequence
// that is incomplete. Refuses: to trust a mark; marks.ts does that.
import { Utf8 } from "../base/utf8.ts";

const [BEL, CAN, SUB, ESC] = [0x07, 0x18, 0x1a, 0x1b];
const [SEMICOLON, QUESTION, BRACKET, BACKSLASH, CLOSING] = [0x3b, 0x3f, 0x5b, 0x5c, 0x5d];
/** A mark carries at most a command line. We ignore a longer one, and nothing else depends on it. */
const MARK_BYTES_MAX = 64 << 10;
/** `?1049;25h` and similar: a few numbers. */
const PARAMS_BYTES_MAX = 64;
const ALTERNATE = new Set(["47", "1047", "1049"]);

export type Found =
  /** `body` is what stands between ESC ] and its end; the mark takes [begin, end). */
  | { readonly kind: "mark"; readonly body: string; readonly begin: number; readonly end: number }
  | { readonly kind: "alternate"; readonly begin: number; readonly end: number };

type State = "ground" | "escape" | "csi" | "params" | "osc" | "osc_escape";

export class Scan {
  #state: State = "ground";
  /** Where the unfinished sequence began. */
  #begin = 0;
  #held: number[] = [];
  #prefixes: readonly (readonly number[])[];
  #bytesMax: number;
  /** Whether to report switches to the alternate screen. Full-screen programs print much that looks like one. */
  alternate = false;

  constructor(only?: { readonly prefix: string; readonly bytesMax: number }) {
    const texts = only ? [only.prefix] : ["133;", "633;"];
    this.#prefixes = texts.map((text) => [...text].map((char) => char.charCodeAt(0)));
    this.#bytesMax = only?.bytesMax ?? MARK_BYTES_MAX;
  }

  push(bytes: Uint8Array, cursor: number, report: (found: Found) => void): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "ground") at = this.#skip(bytes, at, cursor);
      if (at >= bytes.length) return;
      this.#step(bytes[at] ?? 0, cursor + at, report);
      at += 1;
    }
  }

  /**
   * Most output has nothing for us. `]` and `?` are rarer than ESC in what full-screen programs draw, so these are
   * what we search for, and then we check what comes before them. Returns where to continue byte by byte.
   */
  #skip(bytes: Uint8Array, from: number, cursor: number): number {
    let closing = bytes.indexOf(CLOSING, from);
    let question = this.alternate ? bytes.indexOf(QUESTION, from) : -1;
    while (closing >= 0 || question >= 0) {
      const isOsc = closing >= 0 && (question < 0 || closing < question);
      const at = isOsc ? closing : question;
      const begin = isOsc ? at - 1 : at - 2;
      if (begin >= from && bytes[begin] === ESC && (isOsc || bytes[at - 1] === BRACKET)) {
        this.#open(isOsc ? "osc" : "params", cursor + begin);
        return at + 1;
      }
      if (isOsc) closing = bytes.indexOf(CLOSING, at + 1);
      else question = bytes.indexOf(QUESTION, at + 1);
    }
    this.#cut(bytes, from, cursor);
    return bytes.length;
  }

  /** The bytes may end inside a beginning. */
  #cut(bytes: Uint8Array, from: number, cursor: number): void {
    const last = bytes.length - 1;
    if (last >= from && bytes[last] === ESC) this.#open("escape", cursor + last);
    else if (last > from && bytes[last] === BRACKET && bytes[last - 1] === ESC) this.#open("csi", cursor + last - 1);
  }

  #open(state: State, begin: number): void {
    this.#state = state;
    this.#begin = begin;
    this.#held = [];
  }

  #step(byte: number, at: number, report: (found: Found) => void): void {
    if (this.#state === "osc_escape" && byte === BACKSLASH) return this.#mark(at + 1, report);
    // ESC ends any sequence and begins a new one. In a string it may be the first half of the terminator.
    if (byte === ESC) {
      if (this.#state === "osc") this.#state = "osc_escape";
      else this.#open("escape", at);
      return;
    }
    if (this.#state === "osc_escape") this.#open("escape", at - 1);
    if (byte === CAN || byte === SUB) this.#state = "ground";
    else if (this.#state === "escape") this.#afterEscape(byte);
    else if (this.#state === "csi") this.#state = byte === QUESTION ? "params" : "ground";
    else if (this.#state === "params") this.#param(byte, at, report);
    else if (this.#state === "osc") this.#inOsc(byte, at, report);
  }

  #afterEscape(byte: number): void {
    this.#state = byte === CLOSING ? "osc" : byte === BRACKET ? "csi" : "ground";
  }

  #param(byte: number, at: number, report: (found: Found) => void): void {
    if ((byte >= 0x30 && byte <= 0x39) || byte === SEMICOLON) {
      if (this.#held.push(byte) > PARAMS_BYTES_MAX) this.#state = "ground";
      return;
    }
    this.#state = "ground";
    if (byte !== 0x68) return;
    const modes = String.fromCharCode(...this.#held).split(";");
    if (this.alternate && modes.some((mode) => ALTERNATE.has(mode)))
      report({ kind: "alternate", begin: this.#begin, end: at + 1 });
  }

  #inOsc(byte: number, at: number, report: (found: Found) => void): void {
    if (byte === BEL) return this.#mark(at + 1, report);
    const count = this.#held.push(byte);
    if (count > this.#bytesMax || (count === this.#prefixes[0]?.length && !this.#isOurs())) this.#state = "ground";
  }

  #mark(end: number, report: (found: Found) => void): void {
    this.#state = "ground";
    if (!this.#isOurs()) return;
    const utf8 = new Utf8();
    const body = utf8.text(Uint8Array.from(this.#held)) + utf8.end();
    report({ kind: "mark", body, begin: this.#begin, end });
  }

  #isOurs(): boolean {
    const isPrefix = (prefix: readonly number[]) => prefix.every((byte, at) => this.#held[at] === byte);
    return this.#prefixes.some(isPrefix);
  }
}
