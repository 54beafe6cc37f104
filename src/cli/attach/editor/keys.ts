// What a key means in the prompt editor. Pure: a terminal's sequence in, an intention out. The sequences are those of a
// terminal in its plain modes: agent mode switches to them, whatever the program in the session wants.
import type { Edit, Target } from "./editor.ts";

export type PromptKey =
  | { readonly do: "edit"; readonly edit: Edit }
  | { readonly do: "submit" }
  | { readonly do: "interrupt" }
  | { readonly do: "scroll"; readonly pages: -1 | 1 }
  | { readonly do: "scroll_to"; readonly end: "top" | "bottom" };

const move = (to: Target): PromptKey => ({ do: "edit", edit: { do: "move", to } });
const remove = (to: Target): PromptKey => ({ do: "edit", edit: { do: "delete", to } });
const kill = (to: Target): PromptKey => ({ do: "edit", edit: { do: "kill", to } });
const vertical = (by: -1 | 1): PromptKey => ({ do: "edit", edit: { do: "vertical", by } });
const NEWLINE: PromptKey = { do: "edit", edit: { do: "insert", text: "\n" } };

const KEYS: Readonly<Record<string, PromptKey>> = {
  "\r": { do: "submit" },
  "\x03": { do: "interrupt" },
  "\n": NEWLINE,
  "\x1b\r": NEWLINE,
  "\x1b\n": NEWLINE,
  "\x1b[13;2u": NEWLINE,
  "\x1b[13;3u": NEWLINE,
  "\x1b[27;2;13~": NEWLINE,
  "\x1b[27;3;13~": NEWLINE,
  "\x02": move("left"),
  "\x06": move("right"),
  "\x1b[D": move("left"),
  "\x1b[C": move("right"),
  "\x1bOD": move("left"),
  "\x1bOC": move("right"),
  "\x01": move("line_begin"),
  "\x05": move("line_end"),
  "\x1b[H": move("line_begin"),
  "\x1b[F": move("line_end"),
  "\x1bOH": move("line_begin"),
  "\x1bOF": move("line_end"),
  "\x1b[1~": move("line_begin"),
  "\x1b[4~": move("line_end"),
  "\x1b[7~": move("line_begin"),
  "\x1b[8~": move("line_end"),
  "\x1bb": move("word_left"),
  "\x1bf": move("word_right"),
  "\x1b[1;3D": move("word_left"),
  "\x1b[1;3C": move("word_right"),
  "\x1b[1;5D": move("word_left"),
  "\x1b[1;5C": move("word_right"),
  "\x7f": remove("left"),
  "\x08": remove("left"),
  "\x04": remove("right"),
  "\x1b[3~": remove("right"),
  "\x15": kill("line_begin"),
  "\x0b": kill("line_end"),
  "\x17": kill("blank_left"),
  "\x1b\x7f": kill("word_left"),
  "\x1b\x08": kill("word_left"),
  "\x1bd": kill("word_right"),
  "\x19": { do: "edit", edit: { do: "yank" } },
  "\x10": vertical(-1),
  "\x0e": vertical(1),
  "\x1b[A": vertical(-1),
  "\x1b[B": vertical(1),
  "\x1bOA": vertical(-1),
  "\x1bOB": vertical(1),
  "\x1b[5~": { do: "scroll", pages: -1 },
  "\x1b[6~": { do: "scroll", pages: 1 },
  "\x1b[1;5H": { do: "scroll_to", end: "top" },
  "\x1b[1;5F": { do: "scroll_to", end: "bottom" },
};

/** Undefined means nothing. */
export function promptKey(sequence: string): PromptKey | undefined {
  return KEYS[sequence];
}
