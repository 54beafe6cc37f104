// Where a session's shell is: its folder, and the git branch there, which any command may change. Owns: what was last told.

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
