// The commands of one session, found in its output. Owns: how far the output was scanned for marks, the running block, and
// blocks.jsonl. Refuses: marks of an earlier prompt, so printing a recording of this session changes nothing.
import type { ShellName } from "../../protocol/words/program.ts";
import { type Clock, Turns } from "../base/clock.ts";
import { Plain } from "../journal/plain.ts";
import type { SessionFiles } from "../journal/store.ts";
import { type Block, blockId, isBlock, stateOf } from "./block.ts";
import { type LineAnswer, type Mark, readMark } from "./marks.ts";
import { type Found, Scan } from "./scan.ts";
import { FISH_PRELUDES } from "./shells.ts";
import { Stopwatch } from "./stopwatch.ts";

const READ_BYTES = 256 << 10;
/** How much of a line's echo we compare with the shell's text. Longer lines are not worth it. */
const ECHO_BYTES_MAX = 16 << 10;

interface BlocksParts {
  readonly session_id: string;
  /** Null means no integration, so no marks and no blocks. */
  readonly nonce: string | null;
  readonly shell: ShellName | null;
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly created_at: number;
  /** The actor of a command that begins at a cursor, and its text when the shell does not report it. */
  originOf(cursor: number, run_id: string | null): { readonly actor: string; readonly command: string | null };
}

/** Called in the order of the output, but not for what happened before this process began. */
interface BlocksEvents {
  began(block: Block): void;
  ended(block: Block): void;
  /** The shell shows its prompt and reads a line. */
  prompted(): void;
  answered(run_id: string, answer: LineAnswer, line: string): void;
  /** The shell waits until what was typed ahead is typed again. */
  typedAhead(cycle: number): void;
}

type Phase =
  | { readonly at: "start" }
  /** ready: the prompt is drawn and the line editor reads. taken: it has our line and is about to run it. */
  | {
      readonly at: "prompt";
      readonly line: "none" | "ready" | "taken";
      /** Where the prompt ends and the echo of what is typed begins. */
      readonly input: number | null;
      readonly cmd: string | null;
      readonly run_id: string | null;
    }
  | { readonly at: "running"; readonly block: Block };

export class Blocks {
  #parts: BlocksParts;
  #on: BlocksEvents;
  #scan = new Scan();
  #scanned: number;
  #reportFrom: number;
  #ended: Block[];
  #phase: Phase = { at: "start" };
  #stopwatch: Stopwatch;
  #cycle = 0;
  #cwd: string | null = null;
  #status: number | null = null;
  #supported = true;
  #gap = false;

  constructor(parts: BlocksParts, on: BlocksEvents) {
    this.#parts = parts;
    this.#on = on;
    this.#stopwatch = new Stopwatch(parts.clock);
    this.#ended = parts.nonce === null ? [] : parts.files.readLines("blocks").filter(isBlock);
    this.#scanned = this.#ended.at(-1)?.cursor_end ?? 0;
    this.#reportFrom = parts.files.outputSize();
  }

  /** Whether this session's shell marks where its commands begin and end. */
  get supported(): boolean {
    return this.#parts.nonce !== null && this.#supported;
  }

  get phase(): "start" | "prompt" | "running" {
    return this.#phase.at;
  }

  /** The line editor reads, and nothing runs. */
  get atPrompt(): boolean {
    return this.#phase.at === "prompt" && this.#phase.line === "ready";
  }

  get running(): Block | undefined {
    return this.#phase.at === "running" ? this.#phase.block : undefined;
  }

  /** The shell's folder, as last reported. */
  get cwd(): string | null {
    return this.#cwd;
  }

  /** The number of the prompt. It rises with each. */
  get cycle(): number {
    return this.#cycle;
  }

  /** How far the output was scanned for marks. Beyond it may be commands that nobody knows of yet. */
  get scanned(): number {
    return this.#scanned;
  }

  /** $? at the last prompt, also when no command ran, as after a syntax error. */
  get status(): number | null {
    return this.#status;
  }

