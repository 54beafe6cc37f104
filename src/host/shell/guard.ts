// The daemon's end of the guard in the shell: reads what the shell is about to run and writes the answer. Owns: the
// FIFOs of a session's folder. Refuses: to judge, and to let a question pass that it does not understand.
// `ask` carries questions, `verdict` answers, and `turn` one dot, which a shell or subshell holds while it asks: the
// parts of one pipeline ask at the same time. Safety rests on the ticket that every answer repeats, `turn` only on speed.
// `again` tells that what was typed ahead of a command is typed again.
import fs from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { GuardAnswer, GuardQuestion } from "../../core/block/shells.ts";
import { libc } from "../pty/libc.ts";

/** The shell keeps them when it forgets its start files. */
export const GUARD_FILES = { ask: "ask", verdict: "verdict", turn: "turn", again: "again" } as const;

/** PIPE_BUF of Linux: a longer line could be torn apart by another writer. The shells stop at 4 000. */
const QUESTION_BYTES_MAX = 4_096;
/** A reason is for a log, and the whole answer has to be one atomic write on macOS as well, where PIPE_BUF is 512. */
const REASON_CHARS_MAX = 100;
/** `turn` lets one process ask at a time. If more than a few ask at once, somebody else writes into the FIFO. */
const OPEN_QUESTIONS_MAX = 16;
/** Lines in one read. `turn` lets a handful through. More is a flood, which would stall the loop by 20 µs a line. */
const LINES_PER_READ_MAX = 64;
/** The shell gives up after five seconds, so a later answer reaches nobody. */
const ANSWER_MS_MAX = 5_000;
/**
 * The turn passes on after an answer, and between taking it and asking a shell may get no processor. While a shell asked or
 * was answered this lately, none has died. A second turn would be worse than a late one: two readers take each other's answers.
 */
const TURN_QUIET_MS = 1_000;

const LF = 0x0a;
const TURN = ".";
const WAIT = "w";
const LINE = /^([\w.]{1,40}) (?:(lost)|(command|line) (\S{1,80}) (.*))$/;

/** Makes the FIFOs in `dir` and answers questions until closed. */
export function openGuard(
  dir: string,
  judge: (question: GuardQuestion) => GuardAnswer | Promise<GuardAnswer>,
): { close(): void } {
  const channel = new Channel(dir);
  const open = new Map<string, NodeJS.Timeout>();
  let livedAt = Number.NEGATIVE_INFINITY;

  const drop = (ticket: string): void => {
    clearTimeout(open.get(ticket));
    open.delete(ticket);
  };
  const settle = (ticket: string, answer: GuardAnswer): void => {
    if (!open.has(ticket)) return;
    drop(ticket);
    livedAt = performance.now();
    // Nobody waits any more. The shell that asked was interrupted and has taken the turn with it.
    if (!channel.answer(ticket, answer) && open.size === 0) channel.giveTurn();
  };

  /** A shell finds no turn. The one that has it asks, or is about to, or was interrupted, which we learn only here. */
  const lostBy = (ticket: string): void => {
    const gaveUp = open.has(ticket);
    drop(ticket);
    const isDead = open.size > 0 && !channel.isWaitedFor();
    if (isDead) for (const dead of open.keys()) drop(dead);
    const isQuiet = performance.now() - livedAt >= TURN_QUIET_MS;
    if (open.size === 0 && (gaveUp || isDead || isQuiet)) channel.giveTurn();
    else channel.sayWait();
  };

  channel.onLine = (line) => {
    const [, ticket, lost, kind, run_id, escaped] = LINE.exec(line) ?? [];
    // The question has no valid address. Its sender gets no answer, which means no.
    if (ticket === undefined) return;
    if (lost !== undefined) return lostBy(ticket);
    livedAt = performance.now();
    const text = unescaped(escaped ?? "");
    if (open.has(ticket) || open.size >= OPEN_QUESTIONS_MAX || text === null) {
      channel.answer(ticket, { deny: text === null ? "malformed" : "too many questions" });
      return;
    }
    const late = setTimeout(() => settle(ticket, { deny: "no answer in time" }), ANSWER_MS_MAX);
    open.set(ticket, late.unref());
    const asked = { kind: kind === "line" ? kind : "command", run_id: run_id ?? "-", text } as const;
    judged(asked, judge, (answer) => settle(ticket, answer));
  };
  channel.onLong = (ticket) => channel.answer(ticket, { deny: "too long" });

  return {
    close() {
      for (const ticket of open.keys()) drop(ticket);
      channel.close();
    },
  };
}

/** Answers at once when the judge does, because a promise would cost the shell another turn of the loop. */
function judged(
  question: GuardQuestion,
  judge: (question: GuardQuestion) => GuardAnswer | Promise<GuardAnswer>,
  then: (answer: GuardAnswer) => void,
): void {
  const failed = (): void => then({ deny: "the judge failed" });
  try {
    const answer = judge(question);
    if (answer instanceof Promise) answer.then(then, failed);
    else then(answer);
  } catch {
    failed();
  }
}

