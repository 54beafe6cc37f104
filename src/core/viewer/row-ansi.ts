// A styled row as text with SGR runs and no other escape, so it can be drawn anywhere on a terminal. Pure.
import type { StyledRow } from "../screen/engine.ts";

/** What would act on a terminal, or turn the direction of what stands beside it. The engine stores no controls; still. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Below this a character has a cell of its own; above it, the directions have none. */
const FIRST_WITHOUT_CELL = 0x300;

export function rowAnsi({ runs }: Pick<StyledRow, "runs">): string {
  return runs.map(({ text, sgr }) => (sgr === "" ? safe(text) : `\x1b[${sgr}m${safe(text)}\x1b[m`)).join("");
}

function safe(text: string): string {
  return text.replace(UNSAFE, (char) => (char.charCodeAt(0) < FIRST_WITHOUT_CELL ? " " : ""));
}
