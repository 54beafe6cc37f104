// The waits of one session, woken by what happens. Owns: who waits, and what each of them has already seen.
// An outcome is given exactly once. A deadline is an outcome, not an error. No wait sees another's state.
import type { WaitOutcome } from "../../../protocol/ops/drive.ts";
import type { Cancelled } from "../../base/cancellation.ts";
import type { Clock } from "../../base/clock.ts";
import { type Fault, isFault } from "../../base/fault.ts";
import type { ScreenChange } from "../screen.ts";
import { ByteMatch, type Wanted } from "./byte-match.ts";
import { type Aims, aimsOf, rowFilter, type WaitSpec } from "./conditions.ts";
import { type ProbeResult, ProgramProbes, type ProgramProbesParts } from "./probes.ts";
import { type Pattern, Seen } from "./seen.ts";
import type { ScreenView } from "./view.ts";

/** An outcome as the wire has it; the screen is added by those who answer. */
export type WaitResult = Readonly<Omit<WaitOutcome, "screen" | "cursor">>;

/** What a wait is judged against: the screen before, and whether the same call is about to write input. */
export interface Entry {
  readonly before: ScreenView;
  readonly now: ScreenView;
  readonly follows: "input" | "nothing";
  /** A command has ended since the moment after which things count as new. */
  readonly blockEnded?: boolean;
  /** The shell is at its prompt. */
  readonly atPrompt?: boolean;
}

/** What the shell's marks say. silent: it does not mark its commands. */
export type Marked = "silent" | "start" | "prompt" | "running";

/** After this long without a mark, we take a program that looks like a shell at its prompt for one. */
const UNMARKED_PROMPT_MS = 1_000;

interface Pending {
  readonly by: string | undefined;
  readonly aims: Aims;
  readonly stop: Aims;
  readonly seen: Seen;
  readonly counts: (row: number) => boolean;
  /** A prompt that was there before the input does not count. */
  awaitsOutput: boolean;
  /** Quiet before the input does not count either. */
  readonly quietFrom: number;
  cancelSettled: (() => void) | undefined;
  settle(outcome: WaitResult["outcome"], matched: string | null): void;
}

export class Waits {
  #clock: Clock;
  #pending = new Set<Pending>();
  #probes: ProgramProbes;
  #byteMatch: ByteMatch | undefined;
  #ended = false;
  #marked: () => Marked;

  constructor(clock: Clock, probe: ProgramProbesParts["probe"], marked: () => Marked) {
    this.#clock = clock;
    this.#marked = marked;
    const tell = (result: ProbeResult, quietMs: number) => this.#probed(result, quietMs);
    this.#probes = new ProgramProbes({ clock, probe, tell, wanted: () => this.#wantsLooks() });
  }

