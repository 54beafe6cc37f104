// The program behind a session: its start, its state, its end. Owns: the holding while it lives, and the session's state.
// Refuses: to know what it prints, and to write to it; that is the gate.
import type { SessionState } from "../../protocol/ops/session.ts";
import { type Fault, isFault } from "../base/fault.ts";
import type { Shells } from "../block/shells.ts";
import type { SessionBoxes } from "../box/boxes.ts";
import {
  type Holder,
  type Holding,
  type HoldingEvents,
  NO_PROGRAM,
  type Probe,
  type QuickProbe,
  type Survivor,
} from "../journal/holding.ts";
import type { JournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles } from "../journal/store.ts";
import type { ExitStatus, PtyCommand, Size } from "../pty/pty.ts";
import { provisionMark, withBefore } from "../worktree/provision.ts";
import { Flow, type FlowParts } from "./flow/flow.ts";
import { type End, endedFault, isOver, stateAfter } from "./life.ts";

interface ProgramParts extends Omit<FlowParts, "play"> {
  readonly meta: Meta;
  readonly files: SessionFiles;
  readonly holder: Holder;
  readonly shells: Shells;
  readonly boxes: SessionBoxes;
  command(): PtyCommand;
  /** Plays what was put off. */
  catchUp(): void;
}

export interface ProgramEvents {
  opened(holding: Holding): void;
  grew(cursor: number): void;
  record(record: JournalRecord): void;
  state(state: SessionState): void;
  notice(message: string): void;
  /** Its last output was played, or it is lost. The state follows. */
  over(): void;
}

export class Program {
  /** How far it may run ahead of what was played. */
  readonly flow: Flow;
  #parts: ProgramParts;
  #on: ProgramEvents;
  #holding: Holding | undefined;
  /** The program's own pid, behind the processes of its box. */
  #inside: number | null = null;
  #state: SessionState;
  #end: End | undefined;
  #closing = false;
  #whenEnded: (() => void)[] = [];
  /** How far its output was searched for the end of provisioning. Undefined: it was found, or there is none. */
  #searched: number | undefined;
  /** Bytes that the disk or the program did not take, since this daemon began. */
  readonly dropped = { output: 0, input: 0 };
  /** Probes taken after output that was not played yet. */
  #early: { readonly cursor: number; readonly run: () => void }[] = [];

  constructor(parts: ProgramParts, past: { state: SessionState; end: End | undefined }, on: ProgramEvents) {
    this.#parts = parts;
    this.#on = on;
    this.flow = new Flow({ ...parts, play: (cursor) => on.grew(cursor) });
    this.#state = past.state;
    this.#end = past.end;
    this.#searched = parts.meta.provision === undefined ? undefined : 0;
  }

