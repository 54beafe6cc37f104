// Text of an agent or a program as it may stand on a person's terminal: nothing in it acts on the terminal, and nothing
// pretends. Lines stay lines. Colours and marks that only change an emoji's looks are left out, all else is made visible.
import { visible } from "./width.ts";

const COLOURS = /\x1b\[[\d;:]*m/gu;
/** Joiners and variation selectors after an emoji, soft hyphens: terminals differ over them, and nothing is lost. */
const LOOKS = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})(?:\u200d|\ufe0e|\ufe0f)+|\u00ad/gu;
const TAB = "    ";

export function harmless(text: string): string {
  return text
    .replace(COLOURS, "")
    .replace(/\r\n?/gu, "\n")
    .replaceAll("\t", TAB)
    .replaceAll("\u00a0", " ")
    .replace(LOOKS, "")
    .split("\n")
    .map(visible)
    .join("\n");
}

/** The same in one line. */
export function harmlessLine(text: string): string {
  return visible(harmless(text).replace(/\n+$/u, ""));
}

/** For a pipe: the text as it is, but nothing in it acts on a terminal that it may reach. */
export function inert(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/gu, visible);
}
