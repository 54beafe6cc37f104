// Whether a session's program waits for input. The kernel sends no event for that, so after output and input
// we probe the program, less often while nothing happens. Owns: when to probe. A shell at its prompt is
// not probed, because its marks say so.
import type { AgentState } from "../../protocol/words/agent-state.ts";
import type { Waiting } from "../../protocol/words/program.ts";
import type { Clock } from "../base/clock.ts";
import type { Probe } from "../journal/holding.ts";
import { ASKS, type Glance, QUIET_BLOCKED_MS, QUIET_POLLED_MS, QUIET_UNKNOWN_MS } from "../screen/wait/reads.ts";

/**
 * When it is probed after something happened: once it was quiet so long (a program needs a moment to reach its read), or while it
 * goes on printing, which costs the holder less than probes. The state of an agent CLI is read from what it shows.
 */
const PACES = { program: { quiet: 100, printing: 500 }, agent: { quiet: 500, printing: 5_000 } };
/** A password prompt that comes without output is noticed within this time. */
const PROBE_MS_MAX = 1_000;
/**
 * After this long without output or input, probes are rare, and rarer the longer it lasts: each costs the holder a look at all
 * processes, and a thousand idle sessions must cost almost nothing.
 */
const RESTING_MS = 20_000;
const PROBE_MS_RESTING_MAX = 300_000;
/** Half a second or more in full screen, and still reading keys. */
const FULL_SCREEN_PROBES = 4;
/** These draw on the primary screen, all the time. */
const DRAWS = new Set("top atop iotop watch powertop nethogs iftop".split(" "));

interface WaitingWatchParts {
  readonly clock: Clock;
  probe(): Promise<Probe>;
  glance(): Glance | undefined;
  /** Plays what was put off. */
  catchUp(): void;
  during(): "command" | "session";
  /** What an agent CLI in front is doing. Undefined: it is another program, and the general rule counts. */
  agent(probe: Probe): AgentState | undefined;
  /** False while nothing runs that could wait. */
  wanted(): boolean;
  changed(waiting: Waiting | null): void;
}

export class WaitingWatch {
  #parts: WaitingWatchParts;
  #waiting: Waiting | null = null;
  #since = 0;
  #activeAt: number;
  #isWatched = false;
  #ticks = -1;
  #fullScreenProbes = 0;
  #delay = PACES.program.quiet;
  #due = 0;
  #probedAt = Number.NEGATIVE_INFINITY;
  #pace = PACES.program;
  #cancel: (() => void) | undefined;
  #last: Probe | undefined;

  constructor(parts: WaitingWatchParts) {
    this.#parts = parts;
    this.#activeAt = parts.clock.monotonic();
  }

  /** How long there was no output and no input. */
  get quietMs(): number {
    return this.#parts.clock.monotonic() - this.#activeAt;
  }

  get waiting(): Waiting | null {
    return this.#waiting;
  }

  /** When that last changed. */
  get since(): number {
    return this.#since;
  }

