// Text of an agent or a program, made safe for a person's terminal: nothing in it acts on the terminal, and nothing
// deceives. `visible` is for text that a person must know exactly, `harmless` for text they just read. Pure.
import { marked, STRICT } from "../../core/base/invisible.ts";

const COLOURS = /\x1b\[[\d;:]*m/gu;
const [SOFT_HYPHEN, NO_BREAK_SPACE] = ["\u00ad", "\u00a0"];
const TAB = "    ";

/** One line, with a mark for every invisible character. Text that is already marked is not marked twice. */
export function visible(text: string): string {
  return marked(text.replace(/⏎?\n/gu, "\n"), STRICT);
}

/** Lines stay lines. Colours and emoji selectors are left out, because terminals disagree about them. */
export function harmless(text: string): string {
  const plain = text.replace(COLOURS, "").replace(/\r\n?/gu, "\n").replaceAll("\t", TAB);
  return marked(plain.replaceAll(SOFT_HYPHEN, "").replaceAll(NO_BREAK_SPACE, " "), {
    controls: "text",
    joiners: "drop",
  });
}

/** The same in one line. */
export function harmlessLine(text: string): string {
  return marked(harmless(text).replace(/\n+$/u, "").replace(/⏎?\n/gu, "\n"));
}

/** For a pipe: the text as it is, but nothing in it acts on a terminal that it may reach. */
export function inert(text: string): string {
  return marked(text, { controls: "text" });
}
