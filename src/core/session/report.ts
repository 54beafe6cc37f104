// A session and its screen in the shape that every surface shows.

import type { Selected, ZoneSpan } from "../../protocol/ops/screen.ts";
import type { SessionInfo, SessionState } from "../../protocol/ops/session.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import type { Nested } from "../../protocol/words/program.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import type { Hold } from "../gate/hold.ts";
import type { Policy } from "../gate/policy.ts";
import type { Meta, NestedShell } from "../journal/store.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Commands } from "./commands.ts";
import type { End } from "./life.ts";
import type { Facts, Playback } from "./playback.ts";

/** For programs that do not mark their commands. */
const NONE = "none" as const;

export interface SeeOptions {
  readonly scrollback: number;
  readonly since_hash?: string | undefined;
  readonly since_seq?: number | undefined;
  /** Only these rows, both included. */
  readonly region?: Region | undefined;
  /** Also what the shell marked in them. */
  readonly zones?: boolean | undefined;
  /** What an agent looks through. */
  readonly eyes?: Redactor | undefined;
}

interface Region {
  readonly from: number;
  readonly to: number;
}

export function screenOf(playback: Playback, options: SeeOptions) {
  const screen = options.eyes ? playback.screen.seenBy(options.eyes) : playback.screen;
  const unchanged = screen.hash === options.since_hash || screen.seq === options.since_seq;
  const state = unchanged ? screen.state() : screen.shown();
  const above = screen.scrollback(unchanged ? 0 : options.scrollback);
  return {
    ...state,
    ...(options.region ? part(state.rows, options.region) : {}),
    ...(unchanged ? { rows: [], unchanged } : {}),
    ...(unchanged ? {} : selectedIn(screen.selected(), options.region)),
    ...(options.zones && !unchanged ? { zones: zonesIn(screen.zones(), options.region) } : {}),
    scrollback: above.lines,
    scrollback_total: above.total,
    cursor_bytes: playback.fed,
  };
}

/** Left out where nothing is selected. */
export function selectedIn(all: readonly Selected[], region: Region | undefined): { selected?: Selected[] } {
  const selected = all.filter(({ row }) => !region || (row >= region.from && row <= region.to));
  return selected.length === 0 ? {} : { selected };
}

/** Rows keep their numbers on the screen. */
export function zonesIn(zones: ZoneSpan[], region: Region | undefined): ZoneSpan[] {
  return region ? zones.filter(({ row }) => row >= region.from && row <= region.to) : zones;
}

function part(rows: readonly string[], { from, to }: Region) {
  const first_row = Math.min(from, rows.length);
  return { rows: rows.slice(first_row, to + 1), first_row };
}

interface ProgramFacts {
  readonly state: SessionState;
  readonly pid: number | null;
  readonly hold: Hold;
  /** A person is asked something about it. */
  readonly asks: boolean;
  readonly policy: Policy;
  readonly viewers: number;
  readonly end: End | undefined;
  readonly branch: string | null;
  readonly worktree: SessionInfo["worktree"];
  readonly raw_granted_until: number | undefined;
}

/** A person's hold has its own reason. Otherwise this says what keeps agents from typing. */
function reasonOf({ hold, asks }: ProgramFacts, waiting: Commands["waitingWatch"]["waiting"]): Hold["reason"] {
  if (isPerson(hold.who)) return hold.reason;
  if (waiting?.kind === "password") return "echo_off";
  return asks ? "approval_pending" : hold.reason;
}

function nestedOf({ id, kind, host, shell, far }: NestedShell, cwd: string | null): Nested {
  return { id, kind, host, cwd, shell, far, guard: "none" };
}

export function sessionInfo(
  meta: Meta,
  seen: Facts,
  program: ProgramFacts,
  { blocks, waitingWatch, agentWatch, nesting }: Commands,
): DeepReadonly<SessionInfo> {
  const unmarked = nesting.offer(waitingWatch.waiting);
  return {
    session_id: meta.session_id,
    name: meta.name,
    state: program.state,
    command: meta.command,
    cwd: blocks.own.cwd ?? meta.cwd,
    branch: program.branch,
    integration: blocks.shell ?? NONE,
    ...(blocks.nested ? { nested: nestedOf(blocks.nested, blocks.nestedCwd) } : {}),
    ...(unmarked ? { unmarked } : {}),
    running: blocks.running ? { block_id: blocks.running.block_id, cmd: blocks.running.cmd } : null,
    waiting: waitingWatch.waiting,
    agent: agentWatch.status?.name ?? meta.agent ?? null,
    agent_session_id: meta.agent_session_id ?? null,
    agent_state: agentWatch.status?.now ?? null,
    box: meta.box ?? null,
    worktree: program.worktree,
    task: meta.task ?? null,
    put_away: meta.put_away ?? false,
    cols: seen.size.cols,
    rows: seen.size.rows,
    sizing: meta.sizing,
    pid: program.pid,
    actor: meta.actor,
    hold: program.hold.who,
    hold_reason: reasonOf(program, waitingWatch.waiting),
    hold_note: program.hold.note,
    policy: program.policy,
    title: seen.title,
    cursor: seen.fed,
    seq: seen.seq,
    viewers: program.viewers,
    created_at: meta.created_at,
    ended_at: program.end?.at ?? null,
    exit_code: program.end?.code ?? null,
    signal: program.end?.signal ?? null,
    ...(meta.recipe?.restored_from ? { restored_from: meta.recipe.restored_from } : {}),
    ...(meta.recipe?.restored_as ? { restored_as: meta.recipe.restored_as } : {}),
    ...(typeof meta.leaves_at === "number" ? { leaves_at: meta.leaves_at } : {}),
    ...(program.raw_granted_until === undefined ? {} : { raw_granted_until: program.raw_granted_until }),
  };
}
