// One PTY with its journal, screen, viewers and gate. Owns: its state and the order in which things happen to it.
// Refuses: to know transports, and to keep anything that the journal does not have.
import type { Clock } from "../base/clock.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import { Gate } from "../gate/gate.ts";
import {
  type Holder,
  type Holding,
  type HoldingEvents,
  NO_PROGRAM,
  type Probe,
  type Survivor,
} from "../journal/holding.ts";
import { isJournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles, Store } from "../journal/store.ts";
import type { ExitStatus, PtyCommand, Size } from "../pty/pty.ts";
import type { WaitSpec } from "../screen/conditions.ts";
import type { MakeEngine } from "../screen/engine.ts";
import type { InputSpec } from "../screen/input.ts";
import type { Gone, WaitResult } from "../screen/waits.ts";
import type { Viewer, ViewerSpec } from "../viewer/viewer.ts";
import { Keyboard } from "./keyboard.ts";
import { type End, endedFault, exitMessage, isOver, pastOf, type SessionState, stateAfter } from "./life.ts";
import { keptBefore } from "./past.ts";
import { type SeeOptions, screenOf, sessionInfo } from "./report.ts";
import { Show } from "./show.ts";
import type { Stage } from "./stage.ts";

/** Unread journal beyond which the program is paused: a tenth of a second of a loud one. */
const BACKLOG_BYTES_MAX = 4 << 20;
const BACKLOG_BYTES_LOW = 1 << 20;
/** A program that waits for an answer prints nothing after its question; older questions are not answered late. */
const LATE_ANSWER_BYTES = 4 << 10;

export interface SessionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly holder: Holder;
  readonly command: PtyCommand;
  /** Lines of history that the engine keeps for everyone. */
  readonly scrollback: number;
}

export class Session {
  readonly meta: Meta;
  #parts: SessionParts;
  #files: SessionFiles;
  readonly show: Show;
  #gate: Gate;
  #keyboard: Keyboard;
  #holding: Holding | undefined;
  #state: SessionState;
  #end: End | undefined;
  #closing = false;
  #paused = false;
  #starting: Promise<Fault | undefined> | undefined;
  #whenEnded: (() => void)[] = [];

