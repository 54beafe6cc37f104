// Commands that ran before, of all sessions, each once: to search in, to go back through, or to suggest one from. Pure. Refuses:
// to keep anything; the blocks of the sessions are the history.
import type { HistoryFilter, HistoryUse } from "../../protocol/ops/blocks.ts";
import { fitOf, kindOf, LETTERS } from "../../protocol/plain/fuzzy.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import { deceives } from "../base/invisible.ts";
import { isStopped } from "../base/stopped.ts";
import type { Block } from "./block.ts";

/** How many runs one question looks at: twice what a busy year leaves, and some 20 ms. */
const RUNS_MAX = 20_000;
/** A longer command was made by a program; nobody looks for it. */
const COMMAND_CHARS_MAX = 20_000;
/** Letters that only follow each other say little when this many commands match better. */
const GOOD_ENOUGH = 3;
/** The shell's words for a command that it did not find, or could not start. */
const NOT_FOUND: ReadonlySet<number | null> = new Set([126, 127]);

export interface Ran extends Pick<Block, "block_id" | "actor" | "cwd" | "exit_code" | "state" | "ts_begin"> {
  readonly session_id: string;
  readonly cmd: string;
}

/** One session's commands, oldest first. */
export interface SessionRuns {
  readonly session_id: string;
  readonly blocks: readonly Block[];
}

/** Where the person writes. */
interface Here {
  readonly session_id: string;
  readonly cwd: string | null;
}

export interface HistoryQuery {
  readonly text: string;
  readonly use: HistoryUse;
  readonly only: readonly HistoryFilter[];
}

interface Use {
  /** How well a command matches; undefined: not at all. */
  fits(text: string, cmd: string): number | undefined;
  /** These come before others that match as well. */
  isNear(run: Ran, here: Here): boolean;
  mayOffer(run: Ran): boolean;
}

const USES: Readonly<Record<HistoryUse, Use>> = {
  search: {
    fits: (text, cmd) => fitOf(text, cmd)?.score,
    isNear: () => true,
    mayOffer: () => true,
  },
  recall: {
    fits: (text, cmd) => (cmd.startsWith(text) && cmd !== text ? 0 : undefined),
    isNear: (run, here) => run.session_id === here.session_id,
    mayOffer: () => true,
  },
  // It is offered without a question and without a word on where it is from: only what the owner ran, and only what looks as it is.
  suggest: {
    fits: (text, cmd) => (cmd.startsWith(text) && cmd !== text ? 0 : undefined),
    isNear: (run, here) => run.cwd !== null && run.cwd === here.cwd,
    mayOffer: ({ actor, cmd, exit_code }) =>
      actor === "person" && !NOT_FOUND.has(exit_code) && !/[\x00-\x1f\x7f]/.test(cmd) && !deceives(cmd),
  },
};

/** The best first. Among commands that match equally: near ones, then people's own, then the newest. */
export function historyOf(sessions: readonly SessionRuns[], query: HistoryQuery, here: Here): readonly Ran[] {
  const use = USES[query.use];
  const compare = (a: Ran, b: Ran) =>
    Number(use.isNear(b, here)) - Number(use.isNear(a, here)) ||
    Number(isPerson(b.actor)) - Number(isPerson(a.actor)) ||
    b.ts_begin - a.ts_begin;
  const found = new Map<string, { readonly run: Ran; readonly score: number }>();
  for (const run of newest(sessions)) {
    if (!isWanted(run, query.only, here) || !use.mayOffer(run)) continue;
    const known = found.get(run.cmd);
    if (known) {
      if (compare(run, known.run) < 0) found.set(run.cmd, { ...known, run });
      continue;
    }
    const score = use.fits(query.text, run.cmd);
    if (score !== undefined) found.set(run.cmd, { run, score });
  }
  const all = [...found.values()];
  const good = all.filter(({ score }) => score === 0 || score > LETTERS);
  const kept = good.length >= GOOD_ENOUGH ? good : all;
  const kind = ({ score }: { score: number }) => kindOf({ score, at: [] });
  return kept.sort((a, b) => kind(b) - kind(a) || compare(a.run, b.run)).map(({ run }) => run);
}

function isWanted(run: Ran, only: readonly HistoryFilter[], here: Here): boolean {
  return only.every((filter) => {
    switch (filter) {
      case "folder":
        return run.cwd !== null && run.cwd === here.cwd;
      case "session":
        return run.session_id === here.session_id;
      case "failed":
        return (run.state === "failed" || run.state === "lost") && !isStopped(run.exit_code);
      default:
        return filter satisfies never;
    }
  });
}

/** As many runs as we look at, session by session, the newest of each first. */
function* newest(sessions: readonly SessionRuns[]): Generator<Ran> {
  let looked = 0;
  for (const { session_id, blocks } of sessions)
    for (const block of blocks.toReversed()) {
      looked += 1;
      if (looked > RUNS_MAX) return;
      const { cmd } = block;
      if (cmd !== null && cmd.length <= COMMAND_CHARS_MAX) yield { ...block, cmd, session_id };
    }
}