  /** Output came, or somebody typed, or another program began. */
  active(): void {
    this.#isWatched = true;
    this.#activeAt = this.#parts.clock.monotonic();
    this.#delay = this.#pace.quiet;
    if (!this.#parts.wanted()) return this.stop();
    if (!this.#cancel || this.#due > this.#activeAt + this.#pace.quiet) this.#schedule(this.#pace.quiet);
  }

  /** It is there, started or found running. */
  begin(): void {
    if (!this.#isWatched) this.active();
  }

  /** The agent in front does something else now. */
  agentIs(state: AgentState): void {
    if (this.#last && this.#waiting?.kind !== "password") this.#tell(ofAgent(state, this.#last, this.#parts.glance()));
  }

  /** Nobody uses it, so we look rarely until something happens. */
  rest(): void {
    this.#activeAt = Math.min(this.#activeAt, this.#parts.clock.monotonic() - RESTING_MS);
  }

  /** Nothing is left that could wait. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = this.#last = undefined;
    this.#pace = PACES.program;
    this.#tell(null);
  }

  #schedule(ms: number): void {
    this.#cancel?.();
    this.#due = this.#parts.clock.monotonic() + ms;
    this.#cancel = this.#parts.clock.after(ms, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const { clock } = this.#parts;
    const now = clock.monotonic();
    const early = this.#activeAt + this.#pace.quiet - now;
    if (early > 0 && now - this.#probedAt < this.#pace.printing) return this.#schedule(early);
    this.#probedAt = now;
    // What it plays would otherwise count as printed while we ask.
    this.#parts.catchUp();
    this.#cancel = undefined;
    const probe = await this.#parts.probe();
    if (!this.#parts.wanted()) return this.stop();
    // Something happened while we asked, so the result may be outdated.
    if (this.#cancel) return;
    // It has printed more than we have read.
    if (probe.cursor === null) return this.#schedule(this.#pace.quiet);
    const quietMs = clock.monotonic() - this.#activeAt;
    const busy = probe.activity.running || (this.#ticks >= 0 && probe.activity.cpu_ticks !== this.#ticks);
    this.#ticks = probe.activity.cpu_ticks;
    const glance = this.#parts.glance();
    this.#fullScreenProbes =
      glance?.alt_screen || DRAWS.has(probe.foreground?.name ?? "") ? this.#fullScreenProbes + 1 : 0;
    const [was, fullScreenProbes, during] = [this.#waiting, this.#fullScreenProbes, this.#parts.during()];
    const general = judge({ probe, busy, quietMs, glance, was, fullScreenProbes, during });
    this.#last = probe;
    const agent = this.#parts.agent(probe);
    this.#pace = agent === undefined ? PACES.program : PACES.agent;
    this.#tell(agent === undefined || general?.kind === "password" ? general : ofAgent(agent, probe, glance));
    this.#schedule(quietMs > RESTING_MS ? Math.min(quietMs / 2, PROBE_MS_RESTING_MAX) : this.#delay);
    this.#delay = Math.min(this.#delay * 2, PROBE_MS_MAX);
  }

  #tell(waiting: Waiting | null): void {
    const was = this.#waiting;
    if (was?.kind === waiting?.kind && was?.program === waiting?.program) return;
    this.#waiting = waiting;
    this.#since = this.#parts.clock.now();
    this.#parts.changed(waiting);
  }
}

/** One that is blocked, idle or done with its turn waits for somebody; no other does. */
function ofAgent(state: AgentState, { foreground, echo }: Probe, glance: Glance | undefined): Waiting | null {
  if (state !== "blocked" && state !== "idle" && state !== "done") return null;
  const kind = glance?.alt_screen ? "full_screen" : echo === "raw" ? "keys" : "line";
  return { kind, program: foreground?.name ?? "" };
}

export interface Evidence {
  readonly probe: Probe;
  readonly busy: boolean;
  readonly quietMs: number;
  readonly glance: Glance | undefined;
  /** A shell's command, or a program that is the session itself, which may read for ever without asking. */
  readonly during: "command" | "session";
  /** How many probes in a row saw a full-screen program. */
  readonly fullScreenProbes: number;
  /** The last result. A key typed into an answer does not end the wait for it. */
  readonly was: Waiting | null;
}

export function judge({ probe, busy, quietMs, glance, was, fullScreenProbes, during }: Evidence): Waiting | null {
  const program = probe.foreground?.name ?? "";
  // A holder of an earlier version does not report it.
  const reading = probe.activity.reading ?? "unknown";
  const quiet = was ? Number.POSITIVE_INFINITY : quietMs;
  if (probe.echo === "off" && (reading !== "no" || quiet >= QUIET_BLOCKED_MS)) return { kind: "password", program };
  const kind = glance?.alt_screen ? "full_screen" : probe.echo === "raw" ? "keys" : "line";
  const before = glance?.before ?? "";
  // In a program without prompts, the text before the cursor may be a half-typed line.
  const asks = glance?.alt_screen === true || (during === "command" ? before.trim() !== "" : ASKS.test(before));
  if (reading === "blocked" && quiet >= QUIET_BLOCKED_MS && (asks || during === "command")) return { kind, program };
  // A program that draws all the time (such as top) is never quiet.
  if (fullScreenProbes >= FULL_SCREEN_PROBES && reading !== "no") return { kind, program };
  if (busy && !was) return null;
  // A program that also listens to the network polls its terminal all the time. It waits when it has asked something.
  if (reading === "polled" && asks && quiet >= QUIET_POLLED_MS) return { kind, program };
  const asked = glance?.alt_screen === true || ASKS.test(before);
  if (reading === "unknown" && asked && quietMs >= QUIET_UNKNOWN_MS) return { kind, program };
  return null;
}
