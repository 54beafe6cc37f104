// The waits of one session, woken by what happens. Owns: who waits, and what each of them has already seen.
// An outcome is given exactly once. A deadline is an outcome, not an error. No wait sees another's state.

import type { Waiting } from "../../../protocol/words/program.ts";
import { advice } from "../../base/advice.ts";
import type { Cancelled } from "../../base/cancellation.ts";
import type { Clock } from "../../base/clock.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import type { Probe } from "../../journal/holding.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { hiddenView } from "../hidden.ts";
import type { InputSpec } from "../input/input.ts";
import type { ScreenChange } from "../screen.ts";
import { ByteMatch } from "./byte-match.ts";
import { goalsOf, rowFilter, type WaitSpec } from "./conditions.ts";
import { Echo } from "./echo.ts";
import { type AgentNow, type Entry, PendingWait, type WaitResult } from "./pending.ts";
import { type ProbeResult, ProgramProbes, type ProgramProbesParts } from "./probes.ts";
import { type Glance, readsAgain } from "./reads.ts";
import { isNewTo, type Pattern } from "./seen.ts";
import type { ScreenView } from "./view.ts";
import { passwordReason, whyNot } from "./why-not.ts";

/** What the shell's marks say. silent: it does not mark its commands. */
export type Marked = "silent" | "start" | "prompt" | "running";

/** A program that a marking shell runs may only pause at a question. After this long it counts as a prompt of its own. */
const NESTED_PROMPT_MS = 500;
/** A shell that should mark its prompt and shows none for this long has lost its marks. */
const UNMARKED_PROMPT_MS = 1_000;

interface WaitsParts {
  readonly clock: Clock;
  probe: ProgramProbesParts["probe"];
  marked(): Marked;
  /** Undefined while no engine is in memory. */
  view(): ScreenView | undefined;
  glance(): Glance | undefined;
}

export class Waits {
  #parts: WaitsParts;
  #pending = new Set<PendingWait>();
  #probes: ProgramProbes;
  #lastProbe: Probe | undefined;
  #byteMatch: ByteMatch | undefined;
  #ended = false;
  #echo = new Echo();
  #agent: AgentNow | undefined;
  #asking: Waiting | null = null;
  /** The last view that was hidden from agents: several may wait for the same screen. */
  #hidden: { readonly of: ScreenView; readonly eyes: Redactor; readonly view: ScreenView } | undefined;

  constructor(parts: WaitsParts) {
    this.#parts = parts;
    const { clock, probe } = parts;
    const tell = (result: ProbeResult, quietMs: number) => this.#probed(result, quietMs);
    this.#probes = new ProgramProbes({ clock, probe, tell, wanted: () => this.#wantsLooks() });
  }

