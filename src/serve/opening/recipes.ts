// The recipes of sessions: made when one opens, and kept up with the folder that its shell is in. Owns: how often a changed
// folder is written. The newest is written in any case, also when the daemon ends.
import type { Clock } from "../../core/base/clock.ts";
import { shortageOf } from "../../core/base/fault.ts";
import { keptVariables, type Recipe } from "../../core/recipe/recipe.ts";
import { promiseOf } from "../../core/redact/context/names.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { folderOf } from "./folder.ts";

/** A script may change folders a thousand times a second. After a restart of the machine the last one counts. */
const FOLDER_EVERY_MS = 1_000;

interface RecipesParts {
  readonly clock: Clock;
  /** Of the machine, now. */
  readonly boot: string;
  readonly eyes: Redactor;
  readonly sessions: Sessions;
}

export class Recipes {
  #parts: RecipesParts;
  /** Sessions whose folder was written just now, with what ends the pause. */
  #pauses = new Map<string, () => void>();

  constructor(parts: RecipesParts) {
    this.#parts = parts;
  }

  get boot(): string {
    return this.#parts.boot;
  }

  made(asked: Recipe["env"], cwd: string, as: { readonly from: string } | "lasting"): Recipe {
    const { boot, eyes } = this.#parts;
    const isSecret = (name: string, value: string) =>
      promiseOf(name) !== undefined || eyes.spans(`${name}=${value}`).length > 0 || eyes.spans(value).length > 0;
    const from = as === "lasting" ? {} : { restored_from: as.from };
    return { boot, cwd: folderOf(cwd), ...keptVariables(asked, isSecret), ...from };
  }

  /** Something about a session changed, perhaps its folder. */
  changed(session_id: string): void {
    if (this.#pauses.has(session_id)) return;
    if (!this.#write(session_id)) return;
    const over = () => {
      this.#pauses.delete(session_id);
      this.changed(session_id);
    };
    this.#pauses.set(session_id, this.#parts.clock.after(FOLDER_EVERY_MS, over));
  }

  /** The daemon ends. */
  dispose(): void {
    for (const cancel of this.#pauses.values()) cancel();
    const ids = [...this.#pauses.keys()];
    this.#pauses.clear();
    for (const id of ids) this.#write(id);
  }

  /** True: it was there to be written. */
  #write(session_id: string): boolean {
    const { sessions } = this.#parts;
    const session = sessions.known(session_id);
    const said = session?.commands.blocks.cwd ?? null;
    const cwd = said === null ? null : folderOf(said);
    if (!session?.meta.recipe || session.over || cwd === null || cwd === session.meta.recipe.cwd) return false;
    try {
      sessions.noteRecipe(session, { cwd });
    } catch (error) {
      // A full disk: the recipe has an older folder, and the session goes on.
      if (!shortageOf(error)) throw error;
    }
    return true;
  }
}
