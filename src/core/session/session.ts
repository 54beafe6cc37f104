// One PTY with its journal, screen, blocks, viewers and gate. Owns: how these hear of each other. Refuses: to know
// transports, and to keep anything that the journal does not have.
import type { Clock } from "../base/clock.ts";
import { type Fault, isFault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import type { Shells } from "../block/shells.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import { Gate } from "../gate/gate.ts";
import { Origins } from "../gate/origins.ts";
import type { Holder, Survivor } from "../journal/holding.ts";
import { isJournalRecord, type JournalRecord } from "../journal/records.ts";
import type { Meta, SessionFiles, Store } from "../journal/store.ts";
import type { PtyCommand, Size } from "../pty/pty.ts";
import type { WaitSpec } from "../screen/conditions.ts";
import type { MakeEngine } from "../screen/engine.ts";
import type { InputSpec } from "../screen/input.ts";
import type { Gone, WaitResult } from "../screen/waits.ts";
import type { Viewer, ViewerSpec } from "../viewer/viewer.ts";
import { Commands } from "./commands.ts";
import { Keyboard } from "./keyboard.ts";
import { endedFault, exitMessage, pastOf, type SessionState } from "./life.ts";
import { keptBefore } from "./past.ts";
import { Program } from "./program.ts";
import { Replies } from "./replies.ts";
import { type SeeOptions, screenOf, sessionInfo } from "./report.ts";
import { Show } from "./show.ts";
import type { Stage } from "./stage.ts";

/** A program that waits for an answer prints nothing after its question; older questions are not answered late. */
const LATE_ANSWER_BYTES = 4 << 10;

export interface SessionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly holder: Holder;
  readonly shells: Shells;
  readonly command: PtyCommand;
  /** Lines of history that the engine keeps for everyone. */
  readonly scrollback: number;
}

export class Session {
  readonly meta: Meta;
  #parts: SessionParts;
  #files: SessionFiles;
  readonly show: Show;
  readonly commands: Commands;
  #program: Program;
  #gate: Gate;
  #keyboard: Keyboard;
  #replies: Replies;
  #starting: Promise<Fault | undefined> | undefined;

