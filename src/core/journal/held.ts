// One PTY and the writing of its journal. Owns: the append to output and records, whether the PTY is paused, and what happens when
// the disk refuses. Refuses: to parse the bytes, to decide anything.
import type { Echo } from "../../protocol/words/program.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, isFault } from "../base/fault.ts";
import type { ExitStatus, Pty, PtyCommand, Size, Spawn } from "../pty/pty.ts";
import type { Holding, HoldingEvents, InputNumber, Probe, QuickProbe, TerminalQuery } from "./holding.ts";
import type { GapRecord } from "./records.ts";
import { ReplyWriter } from "./reply-writer.ts";
import type { SessionFiles } from "./store.ts";
import { TypedInput } from "./typed-input.ts";
import { Unread, type UnreadLimit } from "./unread.ts";

/** Output kept in memory while the disk refuses: two seconds of a fast build log. Beyond it we pause the PTY. */
const JOURNAL_QUEUE_BYTES_MAX = 8 << 20;
/** How often we retry a refused append: soon after space is freed, without wasting CPU. */
const JOURNAL_RETRY_MS = 200;
/** After this long the session goes on living without the bytes, and a gap says so. */
const JOURNAL_PATIENCE_MS = 10_000;

/** The time resolution of output. A replay is smooth, and a loud session costs 20 short lines a second. */
const MARK_EVERY_MS = 50;

interface HeldParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly spawn: Spawn;
}

export class Held implements Holding {
  #parts: HeldParts;
  #on: HoldingEvents;
  #pty: Pty | undefined;
  #cursor: number;
  #told = 0;
  #size: Size;
  #answered = 0;
  #typed = new TypedInput();
  #markedAt = Number.NEGATIVE_INFINITY;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #replyWriter: ReplyWriter | undefined;
  #refusedSince: number | undefined;
  #ended: ExitStatus | undefined;
  #wanted: "flow" | "pause" | "hush" = "flow";
  #unread = new Unread();

  private constructor({ cols, rows }: Size, parts: HeldParts, on: HoldingEvents) {
    this.#size = { cols, rows };
    this.#parts = parts;
    this.#on = on;
    this.#cursor = parts.files.outputSize();
  }

