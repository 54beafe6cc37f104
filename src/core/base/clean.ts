// Styled text as agents, and people on the page, read it: invisible characters are marked (invisible.ts), and text that
// nobody sees is only counted. Pure.

import { isUnseenText } from "./colour/unseen.ts";
import { marked } from "./invisible.ts";

/** Text in one style, with the parameters that make it. */
interface CleanRun {
  readonly text: string;
  readonly sgr: string;
}

export function runText({ text, sgr }: CleanRun): string {
  return isUnseenText(text, sgr) ? concealedMark(text) : marked(text);
}

export function lineText(line: readonly CleanRun[]): string {
  return line.map(runText).join("").trimEnd();
}

/** Nobody sees it on their screen, so we only say how long it is. */
function concealedMark(text: string): string {
  const length = [...text.trimEnd()].length;
  return length === 0 ? text : `⟦${length} concealed⟧`;
}
