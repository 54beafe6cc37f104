// Commands that ran before, of all sessions, each once: to search in, to go back through, or to suggest one from. Pure. Refuses:
// to keep anything; the blocks of the sessions are the history.
import type { HistoryFilter, HistoryUse } from "../../protocol/ops/blocks.ts";
import { fitOf, kindOf, LETTERS_KIND } from "../../protocol/plain/fuzzy.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import { deceives } from "../base/invisible.ts";
import { isStopped } from "../base/stopped.ts";
import type { Block } from "./block.ts";

/** How many runs one question looks at: twice what 50 busy sessions have. */
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
  /** A person's own shell, in no box: what it says of folders is believed. */
  readonly isOwn: boolean;
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

/** A command, and where it ran. */
interface Run {
  readonly block: Block;
  readonly cmd: string;
  readonly session_id: string;
  /** Null: nobody believes it. */
  readonly cwd: string | null;
  readonly isHere: boolean;
}

interface Use {
  /** The kind of the match; undefined: none. */
  fits(text: string, cmd: string): number | undefined;
  /** These come before others that match as well. */
  isNear(run: Run, here: Here): boolean;
  mayOffer(run: Run, only: readonly HistoryFilter[]): boolean;
}

// Lines that a person entered are offered everywhere. What only a shell's marks claim may be anybody's: it stays in its session.
const USES: Readonly<Record<HistoryUse, Use>> = {
  search: {
    fits: (text, cmd) => kindOf(fitOf(text, cmd)),
    isNear: () => true,
    mayOffer: ({ block }, only) => block.entered === true || only.includes("session"),
  },
  recall: {
    fits: (text, cmd) => (cmd.startsWith(text) && cmd !== text ? 0 : undefined),
    isNear: ({ isHere }) => isHere,
    mayOffer: ({ block, isHere }) => block.entered === true || (isHere && isPerson(block.actor)),
  },
  // It is offered without a question and without a word on where it is from: only what the owner ran, and only what looks as it is.
  suggest: {
    fits: (text, cmd) => (cmd.startsWith(text) && cmd !== text ? 0 : undefined),
    isNear: ({ cwd }, here) => cwd !== null && cwd === here.cwd,
    mayOffer: ({ block: { entered, exit_code }, cmd }) =>
      entered === true && !NOT_FOUND.has(exit_code) && !/[\x00-\x1f\x7f]/.test(cmd) && !deceives(cmd),
  },
};

interface Found {
  readonly total: number;
  readonly best: readonly Ran[];
}

/** One command with the run that is shown of it. A higher rank is better; among equals the newest is. */
interface Candidate {
  readonly block: Block;
  readonly session_id: string;
  readonly kind: number;
  readonly rank: number;
}

/** The best first. Among commands that match equally: near ones, then people's own, then the newest. */
export function historyOf(sessions: readonly SessionRuns[], query: HistoryQuery, here: Here, limit: number): Found {
  const use = USES[query.use];
  // Null: it does not match.
  const found = new Map<string, Candidate | null>();
  eachRun(sessions, here, (run) => {
    const { block, cmd, session_id } = run;
    const known = found.get(cmd);
    if (known === null) return;
    if (!isWanted(run, query.only, here) || !use.mayOffer(run, query.only)) return;
    const kind = known?.kind ?? use.fits(query.text, cmd);
    if (kind === undefined) return void found.set(cmd, null);
    const rank = Number(use.isNear(run, here)) * 2 + Number(isPerson(block.actor));
    const mine = { block, session_id, kind, rank };
    if (!known || compare(mine, known) < 0) found.set(cmd, mine);
  });
  const all = [...found.values()].filter((one) => one !== null);
  const good = all.filter(({ kind }) => kind !== LETTERS_KIND);
  const kept = good.length >= GOOD_ENOUGH ? good : all;
  kept.sort((a, b) => b.kind - a.kind || compare(a, b));
  const best = kept.slice(0, limit).map(({ block, session_id }) => ({ ...block, cmd: block.cmd ?? "", session_id }));
  return { total: kept.length, best };
}

function compare(a: Candidate, b: Candidate): number {
  return b.rank - a.rank || b.block.ts_begin - a.block.ts_begin;
}

function isWanted({ block, cwd, isHere }: Run, only: readonly HistoryFilter[], here: Here): boolean {
  for (const filter of only) {
    if (filter === "folder" && (cwd === null || cwd !== here.cwd)) return false;
    if (filter === "session" && !isHere) return false;
    const hasFailed = (block.state === "failed" || block.state === "lost") && !isStopped(block.exit_code);
    if (filter === "failed" && !hasFailed) return false;
  }
  return true;
}

/** As many runs as we look at, session by session, the newest of each first. No copies: there are thousands. */
function eachRun(sessions: readonly SessionRuns[], here: Here, look: (run: Run) => void): void {
  let left = RUNS_MAX;
  for (const { session_id, blocks, isOwn } of sessions) {
    const isHere = session_id === here.session_id;
    for (let i = blocks.length - 1; i >= 0 && left > 0; i -= 1) {
      left -= 1;
      const block = blocks[i];
      if (!block || block.cmd === null || block.cmd.length > COMMAND_CHARS_MAX) continue;
      look({ block, cmd: block.cmd, session_id, isHere, cwd: isOwn || isHere ? block.cwd : null });
    }
  }
}
