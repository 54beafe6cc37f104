// What needs the person in other sessions, while they are attached to one. Owns: the last list, and that each need is told once.
// What is there at first is counted, and is not news.
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../../client/client.ts";
import type { Need, TerminalNotice } from "../../../protocol/words/need.ts";
import { noticeBytes, type Pane, paneBytes, paneIn, paneRestored } from "./outward.ts";

/** While there is no daemon, the socket says so; we ask again. */
const RETRY_MS = 1_000;
const WAIT_MS = 25_000;

/** Each is a sound or a window of the terminal's; the line has the number of all. */
const AT_ONCE_MAX = 3;
/** One that comes back within so many others is not told again. */
const TOLD_MAX = 1_000;

interface ElsewhereParts {
  readonly client: Client;
  readonly session_id: string;
  readonly label: string;
  /** The next one first: after those of this session in the list, then from its beginning. */
  changed(needs: readonly Need[]): void;
}

export class Elsewhere {
  #parts: ElsewhereParts;
  #pane: Pane = paneIn(process.env);
  #told: Set<string> | undefined;
  #leave = new AbortController();

  constructor(parts: ElsewhereParts) {
    this.#parts = parts;
  }

  async follow(): Promise<void> {
    const { client } = this.#parts;
    const { signal } = this.#leave;
    let since = 0;
    while (!signal.aborted) {
      try {
        const { seq } = await client.news({ since, timeout_ms: since === 0 ? 0 : WAIT_MS }, { signal });
        since = seq;
        const { needs, notify } = await client.needs({ hosts: "all" }, { signal });
        this.#take(needs, notify);
      } catch {
        // The daemon is away, or refuses: the line then shows what was so.
        since = 0;
        await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  stop(): void {
    this.#leave.abort();
    process.stdout.write(paneRestored(this.#pane));
  }

  #take(all: readonly Need[], how: readonly TerminalNotice[]): void {
    if (this.#leave.signal.aborted) return;
    const { session_id, label } = this.#parts;
    const here = all.findLastIndex((need) => need.session_id === session_id) + 1;
    const needs = [...all.slice(here), ...all.slice(0, here)].filter((need) => need.session_id !== session_id);
    const news = this.#told ? needs.filter(({ tag }) => !this.#told?.has(tag)) : [];
    const tags = needs.map(({ tag }) => tag);
    this.#told = new Set([...(this.#told ?? []), ...tags].slice(-Math.max(TOLD_MAX, tags.length)));
    this.#parts.changed(needs);
    const bytes =
      news
        .slice(0, AT_ONCE_MAX)
        .map((need) => noticeBytes(need, how, this.#pane))
        .join("") + paneBytes(needs, label, this.#pane);
    if (bytes !== "") process.stdout.write(bytes);
  }
}
