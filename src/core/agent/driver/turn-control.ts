// Controls one turn: pause, resume, one step, stop, a person at the keyboard, and the time limit. Owns:
// whether the next thing may begin, and the end of what runs. A thing begins in the same turn of the event loop as the
// check, so that nothing can begin after stop() or pause() has returned.
import type { AgentState } from "../../../protocol/ops/agent.ts";
import { Cancel, type Cancelled } from "../../base/cancellation.ts";
import type { Clock } from "../../base/clock.ts";
import { type Fault, fault } from "../../base/fault.ts";
import type { Kind } from "../agent.ts";
import type { StopReason } from "../performer.ts";

/** What wants to begin. queued: the next call of a reply, which takes no thought. rest: before another try. */
type Next =
  | { readonly what: "think" }
  | { readonly what: "queued" }
  | { readonly what: "rest"; readonly note: string }
  | { readonly what: "act"; readonly kind: Kind; readonly title: string };

export type Cut = "stopped" | "limit";
/** unknown: not reported yet. */
export type KeyboardHolder = "person" | "nobody" | "unknown";

interface TurnControlParts {
  readonly clock: Clock;
  readonly step_by_step: boolean;
  readonly time_limit_ms: number;
  readonly holder: KeyboardHolder;
  status(state: AgentState, note: string | null): void;
}

const PAUSES_SOON = "pauses after this";
const HELD_NOTE = "a person has the keyboard";

export class TurnControl {
  #parts: TurnControlParts;
  #holder: KeyboardHolder;
  /** one: a single action, then paused. */
  #pace: "free" | "one" | "paused" = "free";
  #stepByStep: boolean;
  /** Step by step: the next terminal action was allowed. */
  #waved = false;
  #stopped: StopReason | undefined;
  #waits: Next | undefined;
  #spentMs = 0;
  #state: AgentState = "thinking";
  #cut: ((why: Cut) => void) | undefined;
  #endRest: (() => void) | undefined;
  #wake: (() => void)[] = [];

  constructor(parts: TurnControlParts) {
    this.#parts = parts;
    this.#holder = parts.holder;
    this.#stepByStep = parts.step_by_step;
  }

  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  get holder(): KeyboardHolder {
    return this.#holder;
  }

  stop(why: StopReason): void {
    this.#stopped ??= why;
    this.#cut?.("stopped");
    this.#changed();
  }

  pause(): Fault | undefined {
    if (this.#pace === "paused" || this.#waits)
      return refusal("it is already paused", "Resume it, or let it take one step.");
    this.#pace = "paused";
    if (this.#endRest) this.#endRest();
    else if (this.#cut) this.#parts.status(this.#state, PAUSES_SOON);
    return undefined;
  }

  /** Goes on by itself until the end of the turn, also if it went step by step so far. */
  resume(): Fault | undefined {
    const paused = this.#pace !== "free" || this.#waits;
    // A person may give the keyboard back and resume at the same time.
    if (!paused && this.#state === "waiting") return undefined;
    if (!paused) return refusal("it is not paused", "Nothing to do.");
    if (this.#pace === "paused" && this.#cut) this.#parts.status(this.#state, null);
    this.#pace = "free";
    this.#stepByStep = false;
    this.#waits = undefined;
    this.#changed();
    return undefined;
  }

  /** Never in advance: a person who allows an action must have seen it. */
  step(): Fault | undefined {
    if (!this.#waits) return refusal("it is not paused", "Pause it first. It pauses once its current action is over.");
    this.#pace = this.#stepByStep ? "free" : "one";
    this.#waved = true;
    this.#waits = undefined;
    this.#changed();
    return undefined;
  }

  held(by: "person" | "nobody"): void {
    this.#holder = by;
    this.#changed();
  }

  /** Waits until this may begin, begins it, and waits until it is over. If it is cut short, its result is dropped. */
  async go<T>(
    next: Next,
    begin: (cancelled: Cancelled) => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly cut: Cut }> {
    while (!this.#stopped && this.#mustWait(next)) await this.#pausedBefore(next);
    this.#waits = undefined;
    if (this.#stopped) return { cut: "stopped" };
    const leftMs = this.#parts.time_limit_ms - this.#spentMs;
    if (leftMs <= 0) return { cut: "limit" };
    return this.#during(next, begin, leftMs);
  }

  /** Waits before another try. A pause ends the wait, because a person who resumes wants the try. */
  async rest(ms: number): Promise<Cut | undefined> {
    const note = `tries again in ${Math.ceil(ms / 1_000)} s`;
    const rested = await this.go({ what: "rest", note }, (cancelled) => {
      return new Promise<void>((resolve) => {
        const cancel = this.#parts.clock.after(ms, resolve);
        cancelled.onCancel(cancel);
        this.#endRest = () => {
          cancel();
          resolve();
        };
      });
    });
    this.#endRest = undefined;
    return "cut" in rested ? rested.cut : undefined;
  }

  /** Waits until no person has the keyboard. */
  async handsOff(): Promise<Cut | undefined> {
    if (this.#holder !== "nobody" && !this.#stopped) this.#say("waiting", HELD_NOTE);
    while (this.#holder !== "nobody" && !this.#stopped) await this.#change();
    return this.#stopped ? "stopped" : undefined;
  }

  async #during<T>(next: Next, begin: (cancelled: Cancelled) => Promise<T>, leftMs: number) {
    const { clock } = this.#parts;
    const ending = new Cancel();
    const from = clock.monotonic();
    const cutShort = new Promise<{ readonly cut: Cut }>((resolve) => {
      this.#cut = (why) => {
        resolve({ cut: why });
        ending.end();
      };
    });
    const disarm = clock.after(leftMs, () => this.#cut?.("limit"));
    try {
      this.#begins(next);
      const over = begin(ending).then((done) => ({ done }));
      return await Promise.race([over, cutShort]);
    } finally {
      disarm();
      this.#cut = undefined;
      this.#spentMs += clock.monotonic() - from;
    }
  }

  #begins(next: Next): void {
    if (next.what === "think") this.#say("thinking", null);
    if (next.what === "rest") this.#say("thinking", next.note);
    if (next.what !== "act") return;
    if (this.#pace === "one") this.#pace = "paused";
    if (next.kind === "terminal") this.#waved = false;
    this.#say("acting", next.title);
  }

  #mustWait(next: Next): boolean {
    if (next.what === "queued" || next.what === "rest") return false;
    if (this.#pace === "paused") return true;
    return next.what === "act" && next.kind === "terminal" && this.#stepByStep && !this.#waved;
  }

  async #pausedBefore(next: Next): Promise<void> {
    if (!this.#waits) this.#say("paused", next.what === "act" ? next.title : null);
    this.#waits = next;
    await this.#change();
  }

  #say(state: AgentState, note: string | null): void {
    this.#state = state;
    this.#parts.status(state, note);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #changed(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const run of wake) run();
  }
}

export function refusal(message: string, hint: string): Fault {
  return fault("input.invalid", message, hint);
}

export function nothingToLead(): Fault {
  return refusal("no turn is under way", "Give the agent a task first.");
}
