// One wait: its goals, what of them is true now, and what it has already seen. Ends exactly once.
import type { WaitOutcome } from "../../../protocol/ops/drive.ts";
import type { AgentState } from "../../../protocol/words/agent-state.ts";
import type { Clock } from "../../base/clock.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { ScreenChange } from "../screen.ts";
import type { Goal, Leaf } from "./conditions.ts";
import type { Echo } from "./echo.ts";
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

/** The agent CLI in front, and what it does. */
export interface AgentNow {
  readonly name: string;
  readonly state: AgentState;
}

/** A look at the program. */
interface Look {
  readonly input: boolean;
  /** It reads, and shows nothing of what is typed: why that is no input. */
  readonly password: string | undefined;
  readonly prompt: boolean;
  readonly block_end: boolean;
  readonly echo_off: boolean;
  readonly idleMs: number;
  readonly program: string;
}

interface PendingParts {
  readonly by: string | undefined;
  readonly eyes: Redactor | undefined;
  readonly goals: readonly Goal[];
  readonly stops: readonly Goal[];
  readonly counts: (row: number) => boolean;
  readonly clock: Clock;
  readonly echo: Echo;
}

/** These are seen only by probing the program. */
const LOOKS: ReadonlySet<Leaf["kind"]> = new Set(["prompt", "input", "block_end", "echo_off", "idle"]);

export class PendingWait {
  readonly by: string | undefined;
  readonly eyes: Redactor | undefined;
  readonly counts: (row: number) => boolean;
  readonly patterns: readonly Pattern[];
  #parts: PendingParts;
  #leaves: readonly Leaf[];
  /** What is true now, in the words of the answer. */
  #met = new Map<Leaf, string>();
  #timers = new Map<Leaf, () => void>();
  #seen: Seen;
  #atEntry: boolean;
  /** What was true before the input is not its result. */
  #awaitsOutput: boolean;
  #quietFrom: number;
  #hint: string | undefined;
  #answer: ((result: WaitResult) => void) | undefined;

  constructor(parts: PendingParts, { before, follows }: Entry, answer: (result: WaitResult) => void) {
    this.#parts = parts;
    this.by = parts.by;
    this.eyes = parts.eyes;
    this.counts = parts.counts;
    this.#leaves = [...new Set([...parts.stops, ...parts.goals].flat())];
    this.patterns = this.#leaves.flatMap((leaf) => (leaf.kind === "pattern" ? [leaf.pattern] : []));
    this.#seen = new Seen(before, parts.counts, parts.echo);
    this.#atEntry = isThere(parts.goals.flat(), before, parts.counts);
    this.#awaitsOutput = follows === "input";
    this.#quietFrom = follows === "input" ? parts.clock.monotonic() : Number.NEGATIVE_INFINITY;
    this.#answer = answer;
  }

  get wantsLooks(): boolean {
    return this.#leaves.some(({ kind }) => LOOKS.has(kind));
  }

  /** How long ago its own input was typed. */
  get quietMs(): number {
    return this.#parts.clock.monotonic() - this.#quietFrom;
  }

