// What agents leave at a person's prompt without entering it. The person may enter it, so it is short and looks like what it is.
// Owns: all that agents have put into the line at this prompt.
import { type Fault, fault } from "../../base/fault.ts";
import type { LineEdit } from "../prompt-keys.ts";

/** At once: about a row. Beyond it, it could look like another prompt. */
const CHARS_MAX = 60;
/** At one prompt, with what was erased again: an agent that writes and erases for long does not write a command. */
const ALL_CHARS_MAX = 160;
/** Fewer than a row has, so that nothing is pushed out of sight. */
const ALL_BLANKS_MAX = 24;

export class LeftLine {
  #cycle = -1;
  #text = "";

  wrong(edits: readonly LineEdit[], cycle: number): Fault | undefined {
    const added = edits.map((edit) => (edit.startsWith("=") ? edit.slice(1) : "")).join("");
    const text = (this.#cycle === cycle ? this.#text : "") + added;
    if (added !== "" && (added.length > CHARS_MAX || mayHide(text))) return tooLong();
    [this.#cycle, this.#text] = [cycle, text];
    return undefined;
  }
}

function mayHide(text: string): boolean {
  const blanks = [...text].filter((char) => /\s/u.test(char)).length;
  return text.length > ALL_CHARS_MAX || text.includes("\n") || blanks > ALL_BLANKS_MAX;
}

function tooLong(): Fault {
  const what = `a line that is left at a person's prompt has at most ${CHARS_MAX} characters, one row and few blanks`;
  return fault("input.invalid", what, "Send it together with Enter, or run it as a whole command.");
}