  get last(): Block | undefined {
    return this.#ended.at(-1);
  }

  list(): Block[] {
    return this.running ? [...this.#ended, this.running] : [...this.#ended];
  }

  /** The one that began after it. */
  next({ block_id }: Block): Block | undefined {
    if (this.last?.block_id === block_id) return this.running;
    return this.#ended[this.#ended.findLastIndex((block) => block.block_id === block_id) + 1];
  }

  /**
   * Scans exact bytes at an exact cursor. Bytes scanned before are skipped. Returns how many of them a command printed
   * that ended in them.
   */
  scan(bytes: Uint8Array, cursor: number): number {
    if (this.#parts.nonce === null || cursor + bytes.length <= this.#scanned) return 0;
    const { last } = this;
    while (this.#scanned < cursor && this.#read(cursor) > 0);
    const fresh = bytes.subarray(Math.max(0, this.#scanned - cursor));
    this.#push(fresh);
    return this.last === last ? 0 : Math.max(0, (this.last?.cursor_end ?? 0) - cursor);
  }

  /** Scans the output before a cursor that was not scanned yet, in short turns. */
  async catchUp(to: number): Promise<void> {
    if (this.#parts.nonce === null) return;
    const turns = new Turns(this.#parts.clock);
    while (this.#scanned < to && this.#read(to) > 0) await turns.rest();
  }

  /** Some output was lost, so the next prompt may have any number. */
  gap(): void {
    this.#gap = true;
  }

  /** The line that the shell had taken was withdrawn. */
  lineGone(): void {
    if (this.#phase.at === "prompt" && this.#phase.line === "taken") this.#phase = { ...this.#phase, line: "ready" };
  }

  /** The session and its running command are over. `end` is null when the exit is unknown. */
  finish(end: { readonly exit_code: number | null; readonly ts: number; readonly cursor: number } | null): void {
    if (this.#phase.at !== "running") return;
    if (end) this.#end(end.exit_code, end.ts, end.cursor, end.exit_code === 0 ? "done" : "failed");
    else this.#end(null, null, this.#scanned);
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
    this.#scan.push(bytes, cursor, (found) => this.#found(found));
  }

  #found(found: Found): void {
    if (found.kind === "alternate") return this.#alternate();
    const mark = readMark(found.body, this.#parts.nonce ?? "");
    if (!mark || mark.cycle < this.#cycle) return;
    // Numbers rise by one. A jump is forged, unless output was lost.
    if (this.#cycle > 0 && mark.cycle > this.#cycle + 1 && !this.#gap) return;
    if (mark.kind === "prompt") this.#gap = false;
    this.#take(mark, found);
  }

  #alternate(): void {
    this.#scan.alternate = false;
    if (this.#phase.at === "running")
      this.#phase = { at: "running", block: { ...this.#phase.block, alt_screen_used: true } };
  }

  #take(mark: Mark, at: { begin: number; end: number }): void {
    const isNew = mark.cycle > this.#cycle;
    const phase = this.#phase;
    if (mark.kind === "end" && !isNew) this.#status = mark.exit_code;
    if (mark.kind === "none") this.#supported = false;
    else if (mark.kind === "prompt" && isNew) this.#prompt(mark.cycle, at.begin);
    else if (mark.kind === "cwd" && (isNew || phase.at !== "running")) this.#cwd = mark.path;
    else if (mark.kind === "end" && phase.at === "running" && !isNew) this.#end(mark.exit_code, mark.ts, at.begin);
    else if (mark.kind === "end" && phase.at !== "running") this.#cycle = mark.cycle;
    if (phase.at !== "prompt" || isNew) return;
    if (mark.kind === "command") this.#phase = { ...phase, cmd: this.#lineOf(phase, mark, at.begin) };
    else if (mark.kind === "answer") this.#answer(phase, mark, at.end);
    else if (mark.kind === "ahead") this.#tell(at.end, () => this.#on.typedAhead(mark.cycle));
    else if (mark.kind === "output") this.#begin(phase, mark, at.end);
    else if (mark.kind === "input" && phase.line === "none") {
      this.#phase = { ...phase, line: "ready", input: at.end };
      this.#tell(at.end, () => this.#on.prompted());
    }
  }

  #prompt(cycle: number, cursor: number): void {
    // Its end was lost, for example on a full disk.
    if (this.#phase.at === "running") this.#end(null, null, cursor);
    this.#cycle = cycle;
    this.#phase = { at: "prompt", line: "none", input: null, cmd: null, run_id: null };
  }

  #answer(phase: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "answer" }>, cursor: number): void {
    if (mark.answer === "taken") this.#phase = { ...phase, line: "taken", run_id: mark.run };
    this.#tell(cursor, () => this.#on.answered(mark.run, mark.answer, mark.line));
  }

  /** An uncertain line counts only when the screen showed it too. */
  #lineOf({ input }: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "command" }>, cursor: number) {
    if (mark.sure === "yes") return mark.text;
    if (input === null) return null;
    const into = new Uint8Array(Math.min(ECHO_BYTES_MAX, cursor - input));
    const bytes = into.subarray(0, this.#parts.files.readOutput(input, into));
    let echo = "";
    const plain = new Plain({ cursor: input, line: 0 }, ({ text }) => {
      echo += text;
    });
    plain.push(bytes);
    plain.end();
    const squeezed = (text: string) => text.replace(/\s+/g, "");
    return squeezed(echo) === squeezed(mark.text) ? mark.text : null;
  }

  #begin(phase: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "output" }>, cursor: number): void {
    const [ts, run] = [mark.ts, mark.run ?? phase.run_id];
    const { session_id, created_at } = this.#parts;
    const origin = this.#parts.originOf(cursor, run);
    const block: Block = {
      block_id: blockId(session_id, this.#ended.length + 1),
      cmd: phase.cmd ?? origin.command,
      cwd: this.#cwd,
      actor: origin.actor,
      ts_begin: ts ?? this.last?.ts_end ?? created_at,
      ts_end: null,
      duration_ms: null,
      exit_code: null,
      cursor_begin: cursor,
      cursor_end: null,
      state: "running",
      alt_screen_used: false,
      run_id: run,
    };
    this.#phase = { at: "running", block };
    this.#stopwatch.begin(block.ts_begin);
    this.#scan.alternate = true;
    this.#tell(cursor, () => this.#on.began(block));
  }

  #end(exit_code: number | null, ts: number | null, cursor: number, state = stateOf(exit_code)): void {
    if (this.#phase.at !== "running") return;
    const block = { ...this.#phase.block, cursor_begin: this.#firstByte(this.#phase.block.cursor_begin, cursor) };
    const duration_ms = this.#stopwatch.end(ts);
    const ended: Block = { ...block, ts_end: ts, duration_ms, exit_code, cursor_end: cursor, state };
    this.#phase = { at: "start" };
    this.#scan.alternate = false;
    this.#ended.push(ended);
    this.#parts.files.appendLine("blocks", ended);
    this.#tell(cursor, () => this.#on.ended(ended));
  }

  /** The start of the output, after what the shell itself printed first. */
  #firstByte(begin: number, end: number): number {
    if (this.#parts.shell !== "fish") return begin;
    const longest = Math.max(...FISH_PRELUDES.map((prelude) => prelude.length));
    const into = new Uint8Array(Math.min(longest, end - begin));
    const bytes = String.fromCharCode(...into.subarray(0, this.#parts.files.readOutput(begin, into)));
    return begin + (FISH_PRELUDES.find((prelude) => bytes.startsWith(prelude))?.length ?? 0);
  }

  /** We do not report what an earlier process may have reported. */
  #tell(cursor: number, tell: () => void): void {
    if (cursor > this.#reportFrom) tell();
  }
}
