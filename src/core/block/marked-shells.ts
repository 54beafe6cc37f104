// What the marks in a session's output mean, of its own shell and of those inside. Owns: the levels of shells, the running block,
// and blocks.jsonl. Refuses: marks of an earlier prompt, so printing a recording of this session changes nothing.
import type { ShellName } from "../../protocol/words/program.ts";
import type { Clock } from "../base/clock.ts";
import type { NestedShell, SessionFiles } from "../journal/store.ts";
import { type Block, blockId, isBlock, stateOf } from "./block.ts";
import type { BlocksEvents } from "./blocks-events.ts";
import { type Level, levelOf, levelsAfter, nestedLevel, type Phase } from "./level.ts";
import { ECHO_BYTES_MAX, isEchoOf, preludeLength, refusalIn } from "./line-echo.ts";
import { type Mark, readHello, readMark } from "./marks.ts";
import type { Found } from "./scan.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface BlocksParts {
  readonly session_id: string;
  /** Null means no integration, so no marks and no blocks until a shell inside of it is integrated. */
  readonly own: { readonly nonce: string; readonly shell: ShellName } | null;
  /** Shells inside of it that were integrated before. */
  readonly nested: readonly NestedShell[];
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly created_at: number;
  /** Who began the command at a cursor, and with what line, by what the shell says or does not. */
  beginning(cursor: number, run_id: string | null, told: string | null): Pick<Block, "actor" | "cmd" | "entered">;
}

export class MarkedShells {
  #parts: BlocksParts;
  #on: BlocksEvents;
  /** Whether switches to the alternate screen are worth telling. */
  #scan: { alternate: boolean };
  #reportFrom: number;
  readonly ended: Block[];
  /** The session's own program first, then shells inside of it, the one in front last. */
  #levels: Level[];
  #stopwatch: Stopwatch;
  #gap = false;
  /** How many there were, of all shells. */
  prompts = 0;
  /** What a shell inside that is about to be integrated will say, and its marks. */
  awaited: { readonly token: string; readonly nested?: NestedShell } | undefined;

  constructor(parts: BlocksParts, on: BlocksEvents, scan: { alternate: boolean }) {
    [this.#parts, this.#on, this.#scan] = [parts, on, scan];
    this.#stopwatch = new Stopwatch(parts.clock);
    const { own, nested } = parts;
    this.ended = own === null && nested.length === 0 ? [] : parts.files.readLines("blocks").filter(isBlock);
    this.#levels = levelsAfter(levelOf(own), this.ended, nested);
    this.#reportFrom = parts.files.outputSize();
  }

  /** The session's own program. */
  get base(): Level {
    const [base] = this.#levels;
    if (!base) throw new Error("a session has no shell");
    return base;
  }

  /** The shell in front. */
  get top(): Level {
    return this.#levels.at(-1) ?? this.base;
  }

  /** How many shells are inside of each other. */
  get depth(): number {
    return this.#levels.length - 1;
  }

  get last(): Block | undefined {
    return this.ended.at(-1);
  }

  get #phase(): Phase {
    return this.top.phase;
  }

