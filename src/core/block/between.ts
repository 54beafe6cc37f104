// What came between two commands: the output of background jobs, the shell's own words about them, messages to the terminal.
// Pure: the marks say what is prompt, the gate says where somebody typed, and what is left is such output.
import type { SessionFiles } from "../journal/store.ts";
import type { Block } from "./block.ts";
import { type Mark, readMark } from "./marks.ts";
import { Scan } from "./scan.ts";

/** More is read by nobody. Of a longer one we show the end. */
const BETWEEN_BYTES_MAX = 1 << 20;
/** A prompt and the line typed at it. */
const PROMPT_BYTES_MAX = 16 << 10;
const LF = 0x0a;
/** What a line editor draws right after a prompt: modes, erasing, moves, and a prompt at the right edge. */
const RIGHT_PROMPT =
  /^(?:\r|\x1b\[K)*\x1b\[\d+C[^\n\x1b]*(?:\x1b(?:\[[\d;]*m|\(B)[^\n\x1b]*)*(?:\x1b\[\d+D|\r\x1b\[\d+C)/;
const DRAWING = /^(?:\r(?!\n)|\x1b\[[\d;?]*[A-HJKhl]|\x1b[=>])*/;

export interface Between {
  readonly bytes: Uint8Array;
  /** The background jobs that ran then, as the shell names them. */
  readonly jobs: readonly string[];
}

interface BetweenParts {
  readonly files: Pick<SessionFiles, "readOutput">;
  readonly nonce: string;
  /** Where somebody typed first, at or after a cursor. */
  typedFrom(cursor: number): number | undefined;
  /** Whether a job may have run in the background when the command ended. */
  mayHaveJobs(): boolean;
}

/** `range`: from the end of a command to the start of the next one's output, or to the end of all output. */
function between(parts: BetweenParts, range: { readonly start: number; readonly end: number }): Between {
  const start = Math.max(range.start, range.end - BETWEEN_BYTES_MAX);
  const all = new Uint8Array(Math.max(0, range.end - start));
  const bytes = all.subarray(0, parts.files.readOutput(start, all));
  const reader = new Reader(bytes, start, (cursor) => parts.typedFrom(cursor) ?? Number.POSITIVE_INFINITY);
  // Before the prompt the user's own hooks print, too.
  reader.open(start);
  new Scan().push(bytes, start, (found) => {
    const mark = found.kind === "mark" ? readMark(found.body, parts.nonce) : undefined;
    if (mark) take(reader, mark, found);
  });
  reader.close(start + bytes.length);
  return reader.found(() => start > range.start || parts.mayHaveJobs());
}

/** What came after a command and before `end`, though nobody ran anything. Without a nonce nothing is known of prompts. */
export function afterBlock(
  { cmd, cursor_begin, cursor_end, enters }: Block,
  end: number,
  { nonce, ...from }: Pick<BetweenParts, "files" | "typedFrom"> & { readonly nonce: string | undefined },
): Between {
  // After the command that leads to a shell inside comes the line that integrated it.
  if (nonce === undefined || cursor_end === null || enters !== undefined) return { bytes: new Uint8Array(0), jobs: [] };
  const parts = { ...from, nonce };
  const mayHaveJobs = () => /(?:^|[^&>])&(?![&>])/.test(cmd ?? "&") || hadJobs(parts, cursor_begin);
  return between({ ...parts, mayHaveJobs }, { start: cursor_end, end });
}

/** Whether the shell told of background jobs at the prompt before a cursor. */
function hadJobs({ files, nonce }: Pick<BetweenParts, "files" | "nonce">, cursor: number): boolean {
  const start = Math.max(0, cursor - PROMPT_BYTES_MAX);
  const bytes = new Uint8Array(cursor - start);
  let had = false;
  new Scan().push(bytes.subarray(0, files.readOutput(start, bytes)), start, (found) => {
    const mark = found.kind === "mark" ? readMark(found.body, nonce) : undefined;
    if (mark?.kind === "cwd") had = false;
    if (mark?.kind === "jobs") had = true;
  });
  return had;
}

/** Before it draws its prompt, bash tells of jobs. After the prompt comes anything that nobody typed. */
function take(reader: Reader, mark: Mark, { begin, end }: { readonly begin: number; readonly end: number }): void {
  if (mark.kind === "command" || mark.kind === "output" || mark.kind === "ahead") return reader.entered(begin);
  reader.close(begin);
  if (mark.kind === "jobs") reader.jobs = mark.jobs;
  if (mark.kind === "end") reader.open(end);
  else if (mark.kind === "prompt") reader.prompted(end);
  else if (mark.kind === "answer" && mark.answer === "taken") reader.entered(begin);
  else if (mark.kind === "input" || mark.kind === "answer") reader.openAfterPrompt(end);
}

class Reader {
  jobs: readonly string[] = [];
  #bytes: Uint8Array;
  #at: number;
  #typedFrom: (cursor: number) => number;
  /** Where the prompt began at which nobody has entered anything yet. */
  #prompt: number | undefined;
  #opened: number | undefined;
  #pieces: Uint8Array[] = [];
  /** How many of them came before the first prompt. */
  #early = 0;
  #named = new Set<string>();

  constructor(bytes: Uint8Array, at: number, typedFrom: (cursor: number) => number) {
    [this.#bytes, this.#at, this.#typedFrom] = [bytes, at, typedFrom];
  }

  open(cursor: number): void {
    this.#opened = cursor;
  }

  prompted(cursor: number): void {
    this.#early ||= this.#pieces.length;
    this.#prompt = cursor;
    this.open(cursor);
  }

  /** A line was entered. Where nobody typed at this prompt, it was typed ahead, and what we have is its echo. */
  entered(cursor: number): void {
    if (this.#opened !== undefined && this.#typedFrom(this.#opened) <= cursor) this.close(cursor);
    this.#opened = undefined;
    this.#prompt = undefined;
  }

  /** Where somebody has typed at this prompt, it is drawn again with their line. */
  openAfterPrompt(cursor: number): void {
    if (this.#prompt === undefined || this.#typedFrom(this.#prompt) < cursor) return;
    const rest = this.#bytes.subarray(cursor - this.#at, cursor - this.#at + 4_096);
    const text = String.fromCharCode(...rest);
    const right = RIGHT_PROMPT.exec(text)?.[0].length ?? 0;
    this.#opened = cursor + right + (DRAWING.exec(text.slice(right))?.[0].length ?? 0);
  }

  /** Whole lines only, because a prompt may be drawn again after them. */
  close(cursor: number): void {
    if (this.#opened === undefined) return;
    const [from, to] = [this.#opened, Math.min(cursor, this.#typedFrom(this.#opened))];
    const piece = this.#bytes.subarray(from - this.#at, to - this.#at);
    const lines = piece.subarray(0, piece.lastIndexOf(LF) + 1);
    this.#opened = undefined;
    if (lines.length === 0) return;
    this.#pieces.push(lines);
    for (const job of this.jobs) this.#named.add(job);
  }

  found(mayHaveJobs: () => boolean): Between {
    const isEarlyTheirs = this.#early > 0 && (this.jobs.length > 0 || mayHaveJobs());
    const pieces = this.#pieces.slice(isEarlyTheirs ? 0 : this.#early);
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { bytes, jobs: [...this.#named] };
  }
}
