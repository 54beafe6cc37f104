// The whole output of one command, however long. It is fetched in pages where a person reads, and searched as text. Owns: the pages
// that are kept and the matches.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { findIn } from "../text/finding.ts";
import { type Hit, hitsIn, type Line } from "../text/lines.ts";
import type { SearchKind } from "../widgets/pattern-button.tsx";
import { call, isFault } from "../wire/api.ts";
import { readLines } from "./frozen.ts";
import { readText, TEXT_LINES_MAX } from "./outputs.ts";

const PAGE_LINES = 500;
/** Some screens around the place where a person reads. */
const PAGES_MAX = 20;
/** Nobody steps through more. */
const FOUND_MAX = 10_000;
/** The longest search with a slow pattern. After this we show the matches found so far. */
const FIND_MS_MAX = 500;

interface Found extends Hit {
  readonly line: number;
}

export interface FullOutput {
  readonly total: Accessor<number | undefined>;
  line(index: number): Line | undefined;
  /** The visible lines, both ends included. */
  look(from: number, to: number): void;
  readonly found: Accessor<readonly Found[]>;
  hits(line: number): readonly Hit[];
  /** The index of the selected match. */
  readonly at: Accessor<number>;
  find(text: string, kind: SearchKind): Promise<void>;
  /** Why a pattern is refused. */
  readonly refused: Accessor<string | undefined>;
  turn(by: 1 | -1): void;
  /** Not all lines were searched. */
  readonly isCut: Accessor<boolean>;
}

export function createFullOutput(block: Block, onFault: (message: string) => void): FullOutput {
  const pages = new Map<number, readonly Line[] | "asked">();
  const [version, setVersion] = createSignal(0);
  const [total, setTotal] = createSignal<number>();
  const search = createSearch(block.block_id, onFault);

  async function fetchPage(page: number): Promise<void> {
    pages.set(page, "asked");
    const from = page * PAGE_LINES;
    const answer = await readLines(block.block_id, from, from + PAGE_LINES - 1);
    if (typeof answer === "string") {
      pages.delete(page);
      return onFault(answer);
    }
    const screen = answer.total === 0 && block.alt_screen_used ? await lastScreen(block.block_id) : undefined;
    pages.set(page, screen ?? answer.lines);
    for (const old of pages.keys()) if (pages.size > PAGES_MAX && old !== page) pages.delete(old);
    setTotal(screen?.length ?? answer.total);
    setVersion((now) => now + 1);
  }

  return {
    total,
    line(index) {
      version();
      const page = pages.get(Math.floor(index / PAGE_LINES));
      return page === undefined || page === "asked" ? undefined : page[index % PAGE_LINES];
    },
    look(from, to) {
      for (let page = Math.floor(from / PAGE_LINES); page <= Math.floor(to / PAGE_LINES); page += 1)
        if (!pages.has(page)) void fetchPage(page);
    },
    ...search,
    isCut: () => search.isCut() || (total() ?? 0) > TEXT_LINES_MAX,
  };
}

function createSearch(block_id: string, onFault: (message: string) => void) {
  const [found, setFound] = createSignal<readonly Found[]>([]);
  const [at, setAt] = createSignal(0);
  const [refused, setRefused] = createSignal<string>();
  const [isCut, setIsCut] = createSignal(false);
  const leave = new AbortController();
  onCleanup(() => leave.abort());
  let text: ReturnType<typeof readText> | undefined;
  let asked = 0;
  let byLine = new Map<number, Hit[]>();

  async function find(query: string, kind: SearchKind): Promise<void> {
    asked += 1;
    const mine = asked;
    const what = await findIn(query, kind, "insensitive");
    if (mine !== asked) return;
    setRefused(isFault(what) ? `${what.message}. ${what.hint}` : undefined);
    if (isFault(what)) return;
    text ??= readText(block_id, leave.signal);
    const read = await text;
    if (leave.signal.aborted || mine !== asked) return;
    if (typeof read === "string") {
      text = undefined;
      return onFault(read);
    }
    const places: Found[] = [];
    byLine = new Map();
    const until = performance.now() + FIND_MS_MAX;
    let isLate = false;
    for (const [line, own] of (query === "" ? [] : read.lines).entries()) {
      const hits = hitsIn(own, what);
      if (hits.length > 0) byLine.set(line, hits);
      for (const hit of hits) places.push({ line, ...hit });
      isLate = performance.now() > until;
      if (isLate || places.length >= FOUND_MAX) break;
    }
    setIsCut(isLate);
    setAt(0);
    setFound(places);
  }

  return {
    found,
    ...{ at, find, refused, isCut },
    hits(line: number): readonly Hit[] {
      found();
      return byLine.get(line) ?? [];
    },
    turn(by: 1 | -1) {
      const count = found().length;
      if (count > 0) setAt((now) => (now + by + count) % count);
    },
  };
}

async function lastScreen(block_id: string): Promise<readonly Line[] | undefined> {
  const answer = await call("block", { block_id, format: "screen" });
  return isFault(answer) ? undefined : answer.runs;
}
