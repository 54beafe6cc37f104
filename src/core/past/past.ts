// A session's screen as it was at any cursor: the nearest kept engine state, then the journal from there. Owns nothing
// that lasts. Without kept states it plays from the beginning and the answer is the same.

import { type Clock, Turns } from "../base/clock.ts";
import { type JournalRecord, sizeBefore } from "../journal/records.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Size } from "../pty/pty.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Engine, MakeEngine } from "../screen/engine.ts";
import type { ScreenState } from "../screen/facts.ts";
import type { HiddenScreen } from "../screen/hidden-screen.ts";
import { Screen } from "../screen/screen.ts";
import type { BlockLines } from "./block-lines.ts";
import { PieceSize } from "./piece-size.ts";

/** Size of the buffer, enough for the largest piece. */
const READ_BYTES = 32 << 10;

export interface PastParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly records: readonly JournalRecord[];
  /** The size the session was opened with. */
  readonly size: Size;
  readonly scrollback: number;
  readonly blockLines: BlockLines;
}

export interface PastTarget {
  readonly cursor: number;
  /** When several things happened at that cursor, only those up to this time. */
  readonly until?: number;
}

interface KeptState {
  readonly cursor: number;
  readonly state: Uint8Array;
}

/** The newest kept state at or before a cursor. */
export async function keptBefore(files: SessionFiles, cursor: number): Promise<KeptState | undefined> {
  for (const at of files.keyframes().reverse()) {
    if (at > cursor) continue;
    const state = await files.readKeyframe(at);
    if (state) return { cursor: at, state };
  }
  return undefined;
}

/** A screen with its history, as a live reader saw it then. Revisions are not kept, so `seq` is 0. */
interface PastScreen extends ScreenState {
  readonly scrollback: string[];
  readonly scrollback_total: number;
  readonly cursor_bytes: number;
}

interface PastLook {
  readonly scrollback: number;
  /** What an agent looks through. */
  readonly eyes: Redactor | undefined;
}

/** The engine lives only while `use` runs. */
export async function screenAt<T>(
  parts: PastParts,
  target: PastTarget,
  { scrollback, eyes }: PastLook,
  use: (shown: PastScreen, screen: Screen | HiddenScreen) => T,
): Promise<T> {
  const engine = await engineAt(parts, target);
  try {
    const whole = new Screen(engine);
    const screen = eyes ? whole.seenBy(eyes) : whole;
    const { lines, total } = screen.scrollback(scrollback);
    const seen = { scrollback: lines, scrollback_total: total, cursor_bytes: target.cursor };
    return use({ ...screen.shown(), ...seen }, screen);
  } finally {
    engine.dispose();
  }
}

/** The caller must dispose of it. */
export async function engineAt(parts: PastParts, target: PastTarget): Promise<Engine> {
  const kept = await keptBefore(parts.files, target.cursor);
  const { engine, cursor } = begin(parts, kept);
  try {
    await play(engine, parts, cursor, target);
    return engine;
  } catch (error) {
    engine.dispose();
    throw error;
  }
}

function begin(parts: PastParts, kept: KeptState | undefined): { engine: Engine; cursor: number } {
  const { makeEngine, records, size, scrollback } = parts;
  if (kept) {
    try {
      const then = sizeBefore(kept.cursor, records, size);
      return { engine: makeEngine({ ...then, scrollback }, kept.state), cursor: kept.cursor };
    } catch {
      // Another version of the engine wrote this state. The journal has everything that was in it.
    }
  }
  return { engine: makeEngine({ ...size, scrollback }), cursor: 0 };
}

async function play(engine: Engine, parts: PastParts, from: number, target: PastTarget): Promise<void> {
  const { files, clock, records } = parts;
  const until = target.until ?? Number.POSITIVE_INFINITY;
  const resizes = records.filter(
    ({ kind, cursor, ts }) =>
      kind === "resize" && cursor >= from && (cursor < target.cursor || (cursor === target.cursor && ts <= until)),
  );
  const buffer = new Uint8Array(READ_BYTES);
  const pieceSize = new PieceSize();
  const turns = new Turns(clock);
  let fed = from;
  for (const record of [...resizes, undefined]) {
    const end = record?.cursor ?? target.cursor;
    while (fed < end) {
      const want = Math.min(pieceSize.next(engine.size()), end - fed);
      const got = files.readOutput(fed, buffer.subarray(0, want));
      if (got === 0) return;
      const before = clock.monotonic();
      engine.feed(buffer.subarray(0, got), fed);
      engine.takeReplies();
      pieceSize.measured(clock.monotonic() - before);
      fed += got;
      await turns.rest();
    }
    if (record?.kind === "resize") engine.resize({ cols: record.cols, rows: record.rows });
  }
}
