// Where the lines of one command's output begin, found in the bytes without a screen. Pure; cutting the input anywhere changes
// nothing. Owns: the places, and the colours there. As soon as something reaches beyond its own line (a cursor that moves up, an
// erased screen), only a screen knows the lines: `isLocal` says so.

/** A place for every so many bytes: what lies between is played in some milliseconds. */
const PLACE_BYTES = 16 << 10;
/** Colours at a place. Programs that never reset them get no more places. */
const SGR_CHARS_MAX = 256;
const PARAMS_CHARS_MAX = 64;
const TAB_STOP = 8;
const [BEL, BS, HT, LF, CR, ESC, SPACE, DEL] = [0x07, 0x08, 0x09, 0x0a, 0x0d, 0x1b, 0x20, 0x7f];

/** Sequences that stay in their line, by their last byte: columns, erasing, characters, repeats, colours. */
const LOCAL = new Set([..."CDG`aKPX@bm"].map((char) => char.charCodeAt(0)));
const SGR = 0x6d;
/** Or a colour's number that looks like one; then the screen is asked. */
const BACKGROUND = /[[;](?:4[0-8]|10[0-7]|7)[;m]/;
/** Modes of the cursor's looks and of pastes. */
const SHOWS_NOTHING = /^\?(?:12|25|2004)[hl]$/;

/** The beginning of a line. */
export interface LinePlace {
  readonly cursor: number;
  /** Lines before it. */
  readonly line: number;
  /** Bytes of text before it, each line with its line break. */
  readonly text: number;
  /** The sequences that bring back the colours here. */
  readonly sgr: string;
}

type State = "ground" | "escape" | "charset" | "csi" | "osc" | "osc_end";

export class LineIndex {
  readonly places: LinePlace[];
  cursor: number;
  isLocal = true;
  #line = 0;
  #lastInked = -1;
  #text = 0;
  /** The line so far: its columns, and the last one with ink. */
  #col = 0;
  #inked = 0;
  #state: State = "ground";
  #params = "";
  #sgr = "";
  #link = "";

  constructor(start: number) {
    this.cursor = start;
    this.places = [{ cursor: start, line: 0, text: 0, sgr: "" }];
  }

  /** Lines on a screen of so many rows. Empty ones at the end do not count while they are on it. */
  total(rows: number): number {
    const last = this.#inked > 0 ? this.#line : this.#lastInked;
    return Math.max(last + 1, this.#line - rows + 1);
  }

  /** Bytes of text so far. */
  get text(): number {
    return this.#text + this.#inked;
  }

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && this.isLocal; ) {
      const run = this.#state === "ground" ? printable(bytes, i) : 0;
      this.cursor += Math.max(1, run);
      if (run > 0) {
        this.#col += run;
        this.#inked = Math.max(this.#inked, this.#col);
      } else if (this.#state === "ground") this.#control(bytes[i] ?? 0);
      else this.#inside(bytes[i] ?? 0);
      i += Math.max(1, run);
    }
  }

  #control(byte: number): void {
    if (byte === SPACE) this.#col += 1;
    else if (byte === LF) this.#break();
    else if (byte === CR) this.#col = 0;
    else if (byte === HT) this.#col = (Math.floor(this.#col / TAB_STOP) + 1) * TAB_STOP;
    else if (byte === BS) this.#col = Math.max(0, this.#col - 1);
    else if (byte === ESC) this.#state = "escape";
    // Other line breaks and character sets. The bell and NUL are nothing.
    else if (byte !== BEL && byte !== 0 && byte !== DEL) this.isLocal = false;
  }

  #break(): void {
    // Without a carriage return the next line would begin further to the right.
    // With a background the next line has ink before anything is written in it.
    if (this.#col > 0 || BACKGROUND.test(this.#sgr)) this.isLocal = false;
    if (this.#inked > 0) this.#lastInked = this.#line;
    this.#text += this.#inked + 1;
    this.#line += 1;
    this.#inked = 0;
    const last = this.places.at(-1);
    const isDue = !last || this.cursor - last.cursor >= PLACE_BYTES;
    if (isDue && this.#sgr.length <= SGR_CHARS_MAX && this.#link === "")
      this.places.push({ cursor: this.cursor, line: this.#line, text: this.#text, sgr: this.#sgr });
  }

  #inside(byte: number): void {
    switch (this.#state) {
      case "escape":
        return this.#escape(byte);
      case "charset":
        // ASCII, as programs choose it with their reset.
        this.#state = "ground";
        this.isLocal = byte === 0x42;
        return;
      case "csi":
        return this.#csi(byte);
      case "osc":
        if (byte === BEL) this.#oscEnds();
        else if (byte === ESC) this.#state = "osc_end";
        else if (this.#params.length < PARAMS_CHARS_MAX) this.#params += String.fromCharCode(byte);
        return;
      default:
        return this.#oscEnds();
    }
  }

  #escape(byte: number): void {
    this.#params = "";
    if (byte === 0x5b) this.#state = "csi";
    else if (byte === 0x5d) this.#state = "osc";
    else if (byte === 0x28) this.#state = "charset";
    else this.isLocal = false;
  }

  #csi(byte: number): void {
    if (byte < 0x40) {
      this.#params += String.fromCharCode(byte);
      this.isLocal = byte >= SPACE && this.#params.length <= PARAMS_CHARS_MAX;
      return;
    }
    this.#state = "ground";
    if (SHOWS_NOTHING.test(`${this.#params}${String.fromCharCode(byte)}`)) return;
    if (!LOCAL.has(byte) || /[^\d;:]/.test(this.#params)) this.isLocal = false;
    else if (byte === SGR) this.#colour(this.#params);
    // Columns are counted only roughly from here on; the text's length is what they are for.
    else if (byte === 0x47 || byte === 0x60) this.#col = Math.max(0, Number.parseInt(this.#params, 10) - 1 || 0);
    else if (byte === 0x4b)
      this.#inked = this.#params === "" || this.#params === "0" ? Math.min(this.#inked, this.#col) : 0;
  }

  #colour(params: string): void {
    if (/^0*$/.test(params)) this.#sgr = "";
    else if (/^0*;/.test(params)) this.#sgr = `\x1b[${params}m`;
    else if (this.#sgr.length <= SGR_CHARS_MAX) this.#sgr += `\x1b[${params}m`;
  }

  /** A link lasts over lines, an image has several. Other such texts (titles, marks) show nothing. */
  #oscEnds(): void {
    this.#state = "ground";
    if (this.#params.startsWith("1337;")) this.isLocal = false;
    if (this.#params.startsWith("8;")) this.#link = this.#params.replace(/^8;[^;]*;/, "");
  }
}

/** How many bytes from here on are plain characters. */
function printable(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= SPACE || byte === DEL) break;
  }
  return at - from;
}
