// A session and its screen in the shape that every surface shows.
import type { Meta } from "../journal/store.ts";
import type { Size } from "../pty/pty.ts";
import type { End, SessionState } from "./life.ts";
import type { Stage } from "./stage.ts";

export interface SeeOptions {
  readonly scrollback: number;
  readonly since_hash?: string | undefined;
  readonly since_seq?: number | undefined;
  /** Only these rows, both included. */
  readonly region?: { readonly from: number; readonly to: number } | undefined;
}

export function screenOf(stage: Stage, options: SeeOptions) {
  const { hash, seq } = stage.screen;
  const unchanged = hash === options.since_hash || seq === options.since_seq;
  const screen = unchanged ? stage.screen.state() : stage.screen.shown();
  const above = stage.screen.scrollback(unchanged ? 0 : options.scrollback);
  return {
    ...screen,
    ...(options.region ? part(screen.rows, options.region) : {}),
    ...(unchanged ? { rows: [], unchanged } : {}),
    scrollback: above.lines,
    scrollback_total: above.total,
    cursor_bytes: stage.fed,
  };
}

function part(rows: readonly string[], { from, to }: { from: number; to: number }) {
  const first_row = Math.min(from, rows.length);
  return { rows: rows.slice(first_row, to + 1), first_row };
}

export interface Facts {
  readonly size: Size;
  readonly title: string;
  readonly seq: number;
  readonly fed: number;
}

export interface ProgramFacts {
  readonly state: SessionState;
  readonly pid: number | null;
  readonly hold: string;
  readonly viewers: number;
  readonly end: End | undefined;
}

export function sessionInfo(meta: Meta, seen: Facts, program: ProgramFacts) {
  return {
    session_id: meta.session_id,
    name: meta.name,
    state: program.state,
    command: [...meta.command],
    cwd: meta.cwd,
    cols: seen.size.cols,
    rows: seen.size.rows,
    sizing: meta.sizing,
    pid: program.pid,
    actor: meta.actor,
    hold: program.hold,
    title: seen.title,
    cursor: seen.fed,
    seq: seen.seq,
    viewers: program.viewers,
    created_at: meta.created_at,
    ended_at: program.end?.at ?? null,
    exit_code: program.end?.code ?? null,
    signal: program.end?.signal ?? null,
  };
}