/** The FIFOs as lines in and lines out. */
class Channel {
  onLine: (line: string) => void = () => undefined;
  onLong: (ticket: string) => void = () => undefined;
  readonly #paths: Readonly<Record<keyof typeof GUARD_FILES, string>>;
  readonly #turn: number;
  readonly #ask: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #closed = false;

  constructor(dir: string) {
    const { ask, verdict, turn, again } = GUARD_FILES;
    this.#paths = { ask: join(dir, ask), verdict: join(dir, verdict), turn: join(dir, turn), again: join(dir, again) };
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const path of Object.values(this.#paths)) {
      fs.rmSync(path, { force: true });
      libc().mkfifo(path, 0o600);
    }
    this.#turn = openFifo(this.#paths.turn, fs.constants.O_RDWR);
    this.giveTurn();
    // Open for reading and writing, so that the last shell's end is not an end of file.
    this.#ask = new Socket({ fd: openFifo(this.#paths.ask, fs.constants.O_RDWR), readable: true, writable: false });
    this.#ask.on("data", (chunk) => this.#take(chunk));
    // From then on nothing is read, so every question is denied by silence.
    this.#ask.on("error", () => this.close());
  }

  /** False when nobody listens. */
  answer(ticket: string, answer: GuardAnswer): boolean {
    const word = typeof answer === "string" ? answer : `deny ${oneLine(answer.deny)}`;
    return this.#write(`=${ticket} ${word}\n`);
  }

  isWaitedFor(): boolean {
    return this.#write("");
  }

  #write(line: string): boolean {
    return this.#closed || tell(this.#paths.verdict, line);
  }

  /** Exactly one, even if the last one was lost. */
  giveTurn(): void {
    if (this.#closed) return;
    const old = Buffer.alloc(OPEN_QUESTIONS_MAX);
    while (libc().read(this.#turn, old) > 0);
    fs.writeSync(this.#turn, TURN);
  }

  /** For one that waits for its turn: the daemon lives, and others ask before it. */
  sayWait(): void {
    if (this.#closed) return;
    try {
      fs.writeSync(this.#turn, WAIT);
    } catch {
      // EAGAIN: thousands of these are unread, so nobody waits.
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ask.destroy();
    fs.closeSync(this.#turn);
    for (const path of Object.values(this.#paths)) fs.rmSync(path, { force: true });
  }

  #take(chunk: Buffer): void {
    let from = 0;
    let lines = 0;
    for (let end = chunk.indexOf(LF); end >= 0 && !this.#closed; end = chunk.indexOf(LF, from)) {
      this.#line(Buffer.concat([this.#rest, chunk.subarray(from, end)]));
      this.#rest = Buffer.alloc(0);
      lines += 1;
      // Questions that we drop get no answer, which means no.
      from = lines < LINES_PER_READ_MAX ? end + 1 : chunk.lastIndexOf(LF) + 1;
    }
    // The beginning is enough to see that it is too long and who sent it.
    this.#rest = Buffer.concat([this.#rest, chunk.subarray(from)]).subarray(0, QUESTION_BYTES_MAX + 1);
  }

  #line(bytes: Buffer): void {
    const text = bytes.toString("utf8");
    if (bytes.length <= QUESTION_BYTES_MAX) return this.onLine(text);
    const ticket = /^[\w.]{1,40}(?= )/.exec(text)?.[0];
    if (ticket !== undefined) this.onLong(ticket);
  }
}

/** False when nobody listens. */
export function tell(path: string, line: string): boolean {
  try {
    // We do not keep it open, because ENXIO tells whether anybody waits.
    const fd = openFifo(path, fs.constants.O_WRONLY);
    try {
      if (line !== "") fs.writeSync(fd, line);
    } finally {
      fs.closeSync(fd);
    }
    return true;
  } catch {
    // ENXIO, EPIPE: gone. EAGAIN: it does not read. ENOENT: the folder is gone. No answer means no.
    return false;
  }
}

function openFifo(path: string, mode: number): number {
  const { O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  return fs.openSync(path, mode | O_NONBLOCK | O_NOFOLLOW);
}

/** Decodes text as in the marks, or null. Invalid UTF-8 is U+FFFD by now, so the judge sees that it is odd. */
function unescaped(text: string): string | null {
  if (/[\x00-\x1f\x7f]/.test(text) || /\\(?!\\|x[0-9a-f]{2})/.test(text.replaceAll("\\\\", ""))) return null;
  return text.replace(/\\(?:\\|x([0-9a-f]{2}))/g, (_, hex?: string) =>
    hex === undefined ? "\\" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function oneLine(reason: string): string {
  return reason.replace(/[\x00-\x1f\x7f]+/g, " ").slice(0, REASON_CHARS_MAX);
}