  constructor(meta: Meta, parts: SessionParts) {
    this.meta = meta;
    this.#parts = parts;
    this.#files = parts.store.files(meta.session_id, "daemon");
    const { clock, makeEngine, scrollback } = parts;
    const records = this.#files.readLines("records").filter(isJournalRecord);
    const past = pastOf(records, this.#files.readLines("events"), parts.store.started(meta.session_id));
    this.#state = past.state;
    this.#end = past.end;
    this.show = new Show(
      {
        meta,
        files: this.#files,
        clock,
        makeEngine,
        scrollback,
        records,
        probe: async () => ({ probe: await this.#probe(), leader: this.#holding?.pid ?? null }),
      },
      {
        replied: (bytes, cursor) => this.#gate.reply(bytes, cursor),
        behind: (bytes) => this.#balance(bytes),
        ended: (status) => this.#ended(status),
        fit: (size) => void this.#holding?.resize(size),
        trapped: (at, n) => this.#notice(`The screen engine failed at byte ${at}; it was rebuilt without ${n} bytes.`),
      },
    );
    const held = (hold: string) => this.show.viewers.tell({ type: "hold", hold });
    this.#gate = new Gate({ files: this.#files, clock, held });
    this.#keyboard = new Keyboard({ clock, gate: this.#gate, probe: () => this.#probe() });
  }

  get id(): string {
    return this.meta.session_id;
  }
  get state(): SessionState {
    return this.#state;
  }
  get over(): boolean {
    return isOver(this.#state);
  }

  info() {
    const viewers = this.show.viewers.count;
    const program = { state: this.#state, pid: this.#holding?.pid ?? null, hold: this.#gate.hold, end: this.#end };
    return sessionInfo(this.meta, this.show.facts, { ...program, viewers });
  }

  /** Starts the program of a pending session; does nothing when it already runs or ran. */
  start(): Promise<Fault | undefined> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Takes over a program that went on running while no daemon was there. */
  async revive(survivor: Survivor): Promise<void> {
    // Already over: it ended and wrote that down between the holder's answer and our reading.
    if (this.#end) return;
    this.#state = "running";
    this.#starting = Promise.resolve(undefined);
    const answerFrom = Math.max(survivor.answered, survivor.cursor - LATE_ANSWER_BYTES);
    // What is still to be answered must be played, so not from a later state than that.
    const from = await keptBefore(this.#files, answerFrom);
    const stage = this.show.prepare({ cursor: survivor.cursor, answerFrom, from });
    this.#runWith(survivor.attach(this.#events()));
    stage.begin();
  }

  async send(actor: Actor, input: InputSpec, then?: WaitSpec, gone?: Gone): Promise<WaitResult | Fault> {
    const stage = await this.#use();
    if (isFault(stage)) return stage;
    let wait: Promise<WaitResult> | undefined;
    const typed = await this.#keyboard.type(stage, actor, input, () => {
      const begun =
        then && this.show.wait(then, { before: stage.baseline(), now: stage.sight(), follows: "input" }, gone);
      if (isFault(begun)) return begun;
      wait = begun;
      return undefined;
    });
    if (isFault(typed)) return typed;
    if (typed === "shut") return endedFault(this.id, this.#state);
    return (await wait) ?? { outcome: "matched", matched: null, matched_at_entry: false };
  }

  async wait(spec: WaitSpec, gone?: Gone): Promise<WaitResult | Fault> {
    if (this.over) this.show.over(); // One that ended before this daemon began was never told so.
    const { before, now } = await this.show.entry(spec.since);
    return this.show.wait(spec, { before, now, follows: "nothing" }, gone);
  }

  async see(options: SeeOptions) {
    const stage = await this.show.ready();
    const { echo, foreground } = await this.#probe();
    const program = { echo, foreground, state: this.#state, hold: this.#gate.hold, ts: this.#parts.clock.now() };
    return { session_id: this.id, ...screenOf(stage, options), ...program };
  }

  async resize(size: Size): Promise<Fault | undefined> {
    if (this.over) return endedFault(this.id, this.#state);
    const failed = await this.start();
    if (!failed) await this.#holding?.resize(size);
    return failed;
  }

  async signal(name: string): Promise<boolean | Fault> {
    return this.#holding ? this.#holding.signal(name) : endedFault(this.id, this.#state);
  }

  /** Ends the program and waits until its last output was played. */
  async close(actor: Actor): Promise<void> {
    if (this.over) return;
    this.#closing = true;
    this.#log({ kind: "close", actor: actorName(actor) });
    if (this.#state === "pending") return this.#ended({ code: null, signal: null });
    await this.start();
    if (this.over) return;
    const ended = new Promise<void>((resolve) => this.#whenEnded.push(resolve));
    await this.#holding?.close();
    await ended;
  }

  /** A watcher joins: greeting, then exactly the missing bytes or a repaint, then everything live. */
  async attach(spec: ViewerSpec): Promise<Viewer | Fault> {
    const { link, role } = spec;
    const stage = role === "input" && !this.over ? await this.#use() : await this.show.ready();
    if (isFault(stage)) return stage;
    const { cols, rows } = stage.size;
    const { seq } = stage.screen;
    link.text({ type: "hello", session_id: this.id, cursor: stage.fed, cols, rows, seq, state: this.#state });
    const viewer = this.show.watch(spec);
    link.text({ type: "hold", hold: this.#gate.hold });
    if (this.#end) link.text(exitMessage(this.#end));
    return viewer;
  }

  type(actor: Actor, bytes: Uint8Array): void {
    this.#gate.submit(actor, bytes);
  }

  /** Lets the engine of an ended session go; the next reader brings it back from the journal. */
  cool(): void {
    if (this.over) this.show.cool();
  }

  dispose(): void {
    this.show.dispose();
    this.#files.close();
  }

  async #start(): Promise<Fault | undefined> {
    if (this.#state !== "pending") return undefined;
    this.#setState("provisioning");
    const stage = this.show.prepare({ cursor: 0, answerFrom: 0 });
    const holding = await this.#parts.holder.open(this.id, this.#parts.command, this.#events());
    if (isFault(holding)) {
      this.#setState("pending");
      this.#starting = undefined;
      stage.begin();
      return holding;
    }
    this.#setState("running");
    this.#runWith(holding);
    stage.begin();
    return undefined;
  }

  #runWith(holding: Holding): void {
    this.#holding = holding;
    this.#gate.open(holding);
  }

  /** A stage with a running program behind it. */
  async #use(): Promise<Stage | Fault> {
    if (this.over) return endedFault(this.id, this.#state);
    return (await this.start()) ?? this.show.ready();
  }

  #events(): HoldingEvents {
    return {
      grew: (cursor) => this.show.grew(cursor),
      resized: (record) => this.show.record(record),
      gap: (record) => {
        this.show.record(record);
        this.#notice(`The disk refused ${record.bytes} bytes of output; they are missing at byte ${record.cursor}.`);
      },
      refused: (bytes) => this.#notice(`The program does not read its input; ${bytes} bytes were dropped.`),
      exited: (status, cursor) => this.show.record({ kind: "exit", cursor, ...status, ts: this.#parts.clock.now() }),
      lost: () => this.#lost(),
    };
  }

  #ended(status: ExitStatus): void {
    if (this.over) return;
    this.#end = { ...status, at: this.#parts.clock.now() };
    this.#over(stateAfter(status, this.#closing ? "closed" : "itself"));
    this.show.viewers.tell(exitMessage(status));
  }

  #lost(): void {
    if (this.over) return;
    this.#over("lost");
    this.#notice("The holder process is gone; this session ended with it.");
  }

  #over(state: SessionState): void {
    this.#gate.shut();
    this.#holding = undefined;
    this.#setState(state);
    this.show.finish();
    for (const run of this.#whenEnded.splice(0)) run();
  }

  #setState(state: SessionState): void {
    this.#state = state;
    this.#log({ kind: "state", state });
    this.show.viewers.tell({ type: "state", state });
  }

  /** Backpressure: the program waits while its output is not yet on the screen. */
  #balance(behind: number): void {
    const pause = behind > (this.#paused ? BACKLOG_BYTES_LOW : BACKLOG_BYTES_MAX);
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#holding?.pause();
    else this.#holding?.resume();
  }

  async #probe(): Promise<Probe> {
    return (await this.#holding?.probe()) ?? NO_PROGRAM;
  }

  #notice(message: string): void {
    this.#log({ kind: "notice", message });
    this.show.viewers.tell({ type: "notice", message });
  }

  #log(event: object): void {
    this.#files.appendLine("events", { ts: this.#parts.clock.now(), ...event });
  }
}
