// Styled text as agents, and people on the page, read it: invisible characters are marked (invisible.ts), and concealed text is
// only counted. Pure.
import { marked } from "./invisible.ts";

/** Text in one style, with the parameters that make it. */
interface CleanRun {
  readonly text: string;
  readonly sgr: string;
}

export function runText({ text, sgr }: CleanRun): string {
  return isConcealed(sgr) ? concealedMark(text) : marked(text);
}

export function lineText(line: readonly CleanRun[]): string {
  return line.map(runText).join("").trimEnd();
}

/** Concealed text (SGR 8) is on nobody's screen, so we only say how long it is. */
function concealedMark(text: string): string {
  const length = [...text.trimEnd()].length;
  return length === 0 ? text : `⟦${length} concealed⟧`;
}

function isConcealed(sgr: string): boolean {
  const parts = sgr.split(";");
  for (let i = 0; i < parts.length; i++) {
    // 38;5;8 is a colour: what follows 38 and 48 belongs to it.
    if (parts[i] === "38" || parts[i] === "48") i += parts[i + 1] === "2" ? 4 : 2;
    else if (parts[i] === "8") return true;
  }
  return false;
}
