// Where a session's shell is: its folder, and the git branch there, which any command may change; and what
// runs there. Owns: what was last told.
import { placeLabel } from "../../protocol/plain/place-label.ts";
import type { Meta } from "../journal/store.ts";
import type { Commands } from "./commands.ts";

interface WhereaboutsParts {
  cwd(): string;
  /** The git branch of a folder; null where there is none. */
  branchOf(cwd: string): string | null;
  changed(): void;
}

interface Where {
  readonly cwd: string;
  readonly branch: string | null;
}

export class Whereabouts {
  #parts: WhereaboutsParts;
  #now: Where | undefined;

  constructor(parts: WhereaboutsParts) {
    this.#parts = parts;
  }

  get branch(): string | null {
    return (this.#now ?? this.look()).branch;
  }

  /** The shell shows a prompt, so it is where it says. */
  look(): Where {
    const cwd = this.#parts.cwd();
    const [before, now] = [this.#now, { cwd, branch: this.#parts.branchOf(cwd) }];
    this.#now = now;
    if (before && (before.cwd !== now.cwd || before.branch !== now.branch)) this.#parts.changed();
    return now;
  }
}

/** What the gate asks about the place where something is typed. */
export function placeOf(meta: Meta, commands: Commands, boxes: "on" | "none" | "missing") {
  const { own, nested } = commands.blocks;
  const { cwd, integration, box, actor, agent } = meta;
  const shell = own.marked === "silent" ? null : (integration?.shell ?? null);
  const isFrontBoxed = own.running !== undefined && commands.isBoxed(own.running.run_id);
  // To keys a shell inside is a program like any other: what its marks say frees nothing.
  return {
    cwd: own.cwd ?? cwd,
    shell,
    atPrompt: own.atPrompt,
    promptComes: own.marked === "start" || (own.marked === "prompt" && !own.atPrompt),
    block_id: own.running?.block_id ?? null,
    beganBy: shell ? (own.running?.actor ?? null) : actor,
    nested: nested && { id: nested.id, shell: nested.shell, label: placeLabel(nested) },
    box: box ? "session" : boxes !== "on" ? boxes : shell ? "line" : "none",
    frontBox: box ? "session" : isFrontBoxed ? "line" : "none",
    lentTo: box && agent ? actor : null,
  } as const;
}