  get state(): SessionState {
    return this.#state;
  }
  get end(): End | undefined {
    return this.#end;
  }
  get over(): boolean {
    return isOver(this.#state);
  }
  get alive(): boolean {
    return this.#holding !== undefined;
  }
  get pid(): number | null {
    const pid = this.#holding?.pid ?? null;
    const { meta, boxes } = this.#parts;
    if (pid === null || !meta.box) return pid;
    this.#inside ??= boxes.programIn(pid);
    return this.#inside ?? pid;
  }

  async open(): Promise<Fault | undefined> {
    this.#setState("provisioning");
    let failed: Fault | undefined | "thrown" = "thrown";
    try {
      failed = await this.#opened();
    } finally {
      // Whatever kept it from starting, it can be started again, or closed.
      if (failed) this.#setState("pending");
      if (failed) this.#parts.boxes.ended(this.#parts.meta.session_id);
    }
    return failed;
  }

  async #opened(): Promise<Fault | undefined> {
    const holding = await this.#begun();
    if (isFault(holding)) return holding;
    if (this.#searched === undefined) this.#setState("running");
    try {
      this.#take(holding);
    } catch (error) {
      // Nobody would know of the program.
      this.#holding = undefined;
      await holding.close();
      throw error;
    }
    return undefined;
  }

  async #begun(): Promise<Holding | Fault> {
    const { holder, shells, boxes, meta } = this.#parts;
    const command = this.#parts.command();
    const marked = meta.integration ? shells.integrate(command, meta.session_id, meta.integration) : command;
    const whole = withBefore(marked);
    const start = meta.box ? boxes.wrap(whole, meta.session_id, meta.box) : whole;
    return isFault(start) ? start : holder.open(meta.session_id, start, this.#events());
  }

  /** Takes over a program that kept running without a daemon. */
  revive(survivor: Survivor): void {
    this.#state = "running";
    this.#search(this.#parts.files.outputSize());
    if (this.#searched !== undefined) this.#state = "provisioning";
    this.#take(survivor.attach(this.#events()));
  }

  /** Probes the kernel and answers when the marks and the screen have reached the same moment. */
  async probe(): Promise<Probe> {
    return this.#whenPlayed((await this.#holding?.probe()) ?? NO_PROGRAM);
  }

  /** The same without what its processes do: that takes the holder longer, the more programs the machine runs. */
  async quickProbe(): Promise<QuickProbe> {
    return this.#whenPlayed((await this.#holding?.quickProbe()) ?? NO_PROGRAM);
  }

  async #whenPlayed<T extends QuickProbe>(seen: T): Promise<T> {
    const { cursor } = seen;
    if (typeof cursor === "number" && cursor > this.#parts.fed()) this.#parts.catchUp();
    if (typeof cursor === "number" && this.alive && cursor > this.#parts.fed())
      await new Promise<void>((run) => this.#early.push({ cursor, run }));
    return seen;
  }

  /** Throws away what agents typed and nobody has read. False: there is no holder, or one that cannot. */
  async dropUnread(): Promise<boolean> {
    return (await this.#holding?.dropUnread()) ?? false;
  }

  async retype(): Promise<void> {
    await this.#holding?.retype();
  }

  /** Its output up to here is on the screen, and all listeners know. */
  played(fed: number): void {
    if (Number.isFinite(fed)) this.flow.played(fed);
    if (Number.isFinite(fed)) this.#search(fed);
    const due = this.#early.filter(({ cursor }) => cursor <= fed);
    if (due.length === 0) return;
    this.#early = this.#early.filter(({ cursor }) => cursor > fed);
    for (const { run } of due) run();
  }

  async resize(size: Size): Promise<void> {
    await this.#holding?.resize(size);
  }

  /** A program may have given the terminal another size. It gets its own again. */
  async keepSize(): Promise<void> {
    await this.#holding?.keepSize();
  }

  async signal(name: string): Promise<boolean | Fault> {
    return this.#holding ? this.#holding.signal(name) : endedFault(this.#parts.meta.session_id, this.#state);
  }

  /** Whether somebody is expected to type. */
  waits(waits: boolean): void {
    const state = waits ? "waiting_for_input" : "running";
    if (!this.over && this.#searched === undefined && this.#state !== state) this.#setState(state);
  }

  /** Notes that its end was requested. A program that never started is over at once. */
  closing(): void {
    this.#closing = true;
    if (this.#state === "pending") this.ended({ code: null, signal: null });
  }

  /** Ends it and waits until its last output was played. */
  async close(): Promise<void> {
    if (this.over) return;
    const ended = new Promise<void>((resolve) => this.#whenEnded.push(resolve));
    await this.#holding?.close();
    await ended;
  }

  ended(status: ExitStatus, at = this.#parts.clock.now()): void {
    if (this.over) return;
    this.#end = { code: status.code, signal: status.signal, at };
    this.#over(stateAfter(status, this.#closing ? "closed" : "itself"));
  }

  #take(holding: Holding): void {
    this.#holding = holding;
    this.flow.begin(holding);
    const { meta, boxes } = this.#parts;
    if (meta.box) boxes.started(meta.session_id, meta.box, holding.pid, (text) => this.#on.notice(text));
    this.#on.opened(holding);
  }

  #events(): HoldingEvents {
    return {
      grew: (cursor) => {
        this.#search(cursor);
        this.flow.flood.grew(cursor);
      },
      resized: (record) => this.#on.record(record),
      gap: (record) => {
        this.dropped.output += record.bytes;
        this.#on.record(record);
        const why = record.why === "unread" ? "Nobody read the output in time, and" : "The disk refused output, and";
        this.#on.notice(`${why} ${record.bytes} bytes are missing at byte ${record.cursor}.`);
      },
      refused: (bytes) => {
        this.dropped.input += bytes;
        this.#on.notice(`The program does not read its input; ${bytes} bytes were dropped.`);
      },
      exited: (status, cursor, ts) => this.#on.record({ kind: "exit", cursor, ...status, ts }),
      lost: () => this.#lost(),
    };
  }

  /** The journal tells when its worktree is complete, so that a new daemon knows, too. */
  #search(cursor: number): void {
    const { meta, files } = this.#parts;
    if (this.#searched === undefined || meta.provision === undefined || cursor <= this.#searched) return;
    const mark = provisionMark(meta.provision);
    const from = Math.max(0, this.#searched - mark.length);
    this.#searched = files.outputHas(mark, from, cursor) ? undefined : cursor;
    if (this.#searched === undefined && this.#state === "provisioning") this.#setState("running");
  }

  #lost(): void {
    if (this.over) return;
    this.#over("lost");
    this.#on.notice("The holder process is gone; this session ended with it.");
  }

  #over(state: SessionState): void {
    this.#holding = undefined;
    this.flow.end();
    this.#parts.boxes.ended(this.#parts.meta.session_id);
    this.#setState(state);
    this.#on.over();
    this.played(Number.POSITIVE_INFINITY);
    for (const run of this.#whenEnded.splice(0)) run();
  }

  #setState(state: SessionState): void {
    this.#state = state;
    this.#on.state(state);
  }
}