  set #phase(phase: Phase) {
    this.top.phase = phase;
  }

  /** Some output was lost, so the next prompt may have any number. */
  gap(): void {
    this.#gap = true;
  }

  /** The line that the shell had taken was withdrawn. */
  lineGone(): void {
    const phase = this.#phase;
    if (phase.at === "prompt" && phase.line === "taken") this.#phase = { ...phase, line: "ready", run_id: null };
  }

  /** The session and its running command are over. `end` is null when the exit is unknown. */
  finish(
    end: { readonly exit_code: number | null; readonly ts: number; readonly cursor: number } | null,
    scanned: number,
  ): void {
    if (this.#phase.at !== "running") return;
    // Nobody told how a command inside ended.
    if (this.top.nested || !end) this.#end(null, null, end?.cursor ?? scanned);
    else this.#end(end.exit_code, end.ts, end.cursor, { state: end.exit_code === 0 ? "done" : "failed" });
  }

  found(found: Found): void {
    if (found.kind === "alternate") return this.#alternate();
    const hello = this.awaited && readHello(found.body, this.awaited.token);
    if (hello) return this.#tell(found.end, () => this.#on.hello(hello));
    for (let at = this.#levels.length - 1; at >= 0; at -= 1) {
      const mark = readMark(found.body, this.#levels[at]?.nonce ?? "");
      if (mark) return this.#marked(at, mark, found);
    }
    const { nested } = this.awaited ?? {};
    const mark = nested && readMark(found.body, nested.nonce);
    if (!nested || !mark || mark.cycle !== 1) return;
    this.#enter(nested);
    this.#take(mark, found);
  }

  #marked(at: number, mark: Mark, found: { begin: number; end: number }): void {
    const { cycle } = this.#levels[at] ?? this.top;
    if (mark.cycle < cycle) return;
    // Numbers rise by one. A jump is forged, unless output was lost.
    if (cycle > 0 && mark.cycle > cycle + 1 && !this.#gap) return;
    if (at < this.depth) {
      // The shell outside goes on only when its command, with all that was inside, is over.
      if (mark.kind !== (mark.cycle > cycle ? "prompt" : "end")) return;
      this.#leave(at, found.begin);
    }
    if (mark.kind === "prompt") this.#gap = false;
    this.#take(mark, found);
  }

  /** The first mark of a shell inside. The command that is that shell ends where it was asked to say what it is. */
  #enter(nested: NestedShell): void {
    this.awaited = undefined;
    const now = this.#parts.clock.now();
    if (this.#phase.at === "running") {
      this.#end(null, now, nested.cursor, { state: "done", enters: nested.id });
      const { last } = this;
      if (last) this.#phase = { at: "inside", block: last };
    }
    this.#levels.push(nestedLevel(nested));
  }

  /** All above this level is gone, without a word about what ran there. */
  #leave(at: number, cursor: number): void {
    if (this.#phase.at === "running") this.#end(null, null, cursor);
    const left = this.#levels.splice(at + 1)[0]?.nested?.id;
    if (this.#phase.at !== "inside" || left === undefined) return;
    const { exit_code: _, enters: __, ...entered } = this.#phase.block;
    const begin = this.last?.cursor_end ?? cursor;
    const rest = { block_id: this.#newId(), cursor_begin: begin, cursor_end: null, left, run_id: null };
    const block: Block = { ...entered, ...rest, exit_code: null, state: "running", ts_end: null, duration_ms: null };
    this.#phase = { at: "running", block };
    this.#stopwatch.begin(block.ts_begin);
    this.#tell(cursor, () => this.#on.began(block));
  }

  #newId(): string {
    return blockId(this.#parts.session_id, this.ended.length + 1);
  }

  #alternate(): void {
    this.#scan.alternate = false;
    if (this.#phase.at === "running")
      this.#phase = { at: "running", block: { ...this.#phase.block, alt_screen_used: true } };
  }

  #take(mark: Mark, at: { begin: number; end: number }): void {
    const level = this.top;
    const isNew = mark.cycle > level.cycle;
    const { phase } = level;
    const ts = "ts" in mark ? this.#time(mark.ts) : null;
    if (mark.kind === "end" && !isNew) level.status = mark.exit_code;
    if (mark.kind === "none") level.supported = false;
    else if (mark.kind === "prompt" && isNew) this.#prompt(mark.cycle, at.begin);
    else if (mark.kind === "cwd" && (isNew || phase.at !== "running")) level.cwd = mark.path;
    else if (mark.kind === "end" && phase.at === "running" && !isNew) this.#end(mark.exit_code, ts, at.begin);
    else if (mark.kind === "end" && phase.at !== "running") level.cycle = mark.cycle;
    else if (mark.kind === "bye" && phase.at === "running" && !isNew && level.nested)
      this.#end(mark.exit_code, this.#time(null), at.begin);
    if (phase.at !== "prompt" || isNew) return;
    if (mark.kind === "end" && phase.line === "taken") this.#refused(phase, mark, at.begin);
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
    this.top.cycle = cycle;
    this.prompts += 1;
    this.#phase = { at: "prompt", line: "none", input: null, taken: null, cmd: null, run_id: null };
  }

  #answer(phase: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "answer" }>, cursor: number): void {
    if (mark.answer === "taken") this.#phase = { ...phase, line: "taken", taken: cursor, run_id: mark.run };
    // fish shows the same prompt again.
    if (mark.answer === "dropped") this.lineGone();
    const { run, answer, line } = mark;
    this.#tell(cursor, () => (answer === "dropped" ? this.#on.prompted() : this.#on.answered(run, answer, line)));
  }

  /** An uncertain line counts only when the screen showed it too. */
  #lineOf({ input }: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "command" }>, cursor: number) {
    if (mark.sure === "yes") return mark.text;
    if (input === null) return null;
    return isEchoOf(this.#read(input, cursor), mark.text) ? mark.text : null;
  }

  /** The shell took our line and could not make sense of it. What it said about that is the output. */
  #refused(phase: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "end" }>, cursor: number): void {
    const { taken, run_id } = phase;
    const { cmd } = this.#parts.beginning(cursor, run_id, null);
    const begin = taken === null ? undefined : refusalIn(this.#read(taken, cursor), cmd ?? "", this.top.shell);
    if (taken === null || begin === undefined) return;
    this.#begin(phase, { ...mark, kind: "output", run: null }, taken + begin);
    // zsh keeps the code of the command before it.
    this.#end(this.top.shell === "zsh" ? 1 : mark.exit_code, this.#time(mark.ts), cursor);
  }

  #begin(phase: Extract<Phase, { at: "prompt" }>, mark: Extract<Mark, { kind: "output" }>, cursor: number): void {
    const { nested, cwd } = this.top;
    const [ts, told] = [this.#time(mark.ts), mark.run ?? phase.run_id];
    // A shell inside may name any run that it has heard of. Each counts once.
    const run = nested && this.ended.some(({ run_id }) => run_id === told) ? null : told;
    const block: Block = {
      block_id: this.#newId(),
      cwd: nested ? null : cwd,
      ...this.#parts.beginning(cursor, run, phase.cmd),
      ts_begin: ts ?? this.last?.ts_end ?? this.#parts.created_at,
      ts_end: null,
      duration_ms: null,
      exit_code: null,
      cursor_begin: cursor,
      cursor_end: null,
      state: "running",
      alt_screen_used: false,
      run_id: run,
      ...(nested ? { nested: { id: nested.id, kind: nested.kind, host: nested.host, cwd } } : {}),
    };
    this.#phase = { at: "running", block };
    this.#stopwatch.begin(block.ts_begin);
    this.#scan.alternate = true;
    this.#tell(cursor, () => this.#on.began(block));
  }

  /** At most as much as a long line's echo. */
  #read(from: number, to: number): Uint8Array {
    const into = new Uint8Array(Math.min(ECHO_BYTES_MAX, to - from));
    return into.subarray(0, this.#parts.files.readOutput(from, into));
  }

  #time(ts: number | null): number | null {
    // Another machine's clock says nothing.
    return this.top.nested ? this.#parts.clock.now() : ts;
  }

  #end(
    exit_code: number | null,
    ts: number | null,
    cursor: number,
    more: Partial<Pick<Block, "state" | "enters">> = {},
  ): void {
    if (this.#phase.at !== "running") return;
    const block = { ...this.#phase.block, cursor_begin: this.#firstByte(this.#phase.block.cursor_begin, cursor) };
    const duration_ms = this.#stopwatch.end(ts);
    const state = stateOf(exit_code);
    const ended: Block = { ...block, ts_end: ts, duration_ms, exit_code, cursor_end: cursor, state, ...more };
    this.#phase = { at: "start" };
    this.#scan.alternate = false;
    this.ended.push(ended);
    this.#parts.files.appendLine("blocks", ended);
    // What says so comes behind the output, which may have ended before this process began.
    this.#tell(cursor + 1, () => this.#on.ended(ended));
  }

  /** The start of the output, after what the shell itself printed first. */
  #firstByte(begin: number, end: number): number {
    return this.top.shell === "fish" ? begin + preludeLength(this.#read(begin, end)) : begin;
  }

  /** We do not report what an earlier process may have reported. */
  #tell(cursor: number, tell: () => void): void {
    if (cursor > this.#reportFrom) tell();
  }
}
