// Restore points of one session: what is kept of the person's files before an agent's input may change them. Owns: nothing.
import { isWithin } from "../../box/plan.ts";
import { type Actor, actorName } from "../../gate/actor.ts";
import type { EditPlace, Edits } from "../../gate/line/edits.ts";
import type { Admitted } from "../../gate/settle.ts";
import type { Meta } from "../../journal/store.ts";
import type { Before } from "../../restore/asked.ts";
import { mayWrite } from "../../restore/due.ts";
import type { Wanted } from "../../restore/state.ts";

export interface KeptFilesParts {
  /** Keeps the files of a workspace before an agent's input may change them. True when that took time. */
  keepFiles(before: Before): Promise<boolean>;
  /** The same. Says what of the wanted no point has then, or why there is none. */
  lacks(before: Before, wanted: readonly Wanted[]): Promise<string | undefined>;
  /** The real name of `cwd`, if a box there can be held to this one folder. */
  boxedTo(folder: string, cwd: string): string | null;
}

export class KeptFiles {
  #meta: Pick<Meta, "session_id" | "box">;
  #parts: KeptFilesParts;
  #cwd: () => string;

  constructor(meta: Pick<Meta, "session_id" | "box">, parts: KeptFilesParts, cwd: () => string) {
    [this.#meta, this.#parts, this.#cwd] = [meta, parts, cwd];
  }

  /** What a box may write counts, wherever its shell goes or says that it is. True when it took time. */
  async before(actor: Actor, text: string, input: "keys" | "line", at = this.#cwd()): Promise<boolean> {
    const roots = this.#meta.box?.roots ?? [at];
    const kept = roots.map((cwd) => this.#parts.keepFiles(this.#what(actor, text, cwd, input)));
    return (await Promise.all(kept)).includes(true);
  }

  /** "lacking": no point has what it must have before this line may run. */
  async beforeLine(
    actor: Actor,
    line: Pick<Admitted, "text" | "rule" | "names" | "edits">,
  ): Promise<boolean | "lacking"> {
    if (actor.kind !== "agent" || !mayWrite(line)) return false;
    if (!line.edits) return this.before(actor, line.text, "line");
    return (await this.lacks(actor, line.text, line.edits)) === undefined || "lacking";
  }

  lacks(actor: Actor, text: string, { folder, paths }: Edits): Promise<string | undefined> {
    return this.#parts.lacks(this.#what(actor, text, folder, "line"), paths);
  }

  /** The box of a session is as it was made. That of a line can be narrower. */
  editPlace(folder: string): EditPlace | null {
    const roots = this.#meta.box?.roots ?? [];
    const cwd = roots.every((root) => isWithin(root, folder)) ? this.#parts.boxedTo(folder, this.#cwd()) : null;
    return cwd === null ? null : { folder, cwd };
  }

  #what(actor: Actor, text: string, cwd: string, input: Before["input"]): Before {
    return { session_id: this.#meta.session_id, actor: actorName(actor), text, cwd, input };
  }
}
