// The lines that a person has typed and entered, as their keys alone tell. Owns: the line being typed and those that no command has
// begun with yet, in memory only. Refuses: to guess what a key does that the shell reads in its own way; such a line is not known.
import { Utf8 } from "../../base/utf8.ts";

/** Nobody types more ahead. */
const LINES_MAX = 20;
const LINE_CHARS_MAX = 20_000;
const [PASTE_BEGINS, PASTE_ENDS] = ["\x1b[200~", "\x1b[201~"];
const KEYS = /\x1b\[20[01]~|[\s\S]/gu;
const CONTROL = /^[\x00-\x1f\x7f]/;
const LAST = /[\s\S]$/u;

export class TypedLines {
  #utf8 = new Utf8();
  /** Null: only the shell knows what stands there. */
  #line: string | null = "";
  #isPasted = false;
  #entered: string[] = [];

  typed(bytes: Uint8Array): void {
    for (const [key] of this.#utf8.text(bytes).matchAll(KEYS)) this.#take(key);
  }

  /** Somebody else typed. */
  mixed(bytes: Uint8Array): void {
    const isEntered = bytes.at(-1) === 0x0d || bytes.at(-1) === 0x0a;
    this.#line = isEntered ? "" : null;
  }

  /** Whether a person entered this. A claim that is wrong costs all of them, so that nobody can try what was typed. */
  isOne(claim: string): boolean {
    const at = this.#entered.findIndex((line) => line.trim() === claim.trim());
    this.#entered = at < 0 ? [] : this.#entered.slice(at + 1);
    return at >= 0;
  }

  #take(key: string): void {
    const isEnd = key === "\r" || key === "\n";
    if (key === PASTE_BEGINS || key === PASTE_ENDS) this.#isPasted = key === PASTE_BEGINS;
    else if (isEnd && !this.#isPasted) this.#enter();
    else if (key === "\x03") this.#line = "";
    else if (this.#line === null || this.#line.length >= LINE_CHARS_MAX) this.#line = null;
    else if (key === "\x7f" || key === "\b") this.#line = this.#line.replace(LAST, "");
    else if (isEnd) this.#line += "\n";
    else this.#line = CONTROL.test(key) ? null : this.#line + key;
  }

  #enter(): void {
    if (this.#line) this.#entered = [...this.#entered, this.#line].slice(-LINES_MAX);
    this.#line = "";
  }
}
