// Probes the program while somebody waits for a prompt, for input, for echo to go off or for idleness. None of these is an event
// in the kernel, so we probe after output has been quiet for a moment, and then less and less often.
// Without a wait there are no probes.
import type { Clock } from "../../base/clock.ts";
import type { Probe } from "../../journal/holding.ts";

/** After output stops, a shell needs this long to be back in its line editor. */
const QUIET_MS = 30;
const PROBE_MS_MIN = 40;
/** A password prompt is noticed within this time at the latest. */
const PROBE_MS_MAX = 400;

export interface ProbeResult {
  readonly probe: Probe;
  /** It works, or has printed more than we have heard. */
  readonly busy: boolean;
}

export interface ProgramProbesParts {
  readonly clock: Clock;
  probe(): Promise<Probe>;
  wanted(): boolean;
  tell(result: ProbeResult, quietMs: number): void;
}

export class ProgramProbes {
  #parts: ProgramProbesParts;
  #printedAt: number;
  #ticks = -1;
  #wait = PROBE_MS_MIN;
  #cancel: (() => void) | undefined;

  constructor(parts: ProgramProbesParts) {
    this.#parts = parts;
    this.#printedAt = parts.clock.monotonic();
  }

  printed(): void {
    this.#printedAt = this.#parts.clock.monotonic();
    this.#wait = PROBE_MS_MIN;
    if (this.#cancel) this.#schedule(QUIET_MS);
  }

  /** Somebody may have begun to wait. */
  need(): void {
    if (!this.#cancel && this.#parts.wanted()) this.#schedule(QUIET_MS);
  }

  #schedule(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#parts.clock.after(ms, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    if (!this.#parts.wanted()) return this.#rest();
    const probe = await this.#parts.probe();
    const { running, cpu_ticks } = probe.activity;
    const busy = running || cpu_ticks !== this.#ticks || probe.cursor === null;
    this.#ticks = cpu_ticks;
    this.#parts.tell({ probe, busy }, this.#parts.clock.monotonic() - this.#printedAt);
    if (!this.#parts.wanted()) return this.#rest();
    this.#schedule(this.#wait);
    this.#wait = Math.min(this.#wait * 2, PROBE_MS_MAX);
  }

  #rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#wait = PROBE_MS_MIN;
  }
}
