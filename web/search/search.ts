// Finds text in what sessions printed. Owns: the query, its answer so far, and that an older answer never replaces a newer
// one. Also asks which commands contain the matches, so that a person can go there.
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Call, Output } from "../../src/protocol/ops.ts";
import { findIn } from "../text/finding.ts";
import type { SearchKind } from "../widgets/pattern-button.tsx";
import { call, type Fault, isFault } from "../wire/api.ts";
import { COMMANDS_MAX, commandsSince } from "../wire/commands.ts";

/** A person who types on gets one answer, not one per letter. */
const REST_MS = 180;
const MATCHES_PER_ANSWER = 100;
/** How many sessions with matches are asked for their commands. */
const SESSIONS_ASKED_MAX = 20;

export type SearchScope = "session" | "everywhere";
type Match = Output<"search">["matches"][number];

interface Found {
  readonly matches: readonly Match[];
  readonly next: string | null;
  /** Machines that were not searched. */
  readonly missing: readonly string[];
  /** A machine has more than it told. */
  readonly truncated: boolean;
  /** The query of this answer. The current query may be another one. */
  readonly query: string;
}

export interface Search {
  readonly query: Accessor<string>;
  setQuery(query: string): void;
  readonly scope: Accessor<SearchScope>;
  setScope(scope: SearchScope): void;
  readonly letters: Accessor<"sensitive" | "insensitive">;
  setLetters(letters: "sensitive" | "insensitive"): void;
  readonly kind: Accessor<SearchKind>;
  setKind(kind: SearchKind): void;
  readonly found: Accessor<Found | undefined>;
  readonly fault: Accessor<Fault | undefined>;
  readonly looking: Accessor<boolean>;
  more(): void;
  /** The command that printed it, or whose prompt contains it. */
  blockOf(match: Match): Block | undefined;
}

/** `others`: how many other machines there are. */
export function createSearch(shown: Accessor<string | undefined>, others: Accessor<number>): Search {
  const [query, setQuery] = createSignal("");
  const [scope, setScope] = createSignal<SearchScope>("session");
  const [letters, setLetters] = createSignal<"sensitive" | "insensitive">("insensitive");
  const [kind, setKind] = createSignal<SearchKind>("text");
  const [found, setFound] = createSignal<Found>();
  const [fault, setFault] = createSignal<Fault>();
  const [looking, setLooking] = createSignal(false);
  const [blocks, setBlocks] = createSignal<ReadonlyMap<string, readonly Block[]>>(new Map());
  let leave = new AbortController();

  async function look(after?: string): Promise<void> {
    leave.abort();
    leave = new AbortController();
    const { signal } = leave;
    const [asked, session] = [query(), scope() === "session" ? shown() : undefined];
    // Half a pattern is often invalid. The daemon need not report that.
    const judged = await findIn(asked, kind(), letters());
    if (signal.aborted) return;
    setLooking(!isFault(judged));
    if (isFault(judged)) return void setFault(judged);
    const how = { query: asked, regex: kind() === "pattern", case: letters(), limit: MATCHES_PER_ANSWER };
    for (const where of wheresOf(session, after, others())) {
      const answer = await call("search", { ...how, ...where }, signal);
      if (signal.aborted) return;
      setFault(isFault(answer) ? answer : undefined);
      if (isFault(answer)) break;
      const all = joined(after === undefined ? undefined : found(), answer, asked);
      const known = await commandsOf(all.matches, signal);
      if (signal.aborted) return;
      setBlocks(known);
      setFound(all);
    }
    setLooking(false);
  }

  createEffect(
    on([query, scope, letters, kind, () => (scope() === "session" ? shown() : "")], ([text]) => {
      leave.abort();
      setLooking(text.trim() !== "");
      setFault(undefined);
      if (text.trim() === "") return void setFound(undefined);
      const timer = setTimeout(() => void look(), REST_MS);
      onCleanup(() => clearTimeout(timer));
    }),
  );
  onCleanup(() => leave.abort());
  return {
    ...{ query, setQuery, scope, setScope, letters, setLetters, kind, setKind, found, fault, looking },
    more() {
      const next = found()?.next;
      if (next) void look(next);
    },
    blockOf: (match) => blockAt(blocks().get(match.session_id) ?? [], match.cursor),
  };
}

/** The answer after what was found before. */
function joined(before: Found | undefined, answer: Output<"search">, query: string): Found {
  return {
    matches: [...(before?.matches ?? []), ...answer.matches],
    next: answer.next,
    missing: before?.missing ?? answer.missing ?? [],
    truncated: answer.truncated || (before?.truncated ?? false),
    query,
  };
}

/** In one session, or in all of all machines: first here, because others may take seconds. Only this machine tells them page by page. */
function wheresOf(
  session_id: string | undefined,
  after: string | undefined,
  others: number,
): readonly Partial<Call<"search">>[] {
  if (session_id !== undefined) return [{ session_id, ...(after !== undefined && { after }) }];
  if (after !== undefined) return [{ after }];
  return others > 0 ? [{}, { hosts: "all" }] : [{}];
}

/** The commands of the sessions with matches. */
async function commandsOf(matches: readonly Match[], signal: AbortSignal): Promise<Map<string, readonly Block[]>> {
  const ids = [...new Set(matches.map(({ session_id }) => session_id))].slice(0, SESSIONS_ASKED_MAX);
  const asked = ids.map(async (session_id) => {
    const cursors = matches.filter((match) => match.session_id === session_id).map(({ cursor }) => cursor);
    return [session_id, await commandsSince(session_id, Math.min(...cursors), signal)] as const;
  });
  return new Map(await Promise.all(asked));
}

/** Between two outputs are the prompt and the line of the later command. */
function blockAt(blocks: readonly Block[], cursor: number): Block | undefined {
  const [first] = blocks;
  // Text before the first known command may belong to another one.
  if (!first || (cursor <= first.cursor_begin && blocks.length >= COMMANDS_MAX)) return undefined;
  return blocks.find(({ cursor_end }) => cursor_end === null || cursor <= cursor_end);
}
