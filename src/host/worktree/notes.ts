// What we know about each tree: one small file for each, beside git's own registry. Owns: the files and their order of phases.
import fs from "node:fs";
import { join } from "node:path";
import type { Tree } from "../../core/worktree/tree.ts";
import { privateFolder } from "../disk/private.ts";
import { replaceFile } from "../git/repository.ts";

/** What a removal has decided. From here on it is only carried out, also by the next daemon. */
export interface Removal {
  /** Where the folder is moved. */
  readonly aside: string;
  readonly saved: string | null;
  /** The branch's commit, if it is deleted. */
  readonly branch_at: string | null;
  /** Something in it fits into no ref: the folder stays there for a while. */
  readonly keeps: boolean;
}

/** making: a kill in the middle is undone. removing: it is carried out to the end. */
export type Note =
  | { readonly phase: "making" | "ready"; readonly tree: Tree }
  | { readonly phase: "removing"; readonly tree: Tree; readonly removal: Removal };

export class Notes {
  readonly #folder: string;
  readonly #notes = new Map<string, Note>();

  constructor(folder: string) {
    this.#folder = folder;
    privateFolder(folder);
    for (const name of fs.readdirSync(folder)) {
      if (name.endsWith(".tmp")) fs.rmSync(join(folder, name), { force: true });
      if (!name.endsWith(".json")) continue;
      const note = noteIn(fs.readFileSync(join(folder, name), "utf8"));
      if (note) this.#notes.set(note.tree.id, note);
    }
  }

  get all(): readonly Note[] {
    return [...this.#notes.values()];
  }

  of(id: string): Note | undefined {
    return this.#notes.get(id);
  }

  async keep(note: Note): Promise<void> {
    await replaceFile(this.#file(note.tree.id), JSON.stringify(note));
    this.#notes.set(note.tree.id, note);
  }

  forget(id: string): void {
    fs.rmSync(this.#file(id), { force: true });
    this.#notes.delete(id);
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** A damaged one is left where it is: git still knows the tree. */
function noteIn(text: string): Note | undefined {
  try {
    return JSON.parse(text) as Note;
  } catch {
    return undefined;
  }
}
