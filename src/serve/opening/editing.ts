// Files that programs name, for people: which of them exist, and how one is opened.
import { basename, isAbsolute, resolve } from "node:path";
import type { DeepReadonly } from "../../core/base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { Session } from "../../core/session/session.ts";
import { NamedFiles } from "../../host/disk/named-files.ts";
import type { Input, Output } from "../../protocol/ops.ts";
import { editorCommand, editorUrl } from "../editor.ts";
import type { Asking } from "./admission.ts";
import { untilde } from "./folder.ts";
import type { OpenRequests } from "./open.ts";

interface EditingParts {
  readonly opening: OpenRequests;
  readonly env: NodeJS.ProcessEnv;
  /** The address of a person's own editor, of config.json. */
  readonly editor: string | undefined;
}

export class Editing {
  #files = new NamedFiles();
  #opening: OpenRequests;
  #env: NodeJS.ProcessEnv;
  #editor: string | undefined;

  constructor({ opening, env, editor }: EditingParts) {
    [this.#opening, this.#env, this.#editor] = [opening, env, editor];
  }

  /** `cwd`: the folder that they were printed in. */
  async named(names: readonly string[], cwd: string): Promise<Output<"find_files">> {
    const all = [...new Set(names)].map((name) => ({ name, path: resolve(cwd, untilde(name)) }));
    const files = await this.#files.among([...new Set(all.map(({ path }) => path))]);
    return { files: all.filter(({ path }) => files.has(path)) };
  }

  async open(place: Input<"edit">, session: Session, caller: Asking): Promise<DeepReadonly<Output<"edit">> | Fault> {
    const { path } = place;
    if (!isAbsolute(path))
      return fault("input.invalid", "the path of a file must be absolute", "Ask find_files for it.");
    if (!(await this.#files.among([path])).has(path))
      return fault("not_found", "there is no such file any more", "It may have been moved or deleted.");
    if (this.#editor !== undefined) return { url: editorUrl(this.#editor, place) };
    const command = editorCommand(this.#env, place);
    const name = `edit ${basename(path)}`.replace(/\p{Cc}/gu, "?").slice(0, 100);
    const { cwd } = session.info();
    const opened = await this.#opening.open({ command, name, cwd, integrate: false, lazy: false }, caller, {
      as: "passing",
    });
    return isFault(opened) ? opened : { session: opened.info() };
  }
}
