// Finds images in a stream of output: sixel (DCS q), kitty (APC G) and iTerm2 (OSC 1337). Pure; cutting the input anywhere
// changes nothing. Owns: the sequence that is incomplete, and the image whose next part is awaited. A few hundred bytes,
// whatever comes. Refuses: to keep or decode pixels.
import { CELL_PX } from "./cells.ts";
import { readBase64 } from "./file-head.ts";
import { imageFrom, itermImage, kittyImage, type OpenImage, pairsIn, sixelImage } from "./open-image.ts";
import { measureSixel } from "./sixel-size.ts";

const [BEL, CAN, SUB, ESC, BACKSLASH] = [0x07, 0x18, 0x1a, 0x1b, 0x5c];
/** What stands before the pixels. Longer ones are nobody's. */
const HEAD_CHARS_MAX = 2_048;
/** Our own sequence, which only a repaint has: the image that was open when it was painted. Other terminals ignore it. */
const RESUME = "duetty-image ";
const [FILE, MULTIPART, PART, END] = ["1337;File=", "1337;MultipartFile=", "1337;FilePart=", "1337;FileEnd"];
const ITERM = [FILE, MULTIPART, PART, END, RESUME] as const;

export interface FoundImage {
  readonly image: OpenImage;
  /** Behind its last byte: in the bytes that were given, and as a cursor. */
  readonly at: number;
  readonly end: number;
}

/** Which sequence we are in: its head, its data, or what is none of ours. */
type State = "ground" | "escape" | "dcs" | "kitty" | "iterm" | "resume" | "data" | "other" | "other_osc";

export class ImageScan {
  #state: State = "ground";
  /** ESC was seen in a sequence: it ends if a backslash follows. */
  #ending = false;
  #begin = 0;
  #head = "";
  /** Whose data this sequence brings. */
  #image: OpenImage | undefined;
  /** Its next sequence is awaited. */
  #parted: OpenImage | undefined;
  /** Whether this sequence leaves its image open. */
  #more = false;
  #onData: ((part: Uint8Array) => void) | undefined;

  /** `onData`: gets the data of all images, as it comes. */
  constructor(onData?: (part: Uint8Array) => void) {
    this.#onData = onData;
  }

