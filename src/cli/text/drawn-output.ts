// A program's output for a person's own terminal: it draws what the program draws, and nothing of it acts on that terminal or makes
// it type (passable.ts). Owns: the unfinished sequence, so that bytes may be cut anywhere.
import { ToldImages } from "../../core/base/image/told.ts";
import { Utf8 } from "../../core/base/utf8.ts";
import { passableCsi, passableEscape, passableOsc } from "./passable.ts";

/** The longest sequence that can pass is a link. A longer one is left out, however long it is. */
const SEQUENCE_CHARS_MAX = 4_096;

/** C0 but for bell, backspace, tab, line ends and shifts; delete; C1; what turns the direction of text. */
const ODD = /[\x00-\x06\x10-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const [ESCAPE, BELL, CANCEL, SUBSTITUTE] = ["\x1b", "\x07", "\x18", "\x1a"];
/** DCS, SOS, PM and APC: whatever they hold, no terminal of a person needs it from here. */
const DATA = "PX^_";

type Place = "text" | "escape" | "csi" | "osc" | "osc-end" | "data";

export class DrawnOutput {
  #utf8 = new Utf8();
  #images = new ToldImages();
  #place: Place = "text";
  #held = "";

  /** What of these bytes, and of what was held back before, the terminal gets. */
  pass(bytes: Uint8Array): string {
    const told = this.#images.push(bytes);
    return told.map((part) => this.passText(typeof part === "string" ? part : this.#utf8.text(part))).join("");
  }

  passText(text: string): string {
    let passed = "";
    for (let at = 0; at < text.length; at += 1) {
      if (this.#place === "text") {
        ODD.lastIndex = at;
        const next = ODD.exec(text)?.index ?? text.length;
        passed += text.slice(at, next);
        at = next;
        if (text[at] === ESCAPE) this.#enter("escape");
      } else passed += this.#sequence(text[at] ?? "");
    }
    return passed;
  }

  #enter(place: Place): string {
    this.#place = place;
    if (place !== "osc-end") this.#held = "";
    return "";
  }

  #sequence(char: string): string {
    if (char === CANCEL || char === SUBSTITUTE) return this.#enter("text");
    switch (this.#place) {
      case "escape":
        return this.#escape(char);
      case "csi":
        if (char === ESCAPE) return this.#enter("escape");
        this.#hold(char);
        return char >= "\x40" && char <= "\x7e" ? this.#ended(passableCsi) : "";
      case "osc":
        if (char === ESCAPE) return this.#enter("osc-end");
        return char === BELL ? this.#ended(passableOsc) : this.#hold(char);
      case "osc-end":
        if (char === "\\") return this.#ended(passableOsc);
        this.#enter("escape");
        return this.#escape(char);
      default:
        return char === ESCAPE ? this.#enter("escape") : "";
    }
  }

  #escape(char: string): string {
    if (char === ESCAPE) return this.#enter("escape");
    if (this.#held === "" && char === "[") return this.#enter("csi");
    if (this.#held === "" && char === "]") return this.#enter("osc");
    if (this.#held === "" && DATA.includes(char)) return this.#enter("data");
    this.#hold(char);
    return char >= "\x20" && char <= "\x2f" ? "" : this.#ended(passableEscape);
  }

  #hold(char: string): string {
    if (this.#held.length <= SEQUENCE_CHARS_MAX) this.#held += char;
    return "";
  }

  #ended(passable: (sequence: string) => string): string {
    const sequence = this.#held;
    this.#enter("text");
    return sequence.length > SEQUENCE_CHARS_MAX ? "" : passable(sequence);
  }
}
