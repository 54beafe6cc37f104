// What the daemon counts of itself: calls and their time, questions and how long people took. Only counters: who reads them
// twice knows the rate.
import { isFault } from "../core/base/fault.ts";
import type { Approval } from "../core/gate/approvals.ts";
import type { Log } from "./log.ts";
import type { Perform } from "./perform.ts";

/** From a call that touches nothing to one that waits for a person, in seconds. */
const BOUNDS_S: readonly number[] = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** How many took how long. */
export class Timings {
  readonly #counts = new Array<number>(BOUNDS_S.length + 1).fill(0);
  count = 0;
  seconds = 0;

  add(seconds: number): void {
    const at = BOUNDS_S.findIndex((bound) => seconds <= bound);
    const bucket = at < 0 ? BOUNDS_S.length : at;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.count += 1;
    this.seconds += seconds;
  }

  /** How many took at most so long; the last bound has no end. */
  *upTo(): Generator<readonly [bound: number, count: number]> {
    let sum = 0;
    for (const [at, count] of this.#counts.entries()) {
      sum += count;
      yield [BOUNDS_S[at] ?? Number.POSITIVE_INFINITY, sum];
    }
  }
}

export class Meters {
  readonly calls = new Map<string, Timings>();
  /** Refused or failed calls, by the code that their callers got. */
  readonly refusals = new Map<string, number>();
  /** From the question to its answer, by how it was settled. */
  readonly answers = new Map<Approval["state"], Timings>();

  called(op: string, milliseconds: number, code: string | undefined): void {
    timingsOf(this.calls, op).add(milliseconds / 1_000);
    if (code !== undefined) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  answered({ state, created_at }: Approval, now: number): void {
    if (state !== "pending") timingsOf(this.answers, state).add((now - created_at) / 1_000);
  }
}

/** The same operations, counted. */
export function metered(perform: Perform, meters: Meters, log: Log): Perform {
  return async (op, input, call) => {
    const from = performance.now();
    const answer = await perform(op, input, call);
    const [ms, code] = [performance.now() - from, isFault(answer) ? answer.code : undefined];
    meters.called(op.name, ms, code);
    log.say("debug", "call", { op: op.name, ms: Math.round(ms), code });
    return answer;
  };
}

function timingsOf<K>(all: Map<K, Timings>, name: K): Timings {
  const known = all.get(name);
  if (known) return known;
  const made = new Timings();
  all.set(name, made);
  return made;
}
