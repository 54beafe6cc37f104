// Where links of a session lead: which names are files, and what opens them. Owns: what the daemon has said of names, for a
// while, and the question that is under way.
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { hostOf } from "../hosts/words.ts";
import { safeAddress } from "../text/links.ts";
import type { Toasts } from "../widgets/toasts.ts";
import { call, isFault } from "../wire/api.ts";
import { asksToOpen } from "./question.ts";

export interface LinksParts {
  readonly toasts: Toasts;
  /** A file was opened in a new session. */
  onOpened(session: SessionInfo): void;
}

interface NamedPlace {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
}

/** Names of cards that are drawn together go in one question. */
const GATHER_MS = 30;
/** As many as the daemon takes at once. */
const NAMES_MAX = 200;
/** A name that is no file now may be one soon. */
const ABSENT_MS = 20_000;
const KNOWN_MAX = 5_000;
/** Of one drawn part. More is a list of files, not of errors. */
const LIGHT_MAX = 500;

interface Known {
  readonly path: string | undefined;
  readonly until: number;
}

export class Following {
  #session: string;
  #parts: LinksParts;
  #known = new Map<string, Known>();
  #asked: Promise<void> | undefined;
  #names = new Map<string, Set<string>>();

  constructor(session: string, parts: LinksParts) {
    [this.#session, this.#parts] = [session, parts];
  }

  /** Makes links of the names that are files. */
  async light(part: Element, cwd: string | null): Promise<void> {
    const all = [...part.querySelectorAll<HTMLElement>("[data-place]:not([role])")].slice(0, LIGHT_MAX);
    const places = all.map((link) => ({ link, ...(JSON.parse(link.dataset.place ?? "") as NamedPlace) }));
    const files = await this.files(
      places.map(({ path }) => path),
      cwd,
    );
    for (const { link, path, line } of places) {
      const file = files.get(path);
      if (file === undefined) continue;
      link.dataset.path = file;
      link.setAttribute("role", "link");
      link.tabIndex = 0;
      link.title = `Open ${file}, line ${line}`;
    }
  }

  /** The absolute paths of those names that are files. `cwd` null: the session's folder. */
  async files(names: readonly string[], cwd: string | null): Promise<ReadonlyMap<string, string>> {
    const folder = cwd ?? "";
    const now = Date.now();
    const isKnown = (name: string) => (this.#known.get(`${folder}\0${name}`)?.until ?? 0) > now;
    for (const name of names) if (!isKnown(name)) this.#want(folder, name);
    while (names.some((name) => this.#names.get(folder)?.has(name))) {
      this.#asked ??= this.#ask();
      await this.#asked;
    }
    const found = names.map((name) => [name, this.#known.get(`${folder}\0${name}`)?.path] as const);
    return new Map(found.flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const])));
  }

  /** A link of an output that was pressed. */
  open(link: HTMLAnchorElement): void {
    const { path, place } = link.dataset;
    if (path !== undefined && place !== undefined) void this.openFile({ ...(JSON.parse(place) as NamedPlace), path });
    else this.openAddress(link.href);
  }

  /** Its text does not say where it leads. */
  openAddress(href: string): void {
    const safe = safeAddress(href);
    if (safe !== undefined) asksToOpen(safe);
  }

  async openFile({ path, line, column }: NamedPlace): Promise<void> {
    const { toasts, onOpened } = this.#parts;
    const host = hostOf(this.#session);
    const answer = await call("edit", { session_id: this.#session, path, line, column });
    if (isFault(answer)) return toasts.fault(answer);
    if (answer.session) onOpened(answer.session);
    else if (host !== undefined)
      toasts.notify(`${host} opens files in an editor of its own. Only somebody there can use it.`);
    else if (answer.url !== undefined) location.assign(answer.url);
  }

  #want(folder: string, name: string): void {
    const names = this.#names.get(folder) ?? new Set();
    this.#names.set(folder, names.add(name));
  }

  /** All that are wanted, one question after another. */
  async #ask(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    for (const [folder, names] of this.#names) {
      const part = [...names].slice(0, NAMES_MAX);
      const where = folder === "" ? {} : { folder };
      const answer = await call("find_files", { session_id: this.#session, names: part, ...where });
      const files = new Map(isFault(answer) ? [] : answer.files.map(({ name, path }) => [name, path]));
      for (const name of part) {
        const path = files.get(name);
        this.#keep(`${folder}\0${name}`, { path, until: path === undefined ? Date.now() + ABSENT_MS : Infinity });
        names.delete(name);
      }
      if (names.size === 0) this.#names.delete(folder);
    }
    this.#asked = undefined;
  }

  #keep(key: string, known: Known): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(key, known);
  }
}
