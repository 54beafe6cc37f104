// Waits, driven by what happens and never by polling. Owns: the pending waits of one session.
// An outcome is always given once; a deadline is an outcome, not an error.
import type { Clock } from "../base/clock.ts";
import { type Fault, fault } from "../base/fault.ts";
import { Seen, type Sight } from "./seen.ts";

export type Condition =
  | { text: string }
  | { regex: string }
  | { change: true }
  | { settled_ms: number }
  | { exit: true };

export interface WaitSpec {
  readonly any: readonly Condition[];
  readonly stop?: readonly Condition[] | undefined;
  readonly timeout_ms: number;
}

export type Outcome = "matched" | "stop" | "deadline" | "exited" | "cancelled";

export interface WaitResult {
  readonly outcome: Outcome;
  readonly matched: string | null;
  readonly matched_at_entry: boolean;
}

/** The caller may go away before the outcome. */
export interface Gone {
  cancelled(run: () => void): void;
}

interface Pattern {
  readonly key: string;
  readonly find: (text: string) => string | undefined;
}

interface Pending {
  readonly any: readonly Pattern[];
  readonly stop: readonly Pattern[];
  readonly onChange: boolean;
  readonly onExit: boolean;
  readonly settledMs: number | undefined;
  readonly seen: Seen;
  readonly atEntry: boolean;
  cancelSettled: (() => void) | undefined;
  settle(outcome: Outcome, matched: string | null): void;
}

export class Waits {
  #clock: Clock;
  #pending = new Set<Pending>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `from` is the sight against which "new" is judged: the screen at the call, or before the input it follows. */
  begin(spec: WaitSpec, from: Sight, gone?: Gone): Promise<WaitResult> | Fault {
    const any = patterns(spec.any);
    const stop = patterns(spec.stop ?? []);
    if ("fault" in any) return any;
    if ("fault" in stop) return stop;
    const atEntry = any.some((pattern) => from.rows.some((row) => pattern.find(row) !== undefined));
    return new Promise((resolve) => {
      const pending: Pending = {
        any,
        stop,
        atEntry,
        onChange: spec.any.some((c) => "change" in c),
        onExit: spec.any.some((c) => "exit" in c),
        settledMs: shortest(spec.any),
        seen: new Seen(from),
        cancelSettled: undefined,
        settle: (outcome, matched) => {
          if (!this.#pending.delete(pending)) return;
          pending.cancelSettled?.();
          cancelDeadline();
          resolve({ outcome, matched, matched_at_entry: atEntry });
        },
      };
      this.#pending.add(pending);
      const cancelDeadline = this.#clock.after(spec.timeout_ms, () => pending.settle("deadline", null));
      gone?.cancelled(() => pending.settle("cancelled", null));
      this.#armSettled(pending);
      if (this.#ended) this.#end(pending);
    });
  }

  /** The screen changed visibly. */
  changed(sight: Sight): void {
    for (const pending of [...this.#pending]) {
      this.#armSettled(pending);
      const stopped = firstFresh(pending.stop, pending.seen, sight);
      if (stopped !== undefined) pending.settle("stop", stopped);
      const matched = firstFresh(pending.any, pending.seen, sight);
      if (matched !== undefined) pending.settle("matched", matched);
      if (pending.onChange) pending.settle("matched", "change");
    }
  }

  resized(sight: Sight): void {
    for (const pending of this.#pending) pending.seen.forget(sight);
  }

  /** The program ended and its last output was looked at. */
  exited(): void {
    this.#ended = true;
    for (const pending of [...this.#pending]) this.#end(pending);
  }

  #end(pending: Pending): void {
    if (pending.onExit) pending.settle("matched", "exit");
    else if (pending.settledMs === undefined) pending.settle("exited", null);
    // A screen of an ended program will not change again; let a settled wait come to its own end.
  }

  #armSettled(pending: Pending): void {
    if (pending.settledMs === undefined) return;
    pending.cancelSettled?.();
    pending.cancelSettled = this.#clock.after(pending.settledMs, () => pending.settle("matched", "settled"));
  }
}

function shortest(conditions: readonly Condition[]): number | undefined {
  const all = conditions.flatMap((c) => ("settled_ms" in c ? [c.settled_ms] : []));
  return all.length > 0 ? Math.min(...all) : undefined;
}

function firstFresh(patterns: readonly Pattern[], seen: Seen, sight: Sight): string | undefined {
  for (const { key, find } of patterns) {
    const found = seen.fresh(sight, key, find);
    if (found !== undefined) return found;
  }
  return undefined;
}

function patterns(conditions: readonly Condition[]): Pattern[] | Fault {
  const out: Pattern[] = [];
  for (const condition of conditions) {
    if ("text" in condition) {
      const { text } = condition;
      out.push({ key: `text:${text}`, find: (row) => (row.includes(text) ? text : undefined) });
    }
    if ("regex" in condition) {
      const regex = compile(condition.regex);
      if ("fault" in regex) return regex;
      out.push({ key: `regex:${condition.regex}`, find: (row) => regex.exec(row)?.[0] });
    }
  }
  return out;
}

function compile(source: string): RegExp | Fault {
  try {
    return new RegExp(source, "u");
  } catch (error) {
    return fault("input.invalid", `not a regular expression: ${String(error)}`, "Use --text for literal text.");
  }
}
