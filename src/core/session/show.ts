// What of a session can be seen: the stage while it is warm, those who wait and those who watch.
// Owns: when the engine is in memory. Refuses: to type, to know the program's state.
import type { Clock } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import type { JournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles } from "../journal/store.ts";
import type { ExitStatus, Size } from "../pty/pty.ts";
import type { MakeEngine, RepaintOptions } from "../screen/engine.ts";
import { type Gone, type WaitResult, type WaitSpec, Waits } from "../screen/waits.ts";
import { type Paint, Viewer, type ViewerSpec } from "../viewer/viewer.ts";
import { RESUME_WINDOW_BYTES, type Source, Viewers } from "../viewer/viewers.ts";
import { Stage } from "./stage.ts";

/** Lines of history the engine keeps for everyone. */
const SCROLLBACK_LINES = 1_000;
const PAINTS: Readonly<Record<Paint, RepaintOptions>> = {
  history: { scrollback: SCROLLBACK_LINES, reset: "hard" },
  screen: { scrollback: 0, reset: "soft" },
};

export interface ShowParts {
  readonly meta: Meta;
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly records: JournalRecord[];
}

export interface ShowEvents {
  replied(bytes: Uint8Array, cursor: number): void;
  /** A turn is over with so many bytes unread. */
  behind(bytes: number): void;
  ended(status: ExitStatus): void;
  trapped(cursor: number, bytes: number): void;
}

export class Show {
  #parts: ShowParts;
  #on: ShowEvents;
  #stage: Stage | undefined;
  #waits: Waits;
  #whenReady: (() => void)[] = [];
  #last: { seq: number; title: string; size: Size; fed: number };
  readonly viewers: Viewers;

  constructor(parts: ShowParts, on: ShowEvents) {
    this.#parts = parts;
    this.#on = on;
    this.#waits = new Waits(parts.clock);
    this.viewers = new Viewers(parts.clock, this.#source());
    this.#last = { seq: 0, title: "", size: lastSize(parts), fed: parts.files.outputSize() };
  }

  /** Whether an engine is in memory. */
  get warm(): boolean {
    return this.#stage !== undefined;
  }

  get facts(): { seq: number; title: string; size: Size; fed: number } {
    const stage = this.#stage;
    if (!stage) return this.#last;
    return { seq: stage.screen.seq, title: stage.screen.title, size: stage.size, fed: stage.fed };
  }

  /** A stage that plays the journal up to `cursor` in silence and answers queries from `answerFrom` on. */
  prepare(past: { cursor: number; answerFrom: number }): Stage {
    this.#stage?.dispose();
    const { meta, files, clock, makeEngine, records } = this.#parts;
    const size = { cols: meta.cols, rows: meta.rows };
    const stage = new Stage(
      { files, clock, makeEngine, size, scrollback: SCROLLBACK_LINES },
      { ...past, records },
      {
        scan: () => undefined,
        played: (bytes, at) => this.viewers.played(bytes, at),
        replied: (bytes, at) => this.#on.replied(bytes, at),
        resized: (now) => {
          this.viewers.tell({ type: "resize", ...now });
          // No two terminals wrap old lines anew in the same way; ours is the truth.
          this.viewers.repaintAll();
          this.#waits.resized(stage.sight());
        },
        turned: (change, behind) => {
          if (change) this.#waits.changed(stage.sight());
          this.#on.behind(behind);
        },
        ready: () => {
          for (const run of this.#whenReady.splice(0)) run();
          this.viewers.repaintAll();
        },
        trapped: (at, bytes) => this.#on.trapped(at, bytes),
        ended: (status) => this.#on.ended(status),
      },
    );
    this.#stage = stage;
    return stage;
  }

  /** The stage, caught up; brought back from the journal when it was let go. */
  async ready(): Promise<Stage> {
    if (!this.#stage) {
      const past = { cursor: this.#parts.files.outputSize(), answerFrom: Number.POSITIVE_INFINITY };
      this.prepare(past).begin();
    }
    const stage = this.#stage;
    if (!stage?.isReady) await new Promise<void>((resolve) => this.#whenReady.push(resolve));
    // A rebuild may have put another stage in its place meanwhile.
    return this.#stage ?? this.ready();
  }

  grew(cursor: number): void {
    this.#stage?.grew(cursor);
  }

  record(record: JournalRecord): void {
    this.#parts.records.push(record);
    this.#stage?.record(record);
    this.#stage?.grew(record.cursor);
  }

  wait(spec: WaitSpec, stage: Stage, gone?: Gone): Promise<WaitResult> | Fault {
    return this.#waits.begin(spec, stage.sight(), gone);
  }

  /** The program is over and its last output was looked at. */
  finish(): void {
    this.#waits.exited();
  }

  watch(spec: ViewerSpec): Viewer {
    const viewer = new Viewer(spec);
    this.viewers.add(viewer, spec.cursor);
    return viewer;
  }

  /** Lets the engine go; the next reader brings it back. */
  cool(): void {
    if (!this.#stage || this.viewers.count > 0) return;
    this.#last = this.facts;
    this.#stage.dispose();
    this.#stage = undefined;
  }

  dispose(): void {
    this.viewers.clear();
    this.#stage?.dispose();
    this.#stage = undefined;
  }

  #source(): Source {
    const show = this;
    const { files, records } = this.#parts;
    return {
      get fed(): number {
        return show.#stage?.fed ?? show.#last.fed;
      },
      since(cursor: number): Uint8Array | undefined {
        const missing = this.fed - cursor;
        const resized = records.some((record) => record.kind === "resize" && record.cursor > cursor);
        if (missing < 0 || missing > RESUME_WINDOW_BYTES || resized) return undefined;
        const into = new Uint8Array(missing);
        return into.subarray(0, files.readOutput(cursor, into));
      },
      repaint: (paint) => show.#stage?.repaint(PAINTS[paint]) ?? new Uint8Array(0),
    };
  }
}

function lastSize({ meta, records }: ShowParts): Size {
  const resize = records.findLast((record) => record.kind === "resize");
  return { cols: resize?.cols ?? meta.cols, rows: resize?.rows ?? meta.rows };
}
