// A styled row as text with SGR runs and no other escape, so it can be drawn anywhere on a terminal. Pure.
// What would act on a terminal, or turn the direction of what stands beside it, gives way to its cells.
import type { Run } from "../../protocol/ops/blocks.ts";
import { cellWidth } from "../base/cell-width.ts";
import { isUnseenText } from "../base/colour/unseen.ts";
import { blanked } from "../base/invisible.ts";
import type { StyledRow } from "../screen/engine.ts";

export function rowAnsi({ runs }: Pick<StyledRow, "runs">): string {
  return runs.map((run) => (run.sgr === "" ? safe(run.text) : `\x1b[${run.sgr}m${seen(run)}\x1b[m`)).join("");
}

/** What nobody sees is not for somebody who reads the text either. */
function seen({ text, sgr }: Run): string {
  if (!isUnseenText(text, sgr)) return safe(text);
  return Array.from(text, (char) => " ".repeat(cellWidth(char))).join("");
}

function safe(text: string): string {
  return blanked(text, { controls: "blank" });
}
