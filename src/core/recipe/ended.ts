// Whether a session ended without anybody's wish: its holder died, or the machine went down. Then a person may want it back. Pure.
import type { SessionState } from "../../protocol/ops/session.ts";

/** A machine that goes down signals all processes within this time, and programs may be told before our holder is. */
const BEFORE_MS = 10_000;
/** Programs that do not heed the hang-up are killed by then. */
const AFTER_MS = 60_000;
/** A shell's way to say that a signal ended its program: 128 and the signal's number. */
const SIGNALLED = 128;

interface Ended {
  readonly state: SessionState;
  /** Null: it was not recorded. */
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** Whether somebody closed it. Asked only where it matters. */
  closed(): boolean;
}

/** `holderEnds`: when a holder was told to end by a signal, as a machine does that goes down. */
export function endedUnwished(ended: Ended, holderEnds: readonly number[]): boolean {
  const { state, ended_at, exit_code, signal } = ended;
  if (state === "lost") return true;
  if (ended_at === null || (state !== "done" && state !== "failed")) return false;
  const isSignalled = signal !== null || (exit_code ?? 0) > SIGNALLED;
  const goesWith = (at: number) =>
    ended_at <= at + AFTER_MS && (ended_at >= at || (isSignalled && ended_at >= at - BEFORE_MS));
  return holderEnds.some(goesWith) && !ended.closed();
}
