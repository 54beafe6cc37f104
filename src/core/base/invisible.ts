// Characters that nobody sees, and how they are shown. The one table of them: screens, outputs, cards, the classifier and
// the CLI all ask here, so that no text says more to an agent than to a person who reads the same. exact.ts shows what a
// person must agree to. Pure.
import { cellWidth } from "./cell-width.ts";

/** Controls below U+0080. In JSON they are escaped, and a terminal acts on them: they need other care than the rest. */
export const CONTROLS = "\\x00-\\x1f\\x7f";
/** C1 controls, line separators, half surrogate pairs, default-ignorable and other characters without a glyph. */
export const HIDDEN =
  "\\x80-\\x9f\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2d7f\\ufff9-\\ufffb\\u{1107f}\\u{13430}-\\u{13442}\\u{16fe4}\\u{1d159}";
/** They look like a space but are not one. A shell reads them as letters. */
export const BLANK = "\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000\\ufffc";

const ODD = new RegExp(`([${HIDDEN}]+)|[${CONTROLS}]|[${BLANK}]+`, "gu");
const ONE_HIDDEN = /* @__PURE__ */ new RegExp(`^[${CONTROLS}${HIDDEN}]$`, "u");
const DECEPTIVE = /* @__PURE__ */ new RegExp(`[${HIDDEN}${BLANK}]`, "u");
/** Plain text, the usual case, recognised without the Unicode tables. */
const PLAIN =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u27ff\u2900-\u2bff\u3001-\u312f\u4e00-\u9fff\uac00-\ud7a3\ue000-\uf8ff]*$/;

/** A longer run is counted: it hides a message, or moves what follows it out of sight. */
const NAMED_MAX = 3;
/** More kinds in one run than this are counted together. */
const KINDS_MAX = 2;

interface Marking {
  /**
   * sign: each control has one. text: line ends and tabs stay as they are. keep: all do, for what is read as JSON or goes to a
   * terminal on purpose.
   */
  readonly controls?: "sign" | "text" | "keep";
  /** Joiners and selectors that an emoji or a script needs. drop: for terminals, which differ over them. */
  readonly joiners?: "keep" | "drop" | "mark";
  readonly blanks?: "keep" | "mark";
}

/** Everything that is not what it looks like is marked. */
export const STRICT: Marking = { joiners: "mark", blanks: "mark" };

/** Whether a person sees nothing where this character stands. Blanks are seen: as spaces. */
export function isInvisible(char: string): boolean {
  return ONE_HIDDEN.test(char);
}

/** Whether a line of text is not what it looks like, controls apart. */
export function deceives(text: string): boolean {
  return DECEPTIVE.test(text);
}

/** The text with a mark for each character that is not seen. What was marked once stays as it is. */
export function marked(text: string, how: Marking = {}): string {
  if (PLAIN.test(text)) return text;
  return text.replace(ODD, (found: string, hidden: string | undefined, at: number) => {
    if (hidden === undefined) {
      if (found <= "\x7f") return control(found, how.controls ?? "sign");
      return how.blanks === "mark" ? hiddenMark(found) : found;
    }
    if (how.joiners === "mark" || !belongs(hidden, text, at)) return hiddenMark(hidden);
    return how.joiners === "drop" ? "" : hidden;
  });
}

/** For a grid of cells, which has no room for marks: what is not seen gives way to as many spaces as it takes cells. */
export function blanked(text: string, { controls }: { readonly controls: "keep" | "blank" }): string {
  if (PLAIN.test(text)) return text;
  return text.replace(ODD, (found: string, hidden: string | undefined, at: number) => {
    if (hidden === undefined) return found > "\x7f" || controls === "keep" ? found : " ";
    if (belongs(hidden, text, at)) return hidden;
    return [...hidden].map((char) => " ".repeat(cellWidth(char))).join("");
  });
}

function control(char: string, how: "sign" | "text" | "keep"): string {
  return how === "keep" || (how === "text" && (char === "\n" || char === "\t")) ? char : signOf(char);
}

/** The sign of a control character. */
export function signOf(char: string): string {
  if (char === "\n" || char === "\r") return "⏎";
  if (char === "\t") return "⇥";
  return char === "\x7f" ? "␡" : String.fromCharCode(0x2400 + char.charCodeAt(0));
}

/** A run of characters that are not seen, by name, or counted when it is long. */
export function hiddenMark(run: string): string {
  const chars = [...run];
  if (chars.length <= NAMED_MAX) return chars.map((char) => `⟦${named(char)}⟧`).join("");
  const kinds = new Set(chars);
  if (kinds.size > KINDS_MAX) return `⟦${chars.length} invisible characters⟧`;
  return `⟦${[...kinds].map((kind) => `${chars.filter((char) => char === kind).length} × ${named(kind)}`).join(", ")}⟧`;
}

function named(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

const [ZWNJ, ZWJ, AS_TEXT, AS_EMOJI] = ["\u200c", "\u200d", "\ufe0e", "\ufe0f"];
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u;
const TONE = /^\p{Emoji_Modifier}$/u;
/** Letters of these change their form by a joiner; in others it has no business. */
const JOINING =
  /^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u;
/** The flags that are written with tags: of England, Scotland and Wales. No others are agreed upon. */
const FLAG = "\u{1f3f4}";
const FLAG_TAGS = new Set(["gbeng", "gbsct", "gbwls"].map(tagged));

/** Whether this whole run is a part of what is seen: of an emoji, or of a word in a script that joins its letters. */
function belongs(run: string, text: string, at: number): boolean {
  const before = charBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 0);
  if (run === AS_TEXT) return PICTOGRAPH.test(before);
  if (run === AS_EMOJI) return PICTOGRAPH.test(before) || (/^[\d#*]$/.test(before) && after === "\u20e3");
  if ((run === ZWJ || run === ZWNJ) && JOINING.test(before)) return true;
  if (run === ZWJ) return (PICTOGRAPH.test(before) || TONE.test(before)) && PICTOGRAPH.test(after);
  if (run === AS_EMOJI + ZWJ) return PICTOGRAPH.test(before) && PICTOGRAPH.test(after);
  return before === FLAG && FLAG_TAGS.has(run);
}

function charBefore(text: string, at: number): string {
  const pair = at >= 2 ? text.slice(at - 2, at) : "";
  return [...pair].length === 1 ? pair : text.slice(Math.max(0, at - 1), at);
}

function tagged(letters: string): string {
  return `${Array.from(letters, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("")}\u{e007f}`;
}

/**
 * A paste must not run keys. A C0 control is Ctrl+C, Escape or Backspace to a program that does not quote it, and taking
 * one end mark out may leave another ("ESC[20" + mark + "1~"). DEL and C1 for the same reason; xterm drops them too.
 */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, "");
}