  /** What it still waits for. */
  get unmet(): Leaf[] {
    return [...new Set(this.#parts.goals.flat())].filter((leaf) => !this.#met.has(leaf));
  }

  /** Some things are true from the beginning. */
  enter({ now, follows, blockEnded, atPrompt }: Entry, agent: AgentNow | undefined): void {
    this.#armSettled();
    this.#look(now);
    if (blockEnded) this.#set("block_end", "block_end");
    // Nothing runs that could end, and the prompt is there.
    if (follows === "nothing" && atPrompt)
      for (const kind of ["prompt", "block_end", "input"] as const) this.#set(kind, kind);
    // The state before an input is not its result.
    if (follows === "nothing" && this.#setState(agent)) this.#atEntry = true;
    this.#judge();
  }

  agentIs(agent: AgentNow | undefined): void {
    this.#setState(agent);
    this.#judge();
  }

  changed(change: ScreenChange, view: ScreenView): void {
    if (!change.rows.some(({ row }) => this.counts(row)) && !change.moved()) return;
    this.#armSettled();
    this.#set("change", "change");
    this.#look(view);
    this.#judge();
  }

  printed(): void {
    this.#awaitsOutput = false;
    for (const kind of ["input", "idle", "echo_off"] as const) this.#set(kind, undefined);
  }

  meet(kind: "prompt" | "block_end"): void {
    this.#set(kind, kind);
    this.#judge();
  }

  looked({ input, password, prompt, block_end, echo_off, idleMs, program }: Look): void {
    this.#set("input", input ? "input" : undefined);
    if (prompt && this.#set("prompt", "prompt"))
      this.#hint = `${program} marks no prompts: it reads input again, so this counts as its prompt (input).`;
    if (block_end) this.#set("block_end", "block_end");
    this.#set("echo_off", echo_off && !this.#awaitsOutput ? "echo_off" : undefined);
    for (const leaf of this.#leaves) if (leaf.kind === "idle") this.#put(leaf, idleMs >= leaf.ms ? "idle" : undefined);
    this.#judge();
    // It reads again, but not from whoever waits to type.
    const wantsToType = this.#parts.goals.flat().some(({ kind }) => kind === "input" || kind === "prompt");
    if (password && wantsToType && !this.#awaitsOutput) this.end("echo_off", password);
  }

  resized(view: ScreenView): void {
    this.#seen.forget(view);
  }

  exited(): void {
    this.#set("exit", "exit");
    this.#judge();
    // The screen of an ended program will not change again. Waits for quiet end by themselves.
    const settles = (goal: Goal) => goal.every((leaf) => leaf.kind === "settled" || this.#met.has(leaf));
    if (!this.#parts.goals.some(settles)) this.end("exited");
  }

  end(outcome: WaitResult["outcome"], hint = this.#hint, matched: string | null = null): void {
    const answer = this.#answer;
    if (!answer) return;
    this.#answer = undefined;
    for (const cancel of this.#timers.values()) cancel();
    answer({ outcome, matched, matched_at_entry: this.#atEntry, ...(hint === undefined ? {} : { hint }) });
  }

  #judge(): void {
    const isMet = (goal: Goal) => goal.every((leaf) => this.#met.has(leaf));
    const words = (goal: Goal) => goal.map((leaf) => this.#met.get(leaf)).join(" and ");
    const stop = this.#parts.stops.find(isMet);
    if (stop) return this.end("stop", undefined, words(stop));
    const goal = this.#parts.goals.find(isMet);
    if (!goal) return;
    const isPassword = goal.length === 1 && goal[0]?.kind === "echo_off";
    const isPrompt = goal.some(({ kind }) => kind === "prompt");
    this.end(isPassword ? "echo_off" : "matched", isPrompt ? this.#hint : undefined, words(goal));
  }

  #look(view: ScreenView): void {
    for (const leaf of this.#leaves) {
      if (leaf.kind === "pattern" && !this.#met.has(leaf)) this.#put(leaf, this.#seen.fresh(view, leaf.pattern));
      if (leaf.kind !== "gone") continue;
      const isGone = !this.#awaitsOutput && !view.rows.some((row, i) => this.counts(i) && row.includes(leaf.text));
      this.#put(leaf, isGone ? `gone: ${leaf.text}` : undefined);
    }
  }

  #armSettled(): void {
    for (const leaf of this.#leaves) {
      if (leaf.kind !== "settled") continue;
      this.#met.delete(leaf);
      this.#timers.get(leaf)?.();
      const settle = () => {
        this.#put(leaf, "settled");
        this.#judge();
      };
      this.#timers.set(leaf, this.#parts.clock.after(leaf.ms, settle));
    }
  }

  /** Whether that was news to one of them. */
  #set(kind: Leaf["kind"], met: string | undefined): boolean {
    const mine = this.#leaves.filter((leaf) => leaf.kind === kind);
    const isNews = met !== undefined && mine.some((leaf) => !this.#met.has(leaf));
    for (const leaf of mine) this.#put(leaf, met);
    return isNews;
  }

  /** Whether one of them is met. */
  #setState(agent: AgentNow | undefined): boolean {
    const mine = this.#leaves.filter((leaf) => leaf.kind === "state");
    for (const leaf of mine) this.#put(leaf, leaf.state === agent?.state ? leaf.state : undefined);
    return mine.some((leaf) => this.#met.has(leaf));
  }

  #put(leaf: Leaf, met: string | undefined): void {
    if (met === undefined) this.#met.delete(leaf);
    else this.#met.set(leaf, met);
  }
}

function isThere(leaves: Goal, view: ScreenView, counts: (row: number) => boolean): boolean {
  return leaves.some(
    (leaf) => leaf.kind === "pattern" && view.rows.some((row, i) => counts(i) && leaf.pattern.findAll(row).length > 0),
  );
}