  push(bytes: Uint8Array, cursor: number, report: (found: FoundImage) => void): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "ground") at = this.#skip(bytes, at, cursor);
      else if (this.#state === "escape") this.#introduce(bytes[at++] ?? 0, cursor + at - 2);
      else if (this.#ending) at = this.#afterEscape(bytes, at, cursor, report);
      else at = this.#string(bytes, at, cursor, report);
    }
  }

  /** What a terminal has to read that did not see the image's beginning, before the sequence in which the output goes on. */
  get parted(): string {
    const parted = this.#parted ? `\x1bX${resumed(this.#parted, true)}\x1b\\` : "";
    // For engines the sequence is over at ESC, and only ESC is unfinished.
    return this.#ending && this.#image ? `${parted}\x1bX${resumed(this.#image, this.#more)}` : parted;
  }

  /** The same for the sequence that is open, in place of all that came of it. Empty where it is none of ours. */
  get reopened(): string {
    if (!this.#image || this.#ending) return "";
    // It must end at the byte at which the real one would.
    const opening = this.#image.protocol === "iterm" ? "\x1b]" : "\x1bX";
    return opening + resumed(this.#image, this.#more);
  }

  #skip(bytes: Uint8Array, from: number, cursor: number): number {
    let at = from;
    while (at < bytes.length && bytes[at] !== ESC) at += 1;
    if (at >= bytes.length) return at;
    [this.#state, this.#begin] = ["escape", cursor + at];
    return at + 1;
  }

  #introduce(byte: number, cursor: number): void {
    this.#ending = false;
    this.#head = "";
    this.#image = undefined;
    if (byte === ESC) [this.#state, this.#begin] = ["escape", cursor + 1];
    else if (byte === 0x63)
      // A reset forgets what was awaited.
      [this.#state, this.#parted] = ["ground", undefined];
    else if (byte === 0x50) this.#state = "dcs";
    else if (byte === 0x5f) this.#state = "kitty";
    else if (byte === 0x5d) this.#state = "iterm";
    else if (byte === 0x58) this.#state = "resume";
    else this.#state = byte === 0x5e ? "other" : "ground";
  }

  #afterEscape(bytes: Uint8Array, at: number, cursor: number, report: (found: FoundImage) => void): number {
    if (bytes[at] === BACKSLASH) this.#finish(at + 1, cursor + at + 1, report);
    else {
      // It was not ended, so it is no image. Another sequence begins.
      this.#begin = cursor + at - 1;
      this.#introduce(bytes[at] ?? 0, cursor + at - 1);
    }
    return at + 1;
  }

  #string(bytes: Uint8Array, from: number, cursor: number, report: (found: FoundImage) => void): number {
    const isOsc = this.#state === "iterm" || this.#state === "other_osc" || this.#image?.protocol === "iterm";
    let to = from;
    for (; to < bytes.length; to += 1) {
      const byte = bytes[to] ?? 0;
      if (byte === ESC || byte === CAN || byte === SUB || (isOsc ? byte === BEL : byte >= 0x80)) break;
    }
    let at = from;
    while (at < to && this.#state !== "data") at = this.#collect(bytes, at, to);
    if (at < to) this.#data(bytes, at, to);
    if (to >= bytes.length) return to;
    if (bytes[to] === ESC) this.#ending = true;
    else if (bytes[to] === BEL) this.#finish(to + 1, cursor + to + 1, report);
    else [this.#state, this.#image] = ["ground", undefined];
    return to + 1;
  }

  /** Reads the head. Returns where to go on. */
  #collect(bytes: Uint8Array, from: number, to: number): number {
    if (this.#state === "other" || this.#state === "other_osc") return to;
    const char = String.fromCharCode(bytes[from] ?? 0);
    this.#head += char;
    if (this.#state === "dcs") this.#dcs(char);
    else if (this.#state === "kitty") this.#kitty(char);
    else if (this.#state === "iterm") this.#iterm(char);
    else this.#resume(char);
    if (this.#state !== "data" && this.#head.length > HEAD_CHARS_MAX) this.#leave();
    return from + 1;
  }

  #leave(): void {
    this.#state = this.#state === "iterm" ? "other_osc" : "other";
  }

  #dcs(char: string): void {
    if (/[\d;]/.test(char)) return;
    if (char === "q") this.#take(sixelImage(this.#begin), false);
    else this.#leave();
  }

  #kitty(char: string): void {
    if (!this.#head.startsWith("G")) return this.#leave();
    if (char !== ";") return;
    const control = pairsIn(this.#head.slice(1, -1), ",");
    // A part has no action of its own.
    const image = !control.has("a") && this.#parted?.protocol === "kitty" ? this.#parted : undefined;
    this.#take(image ?? kittyImage(this.#begin, control), control.get("m") === "1");
  }

  #iterm(char: string): void {
    const known = ITERM.find((name) => this.#head.startsWith(name));
    if (!known) {
      if (!ITERM.some((name) => name.startsWith(this.#head))) this.#leave();
    } else if (known === PART) {
      if (this.#parted?.protocol === "iterm") this.#take(this.#parted, true);
      else this.#leave();
    } else if (known === RESUME) this.#resume(char);
    else if (known === FILE && char === ":") this.#take(this.#file(this.#head.slice(FILE.length, -1)), false);
  }

  #file(options: string): OpenImage {
    return itermImage(this.#begin, pairsIn(options, ";"), CELL_PX);
  }

  #resume(char: string): void {
    const size = Math.min(this.#head.length, RESUME.length);
    if (this.#head.slice(0, size) !== RESUME.slice(0, size)) return this.#leave();
    if (char !== "|") return;
    const image = imageFrom(this.#head.slice(RESUME.length + 1, -1));
    if (image) this.#take(image, this.#head[RESUME.length] === "+");
    else this.#leave();
  }

  #take(image: OpenImage, more: boolean): void {
    [this.#state, this.#image, this.#more] = ["data", image, more];
  }

  #data(bytes: Uint8Array, from: number, to: number): void {
    const image = this.#image;
    if (!image) return;
    this.#onData?.(bytes.subarray(from, to));
    if (image.protocol === "sixel") measureSixel(image.sixel, bytes, from, to);
    else if (image.width === 0) readBase64(image.file, bytes, from, to);
  }

  #finish(at: number, end: number, report: (found: FoundImage) => void): void {
    // Without a payload it has no semicolon.
    if (this.#state === "kitty") {
      this.#head += ";";
      this.#kitty(";");
    }
    const [state, head, image] = [this.#state, this.#head, this.#image];
    [this.#state, this.#ending, this.#image] = ["ground", false, undefined];
    if (state === "iterm" && head.startsWith(MULTIPART)) this.#parted = this.#file(head.slice(MULTIPART.length));
    else if (state === "iterm" && head === END && this.#parted?.protocol === "iterm")
      this.#whole(this.#parted, at, end, report);
    else if (state === "data" && image && this.#more) this.#parted = image;
    else if (state === "data" && image) this.#whole(image, at, end, report);
  }

  #whole(image: OpenImage, at: number, end: number, report: (found: FoundImage) => void): void {
    if (image === this.#parted) this.#parted = undefined;
    if (image.shown === 1) report({ image, at, end });
  }
}

function resumed(image: OpenImage, more: boolean): string {
  return `${RESUME}${more ? "+" : "-"}${JSON.stringify(image)}|`;
}
