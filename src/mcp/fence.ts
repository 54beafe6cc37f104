// The fence around what programs printed, in texts for models: a reader can tell it from our own words. Its code is random for each
// answer, so that no output can forge the end of it.
import { randomBytes } from "node:crypto";

/** Puts a fence around a text. Nothing needs none. `what`: the text's kind, in as few words as its reader needs. */
export type Fence = (text: string, what?: "terminal output " | "alt screen " | "screen " | "") => string;

/** Nobody guesses three bytes in one try, and a longer code costs tokens in every answer. */
const CODE_BYTES = 3;

export function newFence(): Fence {
  const code = randomBytes(CODE_BYTES).toString("hex");
  return (text, what = "terminal output ") => (text === "" ? "" : `[untrusted ${what}${code}]\n${text}\n[end ${code}]`);
}
