// The commands of one session, found in its output. Owns: how far the output was scanned for marks. marked-shells.ts says what
// they mean.
import type { ShellName } from "../../protocol/words/program.ts";
import { Turns } from "../base/clock.ts";
import type { NestedShell } from "../journal/store.ts";
import type { Block } from "./block.ts";
import type { BlocksEvents } from "./blocks-events.ts";
import type { Level, Phase } from "./level.ts";
import { ECHO_BYTES_MAX } from "./line-echo.ts";
import { type BlocksParts, MarkedShells } from "./marked-shells.ts";
import { Scan } from "./scan.ts";

const READ_BYTES = 256 << 10;

export class Blocks {
  #parts: BlocksParts;
  #scan = new Scan();
  #scanned: number;
  #shells: MarkedShells;

  constructor(parts: BlocksParts, on: BlocksEvents) {
    this.#parts = parts;
    const { own, nested } = parts;
    this.#shells = new MarkedShells(parts, on, this.#scan);
    this.#scanned = this.last?.cursor_end ?? (own ? 0 : (nested[0]?.cursor ?? 0));
  }

  /** Whether this session's shell marks where its commands begin and end. */
  get supported(): boolean {
    return this.#top.nonce !== null && this.#top.supported;
  }

  /** Whether anything in the output may be a mark. */
  get reads(): boolean {
    return this.#top.nonce !== null || this.#shells.awaited !== undefined;
  }

  get #top(): Level {
    return this.#shells.top;
  }

  get #phase(): Phase {
    return this.#top.phase;
  }

  /** The shell in front, if it runs inside of the session's own program. */
  get nested(): NestedShell | null {
    return this.#top.nested;
  }

  /** How many shells are inside of each other. */
  get depth(): number {
    return this.#shells.depth;
  }

  /** The session's own shell: what it runs holds all that is inside. */
  get own() {
    const { phase, cwd, nonce, supported } = this.#shells.base;
    const running = phase.at === "running" || phase.at === "inside" ? phase.block : undefined;
    const atPrompt = phase.at === "prompt" && phase.line === "ready";
    return { atPrompt, running, cwd, marked: nonce !== null && supported ? phase.at : ("silent" as const) };
  }

  get shell(): ShellName | null {
    return this.supported ? this.#top.shell : null;
  }

  get phase(): "start" | "prompt" | "running" {
    return this.#phase.at === "inside" ? "running" : this.#phase.at;
  }

  /** The line editor reads, and nothing runs. */
  get atPrompt(): boolean {
    return this.#phase.at === "prompt" && this.#phase.line === "ready";
  }

  get running(): Block | undefined {
    return this.#phase.at === "running" ? this.#phase.block : undefined;
  }

  /** The shell's folder, as last reported. Null inside of another program: the folder may be another machine's. */
  get cwd(): string | null {
    return this.nested ? null : this.#top.cwd;
  }

  /** The folder that a shell inside reports. */
  get nestedCwd(): string | null {
    return this.nested ? this.#top.cwd : null;
  }

  /** How many prompts there were, of all shells. */
  get cycle(): number {
    return this.#shells.prompts;
  }

  /** The number that the shell in front gives its prompt. */
  get shellCycle(): number {
    return this.#top.cycle;
  }

  /** How far the output was scanned for marks. Beyond it may be commands that nobody knows of yet. */
  get scanned(): number {
    return this.#scanned;
  }

  /** $? at the last prompt, also when no command ran, as after a syntax error. */
  get status(): number | null {
    return this.#top.status;
  }

  get last(): Block | undefined {
    return this.#shells.last;
  }

  list(): Block[] {
    return this.running ? [...this.#shells.ended, this.running] : [...this.#shells.ended];
  }

  /** The one that began after it. */
  next({ block_id }: Block): Block | undefined {
    if (this.last?.block_id === block_id) return this.running;
    return this.#shells.ended[this.#shells.ended.findLastIndex((block) => block.block_id === block_id) + 1];
  }

  /**
   * Scans exact bytes at an exact cursor. Bytes scanned before are skipped. Returns how many of them a command printed
   * that ended in them.
   */
  scan(bytes: Uint8Array, cursor: number): number {
    if (!this.reads || cursor + bytes.length <= this.#scanned) return 0;
    const { last } = this;
    while (this.#scanned < cursor && this.#read(cursor) > 0);
    const fresh = bytes.subarray(Math.max(0, this.#scanned - cursor));
    this.#push(fresh);
    return this.last === last ? 0 : Math.max(0, (this.last?.cursor_end ?? 0) - cursor);
  }

  /** Scans the output before a cursor that was not scanned yet, in short turns. */
  async catchUp(to: number): Promise<void> {
    if (!this.reads) return;
    const turns = new Turns(this.#parts.clock);
    while (this.#scanned < to && this.#read(to) > 0) await turns.rest();
  }

  /** A shell inside will say what it is, by this token, in what comes from now on. */
  await(token: string): number {
    const cursor = this.#parts.files.outputSize();
    // Without marks nothing was scanned so far.
    if (!this.reads) this.#scanned = cursor;
    this.#shells.awaited = { token };
    return cursor;
  }

  /** Its marks will have this nonce. Undefined: they will not come. */
  expect(nested: NestedShell | undefined): void {
    this.#shells.awaited = nested && this.#shells.awaited ? { ...this.#shells.awaited, nested } : undefined;
  }

  /** What came from this byte on, as far as a line and the shell's answer to it go. */
  printedFrom(cursor: number): Uint8Array {
    const into = new Uint8Array(ECHO_BYTES_MAX);
    return into.subarray(0, this.#parts.files.readOutput(cursor, into));
  }

  gap(): void {
    this.#shells.gap();
  }

  lineGone(): void {
    this.#shells.lineGone();
  }

  finish(end: { readonly exit_code: number | null; readonly ts: number; readonly cursor: number } | null): void {
    this.#shells.finish(end, this.#scanned);
  }

  #read(to: number): number {
    const into = new Uint8Array(Math.min(READ_BYTES, to - this.#scanned));
    const got = this.#parts.files.readOutput(this.#scanned, into);
    this.#push(into.subarray(0, got));
    return got;
  }

  #push(bytes: Uint8Array): void {
    const cursor = this.#scanned;
    this.#scanned += bytes.length;
    this.#scan.push(bytes, cursor, (found) => this.#shells.found(found));
  }
}
