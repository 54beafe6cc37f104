// Which column of the board a session stands in, and in what order. Pure.
import { marked } from "../../src/core/base/invisible.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { Need } from "../../src/protocol/words/need.ts";

export const COLUMNS = ["waiting", "working", "ready", "failed", "away"] as const;
export type Column = (typeof COLUMNS)[number];

export const TITLES: Readonly<Record<Column, string>> = {
  waiting: "Waiting for you",
  working: "Working",
  ready: "Ready to look at",
  failed: "Failed",
  away: "Put away",
};

export type Boarded = Pick<
  SessionInfo,
  | "session_id"
  | "state"
  | "agent"
  | "agent_state"
  | "waiting"
  | "running"
  | "integration"
  | "created_at"
  | "ended_at"
  | "worktree"
  | "task"
  | "put_away"
  | "restored_as"
>;
type Asked = Pick<Need, "kind" | "why" | "since">;

interface Place {
  readonly column: Column;
  /** Lower stands higher: somebody who is blocked comes before somebody who is idle. */
  readonly rank: number;
  readonly since: number;
  /** What it waits for or what became of it, in one line; empty when the column says all. */
  readonly why: string;
}

/**
 * Undefined for a session that is nobody's task: no task was given, it has no tree of its own, and no agent CLI runs in it. And
 * for one that was restored: the new one stands for it.
 */
export function placeOf(session: Boarded, needs: readonly Asked[] = []): Place | undefined {
  const { state, agent, agent_state, worktree, task, restored_as } = session;
  if ((!task && !worktree && agent === null) || restored_as !== undefined) return undefined;
  const since = agent_state?.since ?? session.ended_at ?? session.created_at;
  const why = marked(agent_state?.why ?? "");
  const at = (column: Column, more: Partial<Place> = {}): Place => ({ column, rank: 0, since, why: "", ...more });
  if (session.put_away) return at("away");
  if (agent_state?.state === "error") return at("failed", { why });
  if (state === "failed" || state === "lost") return at("failed");
  const need = needs.find(({ kind }) => kind !== "done" && kind !== "failed");
  if (need) return at("waiting", { why: marked(need.why), since: need.since });
  if (agent_state?.state === "blocked") return at("waiting", { why });
  if (state === "done") return at("ready", hasDiff(session) ? {} : { why: unchanged(session) });
  if (isAtWork(session)) return at("working");
  if (hasDiff(session)) return at("ready");
  return at("waiting", { rank: 1, why: "idle, nothing changed" });
}

/** Files differ from where its branch began, committed or not. */
export function hasDiff({ worktree }: Pick<Boarded, "worktree">): boolean {
  return worktree !== null && worktree.changed + worktree.ahead > 0;
}

function unchanged({ worktree }: Boarded): string {
  return worktree ? "ended without a change" : "ended";
}

/** An agent CLI says so itself. A shell works while a command runs, and any other program until it asks for something. */
function isAtWork({ state, agent_state, integration, running, waiting }: Boarded): boolean {
  if (state === "pending" || state === "provisioning") return true;
  if (agent_state && agent_state.state !== "unknown") return /^(?:starting|working)$/.test(agent_state.state);
  if (waiting !== null) return false;
  return integration === "none" || running !== null;
}

export interface Card<S> {
  readonly session: S;
  readonly place: Place;
}

/** All columns with their cards: the rank decides, then who stands there longest. */
export function columnsOf<S extends Boarded>(
  sessions: readonly S[],
  needsOf: (session_id: string) => readonly Asked[],
): Readonly<Record<Column, readonly Card<S>[]>> {
  const columns: Record<Column, Card<S>[]> = { waiting: [], working: [], ready: [], failed: [], away: [] };
  for (const session of sessions) {
    const place = placeOf(session, needsOf(session.session_id));
    if (place) columns[place.column].push({ session, place });
  }
  for (const column of COLUMNS) columns[column].sort(byRankAndAge);
  return columns;
}

function byRankAndAge<S extends Boarded>(a: Card<S>, b: Card<S>): number {
  return (
    a.place.rank - b.place.rank ||
    a.place.since - b.place.since ||
    (a.session.session_id < b.session.session_id ? -1 : 1)
  );
}

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** Where an arrow leads from a card: up and down in its column, left and right to the next column that has cards. */
export function stepFrom(
  columns: readonly (readonly string[])[],
  from: string | undefined,
  arrow: Arrow,
): string | undefined {
  const filled = columns.filter((ids) => ids.length > 0);
  const column = filled.findIndex((ids) => ids.includes(from ?? ""));
  const ids = filled[column];
  if (!ids) return filled[0]?.[0];
  const row = ids.indexOf(from ?? "");
  if (arrow === "ArrowUp" || arrow === "ArrowDown") return ids[row + (arrow === "ArrowUp" ? -1 : 1)] ?? from;
  const beside = filled[column + (arrow === "ArrowLeft" ? -1 : 1)];
  return beside?.[Math.min(row, beside.length - 1)] ?? from;
}

/** The tasks in a text: the whole of it, or one from each line. */
export function tasksIn(text: string, by: "all" | "line"): string[] {
  const parts = by === "line" ? text.split("\n") : [text];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
