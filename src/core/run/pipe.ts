// Commands that run outside the terminal: separate stdout and stderr, and input that ends. Owns: their output, until
// it is forgotten. A command that outlasts its call goes on and can be found by its run id.
import type { Kept } from "../../protocol/ops/run.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { HeadTail, utf8Length, wholeChars } from "../base/head-tail.ts";
import { ToldImages } from "../base/image/told.ts";
import { Utf8 } from "../base/utf8.ts";
import type { BoxSummary } from "../box/plan.ts";
import { type AgentLimits, heldBy, refusesMore, runShare } from "../gate/shares.ts";
import type { ExitStatus } from "../pty/pty.ts";
import { CONTEXT_BYTES, type Redactor } from "../redact/redactor.ts";

/**
 * Characters kept of each stream of each command: the largest answer (1 MiB), and what tells of a secret at its cut. The middle of
 * longer output is counted and dropped.
 */
const KEPT_CHARS = (1 << 20) + 4 * CONTEXT_BYTES;
/** Ended commands that we remember for late requests. */
const REMEMBERED_MAX = 50;

interface PipeCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | undefined;
  readonly boxed: boolean;
  /** The box that the caller runs in: its own is within that. */
  readonly within: BoxSummary | undefined;
}

interface PipeEvents {
  out(bytes: Uint8Array): void;
  err(bytes: Uint8Array): void;
  /** After the last byte, exactly once. */
  exit(status: ExitStatus & { readonly code_or_signal: number | null }): void;
}

/** Port. Adapter: src/host/process/pipe.ts. */
export type SpawnPipe = (command: PipeCommand, on: PipeEvents) => PipeChild | Fault;

interface PipeChild {
  /** Undefined: it did not begin. */
  readonly pid: number | undefined;
  kill(): void;
}

export interface PipeRun {
  readonly run_id: string;
  /** Whose it is. */
  readonly actor: string;
  readonly command: string;
  readonly cwd: string;
  readonly boxed: boolean;
  readonly out: Stream;
  readonly err: Stream;
  readonly began: number;
  ended: number | undefined;
  exit_code: number | null;
  whenEnded: Promise<void>;
  kill(): void;
}

/** One stream as text. */
class Stream {
  #utf8 = new Utf8();
  #images = new ToldImages();
  #kept = new HeadTail(KEPT_CHARS);
  bytes = 0;

  push(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    for (const part of this.#images.push(bytes))
      this.#kept.push(typeof part === "string" ? part : this.#utf8.text(part));
  }

  /** `eyes`: what an agent looks through. Secrets are hidden before anything is cut. */
  kept(charsMax: number, eyes?: Redactor): Kept {
    const { head, tail, omitted_bytes } = this.#kept.kept();
    const part = new HeadTail(charsMax);
    if (omitted_bytes === 0 && head.length <= charsMax) {
      part.push(eyes ? eyes.output(head) : head);
      return part.kept();
    }
    const to = wholeChars(head, part.headMax);
    const last = omitted_bytes === 0 ? head : tail;
    const from = wholeChars(last, last.length - part.tailMax);
    const [begin, end] = [head.slice(0, to), last.slice(from)];
    part.push(eyes ? eyes.outputPart("", begin, head.slice(to, to + CONTEXT_BYTES)) : begin);
    const middle = omitted_bytes === 0 ? head.slice(to, from) : head.slice(to) + tail.slice(0, from);
    part.omit(utf8Length(middle) + omitted_bytes);
    part.push(eyes ? eyes.outputPart(last.slice(Math.max(0, from - CONTEXT_BYTES), from), end, "") : end);
    return part.kept();
  }
}

export class PipeRuns {
  #spawn: SpawnPipe;
  #now: () => number;
  #limits: AgentLimits;
  #all = new Map<string, PipeRun>();
  #pids = new Set<number>();

  constructor(spawn: SpawnPipe, now: () => number, limits: AgentLimits) {
    this.#spawn = spawn;
    this.#limits = limits;
    this.#now = now;
  }

  begin(run_id: string, actor: string, command: PipeCommand): PipeRun | Fault {
    const owners = [...this.#all.values()].flatMap((run) => (run.ended === undefined ? [run.actor] : []));
    const full = refusesMore(runShare(this.#limits), actor, heldBy(actor, owners, this.#limits));
    if (full) return full;
    let pid: number | undefined;
    let ended = (): void => undefined;
    const whenEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const run: PipeRun = {
      run_id,
      actor,
      command: command.command,
      cwd: command.cwd,
      boxed: command.boxed,
      out: new Stream(),
      err: new Stream(),
      began: this.#now(),
      ended: undefined,
      exit_code: null,
      whenEnded,
      kill: () => undefined,
    };
    const child = this.#spawn(command, {
      out: (bytes) => run.out.push(bytes),
      err: (bytes) => run.err.push(bytes),
      exit: ({ code_or_signal }) => {
        run.ended = this.#now();
        run.exit_code = code_or_signal;
        if (pid !== undefined) this.#pids.delete(pid);
        ended();
      },
    });
    if (isFault(child)) return child;
    pid = child.pid;
    if (pid !== undefined) this.#pids.add(pid);
    run.kill = () => child.kill();
    this.#all.set(run_id, run);
    this.#forget();
    return run;
  }

  find(run_id: string): PipeRun | undefined {
    return this.#all.get(run_id);
  }

  /** Whether one of these processes is a command that runs. */
  has(pids: readonly number[]): boolean {
    return pids.some((pid) => this.#pids.has(pid));
  }

  /** Ends what still runs. */
  dispose(): void {
    for (const run of this.#all.values()) if (run.ended === undefined) run.kill();
  }

  #forget(): void {
    const over = [...this.#all.values()].filter((run) => run.ended !== undefined);
    for (const run of over.slice(0, Math.max(0, over.length - REMEMBERED_MAX))) this.#all.delete(run.run_id);
  }
}
