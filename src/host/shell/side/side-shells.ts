// The SideShells port: one hidden shell per session that was asked for completions, kept for a while. Owns: these shells and
// their folder. Refuses: to start one without a box.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { isFault } from "../../../core/base/fault.ts";
import type { SideQuestion, SideShells } from "../../../core/complete/side-shells.ts";
import { changesIn } from "../../../core/complete/state.ts";
import { foldersOf, SideShell } from "./side-shell.ts";

/** Who has stopped writing a line for this long can wait for a new one. Each has a few MB. */
const IDLE_MS_MAX = 120_000;
/** The one that was asked the longest ago goes when there are more. */
const SHELLS_MAX = 16;

/** The box of one hidden shell. */
export interface SideBox {
  readonly prefix: readonly string[];
  /** It shows this folder. */
  shows(cwd: string): boolean;
  /** It is there with all its mounts. */
  made(): void;
  over(): void;
}

interface SideShellsParts {
  /** Where their folders are made. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  unavailable(): string | null;
  box(owner: string, at: { readonly cwd: string; readonly in: string; readonly out: string }): SideBox;
  marker(owner: string): string;
}

interface Kept {
  readonly shell: SideShell;
  readonly box: SideBox;
  /** What it knows of the session's shell. */
  state: string;
  readonly program: string;
  idle: NodeJS.Timeout | undefined;
}

export class BoxedSideShells implements SideShells {
  readonly #parts: SideShellsParts;
  readonly #kept = new Map<string, Kept>();
  readonly #ending = new Set<Promise<void>>();

  constructor(parts: SideShellsParts) {
    this.#parts = parts;
    // An earlier daemon's went with it, because their terminals did.
    fs.rmSync(parts.folder, { recursive: true, force: true });
  }

  get unavailable(): string | null {
    return this.#parts.unavailable();
  }

  isWarm(session_id: string): boolean {
    return this.#kept.get(session_id)?.shell.isOver === false;
  }

  async ask(session_id: string, question: SideQuestion): Promise<string | undefined> {
    const endsAt = performance.now() + question.within_ms;
    const kept = this.#fitting(session_id, question) ?? (await this.#start(session_id, question));
    if (!kept) return undefined;
    const news = changesIn(kept.state, question.state ?? kept.state) ?? "";
    kept.state = question.state ?? kept.state;
    clearTimeout(kept.idle);
    const answer = await kept.shell.ask({ ...question, within_ms: Math.max(1, endsAt - performance.now()) }, news);
    if (answer === undefined) this.end(session_id);
    else kept.idle = setTimeout(() => this.end(session_id), IDLE_MS_MAX).unref();
    // The newest comes last.
    if (this.#kept.delete(session_id) && answer !== undefined) this.#kept.set(session_id, kept);
    return answer;
  }

  end(session_id: string): void {
    const kept = this.#kept.get(session_id);
    if (!kept) return;
    this.#kept.delete(session_id);
    clearTimeout(kept.idle);
    const ending = kept.shell.end().finally(() => {
      kept.box.over();
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
  }

  async dispose(): Promise<void> {
    for (const session_id of [...this.#kept.keys()]) this.end(session_id);
    await Promise.all(this.#ending);
  }

  /** The one that is there, if it knows what the session's shell knows now, or can be told, and sees its folder. */
  #fitting(session_id: string, { state, cwd, program }: SideQuestion): Kept | undefined {
    const kept = this.#kept.get(session_id);
    if (!kept || kept.shell.isOver || kept.program !== program || !kept.box.shows(cwd)) return undefined;
    return state === undefined || state === kept.state || changesIn(kept.state, state) !== null ? kept : undefined;
  }

  async #start(session_id: string, question: SideQuestion): Promise<Kept | undefined> {
    const state = question.state ?? this.#kept.get(session_id)?.state;
    this.end(session_id);
    const oldest = this.#kept.size >= SHELLS_MAX ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.end(oldest);
    if (state === undefined) return undefined;
    const owner = `side_${randomUUID()}`;
    const folder = join(this.#parts.folder, owner);
    const folders = foldersOf(folder);
    for (const path of Object.values(folders)) fs.mkdirSync(path, { recursive: true, mode: 0o700 });
    const { shell: name, program, cwd, within_ms } = question;
    const box = this.#parts.box(owner, { cwd, ...folders });
    const { env } = this.#parts;
    const at = { folder, env, marker: this.#parts.marker(owner), prefix: box.prefix };
    const shell = SideShell.start({ shell: name, program, cwd, state, ...at });
    if (isFault(shell)) {
      box.over();
      return undefined;
    }
    const kept: Kept = { shell, box, state, program, idle: undefined };
    this.#kept.set(session_id, kept);
    const isReady = await shell.ready(within_ms);
    if (isReady) box.made();
    else this.end(session_id);
    return isReady ? kept : undefined;
  }
}
