// The lines of conversation.jsonl: {"event"}, {"entry"}, {"turn"} or {"thread"}. Reads them back by their shape; a torn line, or one
// that somebody else wrote, is skipped. Pure.

import type { StampedEvent } from "../events.ts";
import type { Entry } from "../history.ts";
import { STEPS_DEFAULT, TIME_LIMIT_DEFAULT_MS } from "../limits.ts";
import { isCount, isRecord, isText, isTextOrNull } from "./shapes.ts";
import { eventOf } from "./transcript-events.ts";

/** The settings of a turn, written again when they change. */
export interface TurnSettings {
  readonly agent: string;
  readonly model: string | null;
  readonly step_by_step: boolean;
  readonly max_steps: number;
  readonly time_limit_ms: number;
}

/** For a turn whose line was lost. */
export const CAREFUL_SETTINGS: Omit<TurnSettings, "agent"> = {
  model: null,
  step_by_step: true,
  max_steps: STEPS_DEFAULT,
  time_limit_ms: TIME_LIMIT_DEFAULT_MS,
};

/** The id under which a hosted agent keeps this conversation. */
export interface Thread {
  readonly agent: string;
  readonly id: string | null;
}

type Line =
  | { readonly event: StampedEvent }
  | { readonly entry: Entry }
  | { readonly turn: TurnSettings }
  | { readonly thread: Thread };

export interface TranscriptLines {
  read(): readonly unknown[];
  append(line: object): void;
}

interface Transcript {
  readonly events: readonly StampedEvent[];
  readonly history: readonly Entry[];
  readonly turn: TurnSettings | null;
  readonly thread: Thread | null;
}

/** An agent that another one followed does not know everything that was said. */
export function threadAfter(thread: Thread | null, { agent }: TurnSettings): Thread | null {
  return thread?.agent === agent ? thread : null;
}

export function transcriptOf(lines: readonly unknown[]): Transcript {
  const events: StampedEvent[] = [];
  const history: Entry[] = [];
  let turn: TurnSettings | null = null;
  let thread: Thread | null = null;
  for (const line of lines.map(lineOf)) {
    if (!line) continue;
    if ("event" in line) {
      // A repeated number is a foreign line, because readers rely on the order.
      if (line.event.seq > (events.at(-1)?.seq ?? 0)) events.push(line.event);
    } else if ("entry" in line) history.push(line.entry);
    else if ("thread" in line) thread = line.thread;
    else {
      turn = line.turn;
      thread = threadAfter(thread, turn);
    }
  }
  return { events, history, turn, thread };
}

function lineOf(value: unknown): Line | undefined {
  if (!isRecord(value)) return undefined;
  const event = eventOf(value.event);
  if (event) return { event };
  const entry = entryOf(value.entry);
  if (entry) return { entry };
  const turn = turnOf(value.turn);
  if (turn) return { turn };
  const thread = threadOf(value.thread);
  return thread && { thread };
}

function entryOf(value: unknown): Entry | undefined {
  if (!isRecord(value) || !isText(value.text)) return undefined;
  const { role, text, calls, call_id, tool, ok, again } = value;
  if (role === "person") return { role, text };
  if (role === "agent" && Array.isArray(calls)) {
    const known = calls.flatMap((call: unknown) =>
      isRecord(call) && isText(call.id) && isText(call.tool) ? [{ id: call.id, tool: call.tool, args: call.args }] : [],
    );
    return { role, text, calls: known };
  }
  if (role !== "observation" || !isText(call_id) || !isText(tool) || typeof ok !== "boolean") return undefined;
  return { role, call_id, tool, ok, text, again: isText(again) ? again : null };
}

function turnOf(value: unknown): TurnSettings | undefined {
  if (!isRecord(value)) return undefined;
  const { agent, model, step_by_step, max_steps, time_limit_ms } = value;
  if (!isText(agent) || !isTextOrNull(model) || typeof step_by_step !== "boolean") return undefined;
  if (!isCount(max_steps) || !isCount(time_limit_ms)) return undefined;
  return { agent, model, step_by_step, max_steps, time_limit_ms };
}

function threadOf(value: unknown): Thread | undefined {
  if (!isRecord(value)) return undefined;
  const { agent, id } = value;
  return isText(agent) && isTextOrNull(id) ? { agent, id } : undefined;
}
