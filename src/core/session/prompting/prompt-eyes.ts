// What a prompt is judged by, as of now: the agent in front, its prompt box, and what stands above that. Owns: the last picture,
// which counts while the program is in the middle of a frame.
import { type BoxNow, boxIn, countIn, type Piece } from "../../agent-cli/prompt-box.ts";
import type { PromptFacts } from "../../agent-cli/readiness.ts";
import { styleOf } from "../../screen/style-words.ts";
import type { SessionPieces } from "../assembly.ts";

type Rows = readonly (readonly Piece[])[];

export class PromptEyes {
  #pieces: Pick<SessionPieces, "commands" | "display">;
  #last: { readonly box: BoxNow | undefined; readonly rows: Rows } = { box: undefined, rows: [] };

  constructor(pieces: Pick<SessionPieces, "commands" | "display">) {
    this.#pieces = pieces;
  }

  facts(): PromptFacts {
    const { agentWatch } = this.#pieces.commands;
    const agent = agentWatch.look();
    this.#read();
    return { agent, box: this.#last.box, openMs: agentWatch.openMs };
  }

  /** How often a text stands above the box. */
  above(text: string): number {
    const { box, rows } = this.#last;
    return countIn(box && box.is !== "missing" ? rows.slice(0, box.row) : rows, text);
  }

  #read(): void {
    const { commands, display } = this.#pieces;
    if (display.playback?.modes().synchronized) return;
    const [{ screen }, { box }] = [display, commands.agentWatch];
    const rows = screen?.styled({ history: 0 }).map(({ runs }) => runs.map(pieceOf)) ?? [];
    this.#last = { box: box && screen ? boxIn(box, rows) : undefined, rows };
  }
}

function pieceOf({ text, sgr }: { readonly text: string; readonly sgr: string }): Piece {
  const { classes, style } = styleOf(sgr);
  if (classes.includes("inverse")) return { text, look: "reverse" };
  if (classes.includes("faint")) return { text, look: "faint" };
  const isColoured = classes.some((name) => name.startsWith("fg-")) || /(?:^|;)color:/.test(style);
  return { text, look: isColoured ? "coloured" : "plain" };
}