  static open(command: PtyCommand, parts: HeldParts, on: HoldingEvents): Held | Fault {
    const held = new Held(command, parts, on);
    const pty = parts.spawn(command, { bytes: (chunk) => held.#bytes(chunk), exit: (status) => held.#exit(status) });
    if (isFault(pty)) return pty;
    held.#pty = pty;
    held.#replyWriter = new ReplyWriter(pty, parts.clock);
    return held;
  }

  /** The newest listener gets everything from here on. What it missed is in the store. */
  listen(on: HoldingEvents): void {
    this.#on = on;
  }

  get cursor(): number {
    return this.#cursor;
  }
  get answered(): number {
    return this.#answered;
  }
  get ended(): ExitStatus | undefined {
    return this.#ended;
  }
  get pid(): number {
    return this.#live().pid;
  }

  reply(bytes: Uint8Array, { cursor, asker }: TerminalQuery): void {
    this.#answered = cursor;
    this.#replyWriter?.send(bytes, asker);
  }

  type(bytes: Uint8Array): Promise<"written" | "echo_off"> {
    if (this.#live().echo() === "off") return Promise.resolve("echo_off");
    if (this.#live().write(bytes, "agent") === "full") this.#on.refused(bytes.length);
    return Promise.resolve("written");
  }

  dropUnread(): Promise<boolean> {
    this.#live().dropUnread();
    return Promise.resolve(true);
  }

  get typed(): InputNumber[] {
    return this.#typed.list;
  }

  write(bytes: Uint8Array, number?: InputNumber): void {
    if (!this.#typed.isNew(number)) return;
    if (this.#live().write(bytes) === "full") this.#on.refused(bytes.length);
  }

  async resize(size: Size): Promise<void> {
    if (this.#ended) return;
    const record = { cursor: this.#cursor, kind: "resize", cols: size.cols, rows: size.rows, ts: this.#now() } as const;
    this.#parts.files.appendLine("records", record);
    this.#size = size;
    this.#live().resize(size);
    this.#on.resized(record);
  }

  async keepSize(): Promise<void> {
    if (!this.#ended) this.#live().resize(this.#size);
  }

  pause(): void {
    this.#wanted = "pause";
    this.#flow();
  }

  resume(): void {
    const isUntold = this.#wanted === "hush" && this.#cursor > this.#told && !this.#ended;
    this.#wanted = "flow";
    this.#flow();
    if (isUntold) this.#tellGrown();
  }

  hush(): void {
    this.#wanted = "hush";
    this.#flow();
  }

  /** What it may print while nobody reads it. A daemon that has just come wants all of it. */
  bound(limit: UnreadLimit | undefined): void {
    this.#wanted = "flow";
    this.#unread.bound(limit, this.#cursor);
    this.#caughtUp();
  }

  read(cursor: number, ahead?: number): void {
    this.#unread.read(cursor, this.#cursor, ahead);
    this.#caughtUp();
  }

  signal(name: string): Promise<boolean> {
    return Promise.resolve(this.#live().signal(name));
  }

  echo(): Promise<Echo> {
    return Promise.resolve(this.#live().echo());
  }

  quickProbe(): Promise<QuickProbe> {
    const pty = this.#live();
    return Promise.resolve(this.#dated({ echo: pty.echo(), foreground: pty.foreground() }));
  }

  probe(): Promise<Probe> {
    const pty = this.#live();
    return Promise.resolve(this.#dated({ echo: pty.echo(), foreground: pty.foreground(), activity: pty.activity() }));
  }

  /** With the cursor after the look, so that nothing is missing which was printed before it. */
  #dated<T extends QuickProbe>(seen: T): T {
    const isWritten = this.#live().readAll() === "all" && this.#waitingBytes === 0;
    return { ...seen, cursor: isWritten ? this.#cursor : null };
  }

  retype(): Promise<void> {
    return this.#live().retype();
  }

  close(): Promise<void> {
    // It resumes a paused one, which would never reach its end.
    return this.#live().close();
  }

  #live(): Pty {
    if (!this.#pty) throw new Error("held PTY used before it was opened");
    return this.#pty;
  }

  #now(): number {
    return this.#parts.clock.now();
  }

  /** The PTY is read while nothing is against it: the daemon, the disk, or too much that nobody has read. */
  #flow(): void {
    if (this.#ended) return;
    const isPaused = this.#wanted === "pause" || this.#waitingBytes > JOURNAL_QUEUE_BYTES_MAX || this.#unread.pauses;
    if (isPaused) this.#live().pause();
    else this.#live().resume(this.#unread.room);
  }

  #caughtUp(): void {
    if (!this.#unread.drops) this.#tellDropped();
    this.#flow();
  }

  /** What waits is copied, because the reader uses its buffer again. `slice` does not copy when that is a Buffer. */
  #bytes(chunk: Uint8Array): void {
    if (this.#unread.drops) return this.#unread.drop(chunk.length);
    if (this.#refusedSince !== undefined) return this.#queue(new Uint8Array(chunk));
    const stored = this.#append(chunk);
    if (stored < chunk.length) this.#queue(new Uint8Array(chunk.subarray(stored)));
  }

  #append(chunk: Uint8Array): number {
    this.#mark();
    const stored = this.#parts.files.appendOutput(chunk);
    if (stored > 0) {
      this.#cursor += stored;
      if (this.#wanted !== "hush") this.#tellGrown();
      this.#unread.grew(this.#cursor);
      if (this.#unread.pauses) this.#flow();
    }
    return stored;
  }

  #tellGrown(): void {
    this.#told = this.#cursor;
    this.#on.grew(this.#cursor);
  }

  #mark(): void {
    const now = this.#parts.clock.monotonic();
    if (now - this.#markedAt < MARK_EVERY_MS) return;
    this.#markedAt = now;
    this.#parts.files.appendLine("records", { cursor: this.#cursor, kind: "mark", ts: this.#now() });
  }

  #queue(rest: Uint8Array): void {
    this.#waiting.push(rest);
    this.#waitingBytes += rest.length;
    this.#flow();
    if (this.#refusedSince !== undefined) return;
    this.#refusedSince = this.#parts.clock.monotonic();
    this.#parts.clock.after(JOURNAL_RETRY_MS, () => this.#retry());
  }

  #retry(): void {
    while (this.#waiting[0]) {
      const chunk = this.#waiting[0];
      const stored = this.#append(chunk);
      this.#waitingBytes -= stored;
      if (stored < chunk.length) {
        this.#waiting[0] = chunk.subarray(stored);
        break;
      }
      this.#waiting.shift();
    }
    const since = this.#refusedSince ?? 0;
    if (this.#waiting.length > 0 && this.#parts.clock.monotonic() - since < JOURNAL_PATIENCE_MS) {
      this.#parts.clock.after(JOURNAL_RETRY_MS, () => this.#retry());
      return;
    }
    this.#refusedSince = undefined;
    if (this.#waiting.length > 0) this.#giveUp();
    this.#flow();
    if (this.#ended) this.#finish(this.#ended);
  }

  #giveUp(): void {
    const bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#gap(bytes, "disk");
  }

  #tellDropped(): void {
    const bytes = this.#unread.takeDropped();
    if (bytes > 0) this.#gap(bytes, "unread");
  }

  #gap(bytes: number, why: GapRecord["why"]): void {
    const record: GapRecord = { cursor: this.#cursor, kind: "gap", bytes, why, ts: this.#now() };
    this.#parts.files.appendLine("records", record);
    this.#on.gap(record);
  }

  #exit(status: ExitStatus): void {
    this.#ended = status;
    this.#replyWriter?.end();
    if (this.#refusedSince === undefined) this.#finish(status);
  }

  #finish(status: ExitStatus): void {
    this.#tellDropped();
    const ts = this.#now();
    this.#parts.files.appendLine("records", { cursor: this.#cursor, kind: "exit", ...status, ts });
    this.#parts.files.close();
    this.#on.exited(status, this.#cursor, ts);
  }
}