  begin(spec: WaitSpec, entry: Entry, cancelled?: Cancelled): Promise<WaitResult> | Fault {
    const aims = aimsOf(spec.any);
    const stop = aimsOf(spec.stop ?? []);
    if (isFault(aims)) return aims;
    if (isFault(stop)) return stop;
    const counts = rowFilter(spec);
    const atEntry = isThere(aims.patterns, entry.before, counts);
    return new Promise((resolve) => {
      const pending: Pending = {
        by: spec.by,
        aims,
        stop,
        counts,
        seen: new Seen(entry.before, counts),
        awaitsOutput: entry.follows === "input",
        quietFrom: entry.follows === "input" ? this.#clock.monotonic() : Number.NEGATIVE_INFINITY,
        cancelSettled: undefined,
        settle: (outcome, matched) => {
          if (!this.#pending.delete(pending)) return;
          this.#byteMatch = undefined;
          pending.cancelSettled?.();
          cancelDeadline();
          resolve({ outcome, matched, matched_at_entry: atEntry });
        },
      };
      const cancelDeadline = this.#clock.after(spec.timeout_ms, () => pending.settle("deadline", null));
      this.#pending.add(pending);
      this.#byteMatch = undefined;
      cancelled?.onCancel(() => pending.settle("cancelled", null));
      this.#armSettled(pending);
      this.#consider(pending, entry.now);
      this.#atEntry(pending, entry);
      if (this.#ended) this.#end(pending);
      this.#probes.need();
    });
  }

  /** Whether a wait wants text, which may be on the screen only for a moment. */
  get wantsText(): boolean {
    for (const { aims, stop } of this.#pending) if (aims.patterns.length + stop.patterns.length > 0) return true;
    return false;
  }

  /** Whether these bytes may hold text that a wait wants. Then the screen is checked before it scrolls away. */
  mayMatch(bytes: Uint8Array): boolean {
    if (!this.wantsText) return false;
    this.#byteMatch ??= new ByteMatch(this.#wanted());
    return this.#byteMatch.sees(bytes);
  }

  #wanted(): Wanted {
    const all = [...this.#pending].flatMap(({ aims, stop }) => [...aims.patterns, ...stop.patterns]);
    const literals = all.flatMap(({ literal }) => (literal === undefined ? [] : [literal]));
    return { literals, patterns: literals.length < all.length };
  }

  /** The screen changed visibly. */
  changed(change: ScreenChange, view: ScreenView): void {
    for (const pending of [...this.#pending]) {
      if (!change.moved && !change.rows.some(({ row }) => pending.counts(row))) continue;
      this.#armSettled(pending);
      this.#consider(pending, view);
      if (pending.aims.change) pending.settle("matched", "change");
    }
  }

  /** The program printed something, visible or not. */
  printed(): void {
    for (const pending of this.#pending) pending.awaitsOutput = false;
    this.#probes.printed();
  }

  /** The shell shows its prompt. */
  prompted(): void {
    for (const pending of [...this.#pending]) if (pending.aims.prompt) pending.settle("matched", "prompt");
  }

  /** A command of the shell ended. */
  blockEnded(): void {
    for (const pending of [...this.#pending]) if (pending.aims.blockEnd) pending.settle("matched", "block_end");
  }

  /** The keyboard was taken from this agent. */
  held(from: string): void {
    for (const pending of [...this.#pending]) if (pending.by === from) pending.settle("held", null);
  }

  resized(view: ScreenView): void {
    for (const pending of this.#pending) pending.seen.forget(view);
  }

  /** The program ended and its last output was played. */
  exited(): void {
    this.#ended = true;
    for (const pending of [...this.#pending]) this.#end(pending);
  }

  #consider(pending: Pending, view: ScreenView): void {
    const stopped = firstFresh(pending.stop.patterns, pending.seen, view);
    if (stopped !== undefined) return pending.settle("stop", stopped);
    const matched = firstFresh(pending.aims.patterns, pending.seen, view);
    if (matched !== undefined) return pending.settle("matched", matched);
    const gone = pending.aims.gone.find((text) => !view.rows.some((row, i) => pending.counts(i) && row.includes(text)));
    if (gone !== undefined && !pending.awaitsOutput) pending.settle("matched", `gone: ${gone}`);
  }

  /** Nothing runs that could end, and the prompt is there. So waits for these are over at once. */
  #atEntry(pending: Pending, { follows, blockEnded, atPrompt }: Entry): void {
    if (pending.aims.blockEnd && blockEnded) return pending.settle("matched", "block_end");
    if (follows === "input" || !atPrompt) return;
    if (pending.aims.prompt) pending.settle("matched", "prompt");
    if (pending.aims.blockEnd) pending.settle("matched", "block_end");
  }

  #end(pending: Pending): void {
    if (pending.aims.exit) pending.settle("matched", "exit");
    // The screen of an ended program will not change again. Waits for quiet end by themselves.
    else if (pending.aims.settledMs === undefined) pending.settle("exited", null);
  }

  #armSettled(pending: Pending): void {
    const { settledMs } = pending.aims;
    if (settledMs === undefined) return;
    pending.cancelSettled?.();
    pending.cancelSettled = this.#clock.after(settledMs, () => pending.settle("matched", "settled"));
  }

  #wantsLooks(): boolean {
    const all = [...this.#pending].flatMap(({ aims, stop }) => [aims, stop]);
    return (
      !this.#ended &&
      all.some(({ prompt, blockEnd, echoOff, idleMs }) => prompt || blockEnd || echoOff || idleMs !== undefined)
    );
  }

  #probed(what: ProbeResult, quietMs: number): void {
    const marked = this.#marked();
    const unmarked = marked === "silent" || (marked !== "prompt" && quietMs >= UNMARKED_PROMPT_MS);
    const atPrompt = what.atPrompt && unmarked;
    for (const pending of [...this.#pending]) {
      const { aims, stop } = pending;
      // What was true before the input is not its result.
      const echoOff = what.echoOff && !pending.awaitsOutput;
      if (echoOff && aims.echoOff) pending.settle("echo_off", "echo_off");
      if (echoOff && stop.echoOff) pending.settle("stop", "echo_off");
      const asked = aims.prompt ? "prompt" : aims.blockEnd ? "block_end" : undefined;
      if (atPrompt && asked && !pending.awaitsOutput) pending.settle("matched", asked);
      const quiet = Math.min(quietMs, this.#clock.monotonic() - pending.quietFrom);
      if (aims.idleMs !== undefined && !what.busy && quiet >= aims.idleMs) pending.settle("matched", "idle");
    }
  }
}

function isThere(patterns: readonly Pattern[], view: ScreenView, counts: (row: number) => boolean): boolean {
  return patterns.some((pattern) => view.rows.some((row, i) => counts(i) && pattern.findAll(row).length > 0));
}

function firstFresh(patterns: readonly Pattern[], seen: Seen, view: ScreenView): string | undefined {
  for (const pattern of patterns) {
    const found = seen.fresh(view, pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}