  constructor(meta: Meta, parts: SessionParts) {
    this.meta = meta;
    this.#parts = parts;
    this.#files = parts.store.files(meta.session_id, "daemon");
    const records = this.#files.readLines("records").filter(isJournalRecord);
    const events = this.#files.readLines("events");
    const past = pastOf(records, events, parts.store.started(meta.session_id));
    const origins = new Origins(events);
    const { clock, holder, shells, command } = parts;
    this.#program = new Program({ meta, files: this.#files, clock, holder, shells, command }, past, {
      opened: (holding) => {
        this.#gate.open(holding);
        this.commands.attention.active();
      },
      grew: (cursor) => this.show.grew(cursor),
      record: (record) => this.show.record(record),
      notice: (message) => this.#notice(message),
      state: (state) => this.#told(state),
      over: () => this.#over(),
    });
    this.commands = this.#newCommands(origins);
    this.show = this.#newShow(records);
    this.#gate = new Gate({
      files: this.#files,
      clock,
      origins,
      cursor: () => this.show.facts.fed,
      held: (hold) => this.show.viewers.tell({ type: "hold", hold }),
      typed: () => this.commands.attention.active(),
    });
    this.#replies = new Replies({
      clock,
      running: () => this.commands.marked === "running",
      probe: () => this.#program.probe(),
      leader: () => this.#program.pid,
      send: (bytes, to) => this.#gate.reply(bytes, to),
    });
    this.#keyboard = new Keyboard({ clock, gate: this.#gate, probe: () => this.#program.probe() });
  }

  get id(): string {
    return this.meta.session_id;
  }
  get state(): SessionState {
    return this.#program.state;
  }
  get over(): boolean {
    return this.#program.over;
  }

  info() {
    const viewers = this.show.viewers.count;
    const { state, pid, end } = this.#program;
    return sessionInfo(this.meta, this.show.facts, { state, pid, end, hold: this.#gate.hold, viewers }, this.commands);
  }

  /** Starts the program of a pending session; does nothing when it already runs or ran. */
  start(): Promise<Fault | undefined> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Takes over a program that went on running while no daemon was there. */
  async revive(survivor: Survivor): Promise<void> {
    // Already over: it ended and wrote that down between the holder's answer and our reading.
    if (this.#program.end) return;
    this.#starting = Promise.resolve(undefined);
    const answerFrom = Math.max(survivor.answered, survivor.cursor - LATE_ANSWER_BYTES);
    // What is still to be answered must be played, so not from a later state than that.
    const from = await keptBefore(this.#files, answerFrom);
    await this.commands.blocks.catchUp(from?.cursor ?? 0);
    const stage = this.show.prepare({ cursor: survivor.cursor, answerFrom, from });
    this.#program.revive(survivor);
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
    if (typed === "shut") return endedFault(this.id, this.state);
    return (await wait) ?? { outcome: "matched", matched: null, matched_at_entry: false };
  }

  async wait(spec: WaitSpec, gone?: Gone): Promise<WaitResult | Fault> {
    if (this.over) this.show.over(); // One that ended before this daemon began was never told so.
    const { before, now } = await this.show.entry(spec.since);
    const blockEnded = spec.since !== undefined && (this.commands.blocks.last?.cursor_end ?? 0) > spec.since;
    return this.show.wait(spec, { before, now, follows: "nothing", blockEnded }, gone);
  }

  async see(options: SeeOptions) {
    const stage = await this.show.ready();
    const { echo, foreground } = await this.#program.probe();
    const program = { echo, foreground, state: this.state, hold: this.#gate.hold, ts: this.#parts.clock.now() };
    return { session_id: this.id, ...screenOf(stage, options), ...program };
  }

  async resize(size: Size): Promise<Fault | undefined> {
    if (this.over) return endedFault(this.id, this.state);
    const failed = await this.start();
    if (!failed) await this.#program.resize(size);
    return failed;
  }

  signal(name: string): Promise<boolean | Fault> {
    return this.#program.signal(name);
  }

  /** Ends the program and waits until its last output was played. */
  async close(actor: Actor): Promise<void> {
    if (this.over) return;
    this.#log({ kind: "close", actor: actorName(actor) });
    this.#program.closing();
    if (this.over) return;
    await this.start();
    await this.#program.close();
  }

  /** A watcher joins: greeting, then exactly the missing bytes or a repaint, then everything live. */
  async attach(spec: ViewerSpec): Promise<Viewer | Fault> {
    const { link, role } = spec;
    const stage = role === "input" && !this.over ? await this.#use() : await this.show.ready();
    if (isFault(stage)) return stage;
    const { cols, rows } = stage.size;
    const { seq } = stage.screen;
    link.text({ type: "hello", session_id: this.id, cursor: stage.fed, cols, rows, seq, state: this.state });
    const viewer = this.show.watch(spec);
    link.text({ type: "hold", hold: this.#gate.hold });
    if (this.#program.end) link.text(exitMessage(this.#program.end));
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
    this.commands.attention.stop();
    this.show.dispose();
    this.#files.close();
  }

  async #start(): Promise<Fault | undefined> {
    if (this.state !== "pending") return undefined;
    const stage = this.show.prepare({ cursor: 0, answerFrom: 0 });
    const failed = await this.#program.open();
    if (failed) this.#starting = undefined;
    stage.begin();
    return failed;
  }

  /** A stage with a running program behind it. */
  async #use(): Promise<Stage | Fault> {
    if (this.over) return endedFault(this.id, this.state);
    return (await this.start()) ?? this.show.ready();
  }

  #newCommands(origins: Origins): Commands {
    const { clock, shells } = this.#parts;
    const parts = {
      meta: this.meta,
      files: this.#files,
      clock,
      shells,
      origins,
      gate: () => this.#gate,
      glance: () => this.show.glance(),
      program: () => this.#program,
    };
    return new Commands(parts, {
      began: (block) => this.#block("block_begin", block),
      ended: (block) => {
        this.#replies.ended();
        this.#block("block_end", block);
        this.show.blockEnded();
      },
      prompted: () => this.show.prompted(),
      waiting: (waiting) => this.#program.waits(waiting !== null),
    });
  }

  #newShow(records: JournalRecord[]): Show {
    const { clock, makeEngine, scrollback } = this.#parts;
    const probe = async () => ({ probe: await this.#program.probe(), leader: this.#program.pid });
    const marked = () => this.commands.marked;
    return new Show(
      { meta: this.meta, files: this.#files, clock, makeEngine, scrollback, records, probe, marked },
      {
        // Of one that is over, the blocks are read apart.
        scan: (bytes, cursor) => (this.over ? 0 : this.commands.blocks.scan(bytes, cursor)),
        replied: (bytes, cursor) => this.#replies.add(bytes, cursor),
        turned: (behind) => {
          this.#program.balance(behind);
          this.commands.turned();
          this.#replies.turned(behind);
        },
        ended: (status, ts) => this.#program.ended(status, ts),
        fit: (size) => void this.#program.resize(size),
        trapped: (at, n) => this.#notice(`The screen engine failed at byte ${at}; it was rebuilt without ${n} bytes.`),
      },
    );
  }

  #over(): void {
    this.#gate.shut();
    this.commands.over();
    this.show.finish();
    if (this.#program.end) this.show.viewers.tell(exitMessage(this.#program.end));
  }

  #block(type: "block_begin" | "block_end", block: Block): void {
    const { block_id, actor, exit_code, cursor_begin, cursor_end } = block;
    this.#log({ kind: type, block_id, actor, exit_code, cursor_begin, cursor_end });
    this.show.viewers.tell({ type, block: { ...block, session_id: this.id } });
  }

  #told(state: SessionState): void {
    this.#log({ kind: "state", state });
    this.show.viewers.tell({ type: "state", state });
  }

  #notice(message: string): void {
    this.#log({ kind: "notice", message });
    this.show.viewers.tell({ type: "notice", message });
  }

  #log(event: object): void {
    this.#files.appendLine("events", { ts: this.#parts.clock.now(), ...event });
  }
}