  begin(spec: WaitSpec, all: Entry, cancelled?: Cancelled): Promise<WaitResult> | Fault {
    const goals = goalsOf(spec);
    const stops = goalsOf({ any: spec.stop });
    if (isFault(goals)) return goals;
    if (isFault(stops)) return stops;
    if (goals.length === 0) return fault("input.invalid", "there is nothing to wait for", advice("condition"));
    const counts = rowFilter(spec);
    const { clock } = this.#parts;
    const { by, eyes } = spec;
    const entry = { ...all, before: this.#seen(all.before, eyes), now: this.#seen(all.now, eyes) };
    return new Promise((resolve) => {
      const pending = new PendingWait({ by, eyes, goals, stops, counts, clock, echo: this.#echo }, entry, (result) => {
        this.#pending.delete(pending);
        this.#byteMatch = undefined;
        cancelDeadline();
        resolve(result);
      });
      const cancelDeadline = clock.after(spec.timeout_ms, () => pending.end("deadline", this.#whyNot(pending, spec)));
      this.#pending.add(pending);
      this.#byteMatch = undefined;
      cancelled?.onCancel(() => pending.end("cancelled"));
      pending.enter(entry, this.#agent);
      if (this.#ended) pending.exited();
      this.#probes.need();
    });
  }

  /** Somebody is about to type this. Its echo will match nothing. */
  typed(input: InputSpec, view: ScreenView): void {
    this.#echo.typed(input, view);
  }

  /** Whether a wait wants text, which may be on the screen only for a moment. */
  get count(): number {
    return this.#pending.size;
  }

  get wantsText(): boolean {
    for (const pending of this.#pending) if (pending.patterns.length > 0) return true;
    return false;
  }

  /** Whether these bytes may hold text that a wait wants. Then the screen is checked before it scrolls away. */
  mayMatch(bytes: Uint8Array): boolean {
    if (!this.wantsText) return false;
    this.#byteMatch ??= byteMatchFor([...this.#pending]);
    return this.#byteMatch.sees(bytes);
  }

  /** The screen changed visibly. */
  changed(change: ScreenChange, view: ScreenView): void {
    for (const pending of [...this.#pending]) pending.changed(change, this.#seen(view, pending.eyes));
  }

  /** The program printed something, visible or not. */
  printed(): void {
    for (const pending of this.#pending) pending.printed();
    this.#probes.printed();
  }

  /** The shell shows its prompt. */
  prompted(): void {
    for (const pending of [...this.#pending]) pending.meet("prompt");
  }

  /** A command of the shell ended. */
  blockEnded(): void {
    for (const pending of [...this.#pending]) pending.meet("block_end");
  }

  /** An agent CLI came, went or does something else. */
  agentIs(agent: AgentNow | undefined): void {
    this.#agent = agent;
    for (const pending of [...this.#pending]) pending.agentIs(agent);
  }

  /** What the program in front waits for. */
  asks(waiting: Waiting | null): void {
    this.#asking = waiting;
  }

  /** The keyboard was taken from this agent. */
  held(from: string): void {
    for (const pending of [...this.#pending]) if (pending.by === from) pending.end("held");
  }

  resized(view: ScreenView): void {
    this.#echo.forget();
    for (const pending of this.#pending) pending.resized(this.#seen(view, pending.eyes));
  }

  /** The program ended and its last output was played. */
  exited(): void {
    this.#ended = true;
    for (const pending of [...this.#pending]) pending.exited();
  }

  #whyNot({ unmet, counts, eyes }: PendingWait, { since }: WaitSpec): string {
    const now = this.#parts.view();
    const view = now && this.#seen(now, eyes);
    const isPrinted = (pattern: Pattern) => view !== undefined && isNewTo(view, pattern, counts, this.#echo);
    const facts = { view, counts, isPrinted, countsAll: since === 0, probe: this.#lastProbe, agent: this.#agent };
    return whyNot(unmet, { ...facts, asking: this.#asking });
  }

  /** People see all of it. */
  #seen(view: ScreenView, eyes: Redactor | undefined): ScreenView {
    if (!eyes) return view;
    if (this.#hidden?.of !== view || this.#hidden.eyes !== eyes)
      this.#hidden = { of: view, eyes, view: hiddenView(view, eyes) };
    return this.#hidden.view;
  }

  #wantsLooks(): boolean {
    return !this.#ended && [...this.#pending].some(({ wantsLooks }) => wantsLooks);
  }

  #probed({ probe, busy }: ProbeResult, printedMs: number): void {
    this.#lastProbe = probe;
    const glance = this.#parts.glance();
    const marked = this.#parts.marked();
    const program = probe.foreground?.name ?? "the program";
    for (const pending of [...this.#pending]) {
      const quietMs = Math.min(printedMs, pending.quietMs);
      const asks = readsAgain(probe, busy, quietMs, glance);
      const reads = asks && probe.echo !== "off";
      pending.looked({
        input: reads,
        password: asks && !reads ? passwordReason(program) : undefined,
        prompt: reads && glance?.alt_screen !== true && quietMs >= promptMs(marked),
        // Where nothing is marked, a command is over when the next one is asked for.
        block_end: reads && marked === "silent",
        echo_off: probe.echo === "off",
        idleMs: busy ? 0 : quietMs,
        program,
      });
    }
  }
}

/** How long a program must wait for input until it counts as a prompt that nothing marks. */
function promptMs(marked: Marked): number {
  if (marked === "silent") return 0;
  // The marks say when it is there.
  if (marked === "prompt") return Number.POSITIVE_INFINITY;
  return marked === "running" ? NESTED_PROMPT_MS : UNMARKED_PROMPT_MS;
}

/** Whether bytes hold a text of an agent tells nobody: a check that comes earlier is one more revision, which the agent sees. */
function byteMatchFor(pending: readonly PendingWait[]): ByteMatch {
  const found = pending.flatMap(({ patterns, eyes }) => patterns.map(({ literal }) => (eyes ? undefined : literal)));
  const literals = found.filter((literal) => literal !== undefined);
  return new ByteMatch({ literals, patterns: literals.length < found.length });
}
