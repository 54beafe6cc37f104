// A styled row as text with SGR runs and no other escape, so it can be drawn anywhere on a terminal. Pure.
// What would act on a terminal, or turn the direction of what stands beside it, gives way to its cells.
import { blanked } from "../base/invisible.ts";
import type { StyledRow } from "../screen/engine.ts";

export function rowAnsi({ runs }: Pick<StyledRow, "runs">): string {
  return runs.map(({ text, sgr }) => (sgr === "" ? safe(text) : `\x1b[${sgr}m${safe(text)}\x1b[m`)).join("");
}

function safe(text: string): string {
  return blanked(text, { controls: "blank" });
}
