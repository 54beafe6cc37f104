// One folder of a workspace while tests are planned: what is in it, read once. Owns: its cache.
import { dirOf, join, relative, resolve } from "./paths.ts";
import type { Workspace } from "./workspace.ts";

export class Folder {
  /** Absolute. */
  readonly path: string;
  readonly #ws: Workspace;
  readonly #texts = new Map<string, Promise<string | undefined>>();
  #names: Promise<readonly string[]> | undefined;

  constructor(ws: Workspace, path: string) {
    this.#ws = ws;
    this.path = path;
  }

  /** The folder that was named. Here weaker signs of tests are enough. */
  get isRoot(): boolean {
    return this.path === this.#ws.root;
  }

  get parent(): Folder | undefined {
    return this.path === "/" ? undefined : new Folder(this.#ws, dirOf(this.path));
  }

  within(path: string): Folder {
    return new Folder(this.#ws, resolve(this.path, path));
  }

  names(): Promise<readonly string[]> {
    this.#names ??= this.#ws.list(this.#seen(""));
    return this.#names;
  }

  async has(...names: readonly string[]): Promise<boolean> {
    const here = await this.names();
    return names.some((name) => here.includes(name));
  }

  exists(path: string): Promise<boolean> {
    return this.#ws.exists(this.#seen(path));
  }

  read(path: string): Promise<string | undefined> {
    const text = this.#texts.get(path) ?? this.#ws.read(this.#seen(path));
    this.#texts.set(path, text);
    return text;
  }

  /** An absolute path, written relative to this folder. */
  inner(path: string): string {
    return relative(this.path, path);
  }

  #seen(path: string): string {
    return relative(this.#ws.root, join(this.path, path)) || ".";
  }
}
