// Outputs of ended commands, as lines in colour. Owns: the fetched outputs of visible cards, and how many are kept.
// Refuses: to draw, and to read a running one (its output is the live terminal's).
import { type Accessor, createSignal, type Setter, untrack } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Line } from "../text/lines.ts";
import { call, isFault } from "../wire/api.ts";

/** As much of an output as a card shows whole. */
const INLINE_LINES_MAX = 200;
const HEAD_LINES = 20;
const TAIL_LINES = 40;
/** "expand" shows this many lines in the card. The full viewer has the rest. */
export const EXPANDED_LINES_MAX = 2_000;
/** Outputs kept: several times what is drawn, so that scrolling back finds them. */
const BODIES_MAX = 200;
/** Requests at once, because the daemon replays each output. */
const ASKING_MAX = 4;
/** The pause before we ask again for an unreadable output. A restarting daemon is back by then. */
const AGAIN_MS = 2_000;

/** lines: all of it, or its beginning and end. screen: the last screen of a full-screen program. */
export interface Body {
  readonly kind: "lines" | "screen";
  readonly head: readonly Line[];
  readonly tail: readonly Line[];
  readonly total: number;
  readonly after: After | undefined;
}

/** What was printed after the command, though nothing ran: by background jobs, for example. */
export interface After {
  readonly jobs: readonly string[];
  /** The last ones. */
  readonly lines: readonly Line[];
  readonly total: number;
}

export interface Frozen {
  /** Undefined until it has arrived. `want` asks for it. */
  body(id: string): Body | undefined;
  /** Called while a card is visible. */
  want(block: Block): void;
  unwant(id: string): void;
  /** More was printed after it. */
  renewAfter(id: string): void;
  /** Outputs that visible cards still lack. Undefined until the first request. */
  readonly lacking: Accessor<number | undefined>;
  /** Up to EXPANDED_LINES_MAX lines in the card. */
  expand(block: Block): Promise<void>;
}

interface Kept {
  readonly get: Accessor<Body | undefined>;
  readonly set: Setter<Body | undefined>;
  asked: boolean;
  failed: boolean;
}

export function createFrozen(onFault: (message: string) => void): Frozen {
  const wanted = new Map<string, Block>();
  const bodies = createBodies((id) => wanted.has(id));
  const [lacking, setLacking] = createSignal<number>();
  const renewal = createRenewal(bodies);
  let asking = 0;

  const count = () => setLacking([...wanted.keys()].filter((id) => untrack(bodies.of(id).get) === undefined).length);

  /** The most recently seen come first, because they are visible now. */
  function pump(): void {
    for (const block of [...wanted.values()].reverse()) {
      if (asking >= ASKING_MAX) return;
      const own = bodies.of(block.block_id);
      if (own.asked) continue;
      own.asked = true;
      asking += 1;
      void fetchBody(block).then((body) => {
        asking -= 1;
        if (typeof body !== "string") renewal.arrived(block.block_id, body);
        else failed(block.block_id, body);
        count();
        pump();
      });
    }
  }

  /** We ask again while it is visible, and report the failure once. */
  function failed(id: string, message: string): void {
    const own = bodies.of(id);
    if (!own.failed) onFault(message);
    own.failed = true;
    setTimeout(() => {
      own.asked = false;
      pump();
    }, AGAIN_MS);
  }

  return {
    body: (id) => bodies.of(id).get(),
    want(block) {
      wanted.delete(block.block_id);
      wanted.set(block.block_id, { ...block });
      count();
      pump();
    },
    unwant(id) {
      if (wanted.delete(id)) count();
    },
    renewAfter: (id) => void renewal.renew(id),
    lacking,
    async expand(block) {
      const lines = await readLines(block.block_id, 0, EXPANDED_LINES_MAX - 1);
      if (typeof lines === "string") return onFault(lines);
      const { lines: head, total, after } = lines;
      bodies.keep(block.block_id, { kind: "lines", head, tail: [], total, after });
    },
  };
}

/** Fetches again what was printed after a command. */
function createRenewal(bodies: ReturnType<typeof createBodies>) {
  /** More was printed after these while their outputs were on their way. */
  const stale = new Set<string>();

  async function renew(id: string): Promise<void> {
    if (!untrack(bodies.of(id).get)) {
      if (bodies.of(id).asked) stale.add(id);
      return;
    }
    const read = await readLines(id, 0, 0);
    const body = untrack(bodies.of(id).get);
    if (typeof read !== "string" && body) bodies.keep(id, { ...body, after: read.after });
  }

  return {
    renew,
    arrived(id: string, body: Body): void {
      bodies.keep(id, body);
      if (stale.delete(id)) void renew(id);
    },
  };
}

/** The fetched outputs. The oldest go first. A drawn card keeps its signal, so only the signal's content goes. */
function createBodies(isWanted: (id: string) => boolean) {
  const bodies = new Map<string, Kept>();
  const filled = new Set<string>();

  function of(id: string): Kept {
    const known = bodies.get(id);
    if (known) return known;
    const [get, set] = createSignal<Body>();
    const made = { get, set, asked: false, failed: false };
    bodies.set(id, made);
    return made;
  }

  function keep(id: string, body: Body): void {
    of(id).set(body);
    of(id).failed = false;
    filled.delete(id);
    filled.add(id);
    for (const old of filled) {
      if (filled.size <= BODIES_MAX) return;
      if (isWanted(old)) continue;
      filled.delete(old);
      of(old).set(undefined);
      of(old).asked = false;
    }
  }

  return { of, keep };
}

/** A string says what went wrong. */
async function fetchBody({ block_id, alt_screen_used }: Block): Promise<Body | string> {
  const first = await readLines(block_id, 0, INLINE_LINES_MAX - 1);
  if (typeof first === "string") return first;
  const { lines, total, after } = first;
  if (alt_screen_used && lines.every((line) => line.length === 0)) return fetchScreen(block_id, after);
  if (total <= INLINE_LINES_MAX) return { kind: "lines", head: lines, tail: [], total, after };
  const last = await readLines(block_id, total - TAIL_LINES, total - 1);
  if (typeof last === "string") return last;
  return { kind: "lines", head: lines.slice(0, HEAD_LINES), tail: last.lines, total, after };
}

async function fetchScreen(block_id: string, after: After | undefined): Promise<Body | string> {
  const answer = await call("block", { block_id, format: "screen" });
  if (isFault(answer)) return answer.message;
  const rows = answer.runs ?? [];
  const used = rows.findLastIndex((row) => row.length > 0) + 1;
  return { kind: "screen", head: rows.slice(0, used), tail: [], total: used, after };
}

/** Both ends included. */
export async function readLines(
  block_id: string,
  from: number,
  to: number,
): Promise<{ lines: readonly Line[]; total: number; after: After | undefined } | string> {
  const answer = await call("block", { block_id, format: "runs", lines: `${from}:${to}` });
  if (isFault(answer)) return answer.message;
  const { runs = [], lines_total = 0, after } = answer;
  return {
    lines: runs,
    total: lines_total,
    after: after && { jobs: after.jobs, lines: after.runs ?? [], total: after.lines_total },
  };
}
