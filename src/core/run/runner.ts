// Runs commands for callers: in the session they name, in one that is kept for their folder, or beside the terminal.
// Owns: the choice between these. The answer says what happened, never what was hoped for.
import type { Clock } from "../base/clock.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import type { Kept } from "../base/head-tail.ts";
import type { Block } from "../block/block.ts";
import type { Actor } from "../gate/actor.ts";
import type { Gone } from "../screen/waits.ts";
import type { Waiting } from "../session/attention.ts";
import { keptText } from "../session/block-output.ts";
import type { Session } from "../session/session.ts";
import { Interactive } from "./interactive.ts";
import { type PipeRun, PipeRuns, type SpawnPipe } from "./pipe.ts";
import { Pool, type PoolParts } from "./pool.ts";
import { goOn, type Ran, runIn } from "./run.ts";

export interface RunAsk {
  readonly command: string;
  readonly session: Session | undefined;
  readonly cwd: string;
  readonly mode: "auto" | "pty" | "pipe";
  readonly stdin: string | undefined;
  /** For commands beside the terminal. */
  readonly env: Readonly<Record<string, string>>;
  /** A session of its own with other variables than the kept ones have. */
  readonly fresh: (() => Promise<Session | Fault>) | undefined;
  readonly timeout_ms: number;
  readonly max_output_chars: number;
  readonly actor: Actor;
}

export interface RunAnswer {
  readonly status: "done" | "running" | "waiting_for_input";
  readonly exit_code: number | null;
  readonly session_id: string | null;
  readonly block_id: string | null;
  readonly run_id: string;
  readonly mode: "pty" | "pipe";
  readonly command: string;
  readonly cwd: string | null;
  readonly output: Kept;
  readonly stderr?: Kept;
  readonly duration_ms: number;
  readonly cursor: number;
  readonly waiting: Waiting | null;
  readonly hint?: string;
}

/** An answer, and where it came from. */
export interface Outcome {
  readonly answer: RunAnswer;
  readonly session?: Session;
  readonly blocks: readonly Block[];
}

export interface RunnerParts extends PoolParts {
  readonly clock: Clock;
  readonly spawnPipe: SpawnPipe;
  newId(): string;
}

type Limits = Pick<RunAsk, "timeout_ms" | "max_output_chars">;

export class Runner {
  #parts: RunnerParts;
  #pool: Pool;
  #pipes: PipeRuns;
  #interactive = new Interactive();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#pool = new Pool(parts);
    this.#pipes = new PipeRuns(parts.spawnPipe, () => parts.clock.monotonic());
  }

  async run(ask: RunAsk, gone?: Gone): Promise<Outcome | Fault> {
    const mode = this.#mode(ask);
    if (isFault(mode)) return mode;
    if (mode === "pipe") return this.#piped(ask, gone);
    if (ask.session) return this.#inSession(ask.session, ask, gone);
    if (!ask.fresh) return this.#pool.within(ask.actor, ask.cwd, (kept) => this.#inSession(kept, ask, gone));
    const fresh = await ask.fresh();
    if (isFault(fresh)) return fresh;
    const outcome = await this.#inSession(fresh, ask, gone);
    // Nobody would find it again. What it showed stays readable.
    if (isFault(outcome) || outcome.answer.status === "done") await fresh.close(ask.actor);
    return outcome;
  }

  /** Goes on with a run whose answer came before its end. */
  async resume(run_id: string, sessions: readonly Session[], limits: Limits, gone?: Gone): Promise<Outcome | Fault> {
    const piped = this.#pipes.find(run_id);
    if (piped) return this.#awaitPipe(piped, limits, gone);
    const { clock } = this.#parts;
    for (const session of sessions) {
      const ran = await goOn(session, run_id, { ...limits, now: () => clock.monotonic() }, gone);
      if (ran) return this.#outcome(session, ran, limits.max_output_chars);
    }
    return fault("run.not_found", `no run is called "${run_id}"`, "Its blocks are listed by: duetty blocks SESSION");
  }

  dispose(): void {
    this.#pipes.dispose();
  }

  #mode({ mode, stdin, session, command }: RunAsk): "pty" | "pipe" | Fault {
    if (mode === "pipe") return "pipe";
    if (stdin !== undefined) {
      const hint = "Use mode pipe, or redirect a file in the command.";
      return mode === "pty" ? fault("input.invalid", "stdin needs mode pipe", hint) : "pipe";
    }
    // A session that does not mark its commands is not spoiled by ours; interactive ones would only hang beside it.
    const silent = mode === "auto" && session?.commands.marked === "silent";
    return silent && !this.#interactive.expects(command) ? "pipe" : "pty";
  }

  async #inSession(session: Session, ask: RunAsk, gone?: Gone): Promise<Outcome | Fault> {
    const { clock, newId } = this.#parts;
    const { command, actor, timeout_ms } = ask;
    const ran = await runIn(session, { command, actor, timeout_ms, newId, now: () => clock.monotonic() }, gone);
    if (isFault(ran)) return ran;
    if (ran.waiting) this.#interactive.saw(command);
    return this.#outcome(session, ran, ask.max_output_chars, command);
  }

  async #outcome(session: Session, ran: Ran, charsMax: number, command?: string): Promise<Outcome> {
    const { past } = session.show;
    const { blocks, waiting, ...facts } = ran;
    const last = blocks.at(-1);
    const answer = {
      ...facts,
      waiting,
      session_id: session.id,
      block_id: blocks[0]?.block_id ?? null,
      mode: "pty" as const,
      command: command ?? blocks[0]?.cmd ?? "",
      cwd: blocks[0]?.cwd ?? null,
      output: await keptText(past, blocks, charsMax),
      cursor: last?.cursor_end ?? past.files.outputSize(),
      ...hinted(facts.status, waiting, blocks),
    };
    return { answer, session, blocks };
  }

  async #piped(ask: RunAsk, gone?: Gone): Promise<Outcome | Fault> {
    const { command, cwd, env, stdin } = ask;
    const run = this.#pipes.begin(this.#parts.newId(), { command, cwd, env, stdin });
    return isFault(run) ? run : this.#awaitPipe(run, ask, gone);
  }

  async #awaitPipe(run: PipeRun, { timeout_ms, max_output_chars }: Limits, gone?: Gone): Promise<Outcome> {
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(timeout_ms, resolve);
      gone?.cancelled(resolve);
      void run.whenEnded.then(resolve).then(cancel);
    });
    const { run_id, command, cwd, exit_code } = run;
    const over = run.ended !== undefined;
    const answer: RunAnswer = {
      status: over ? "done" : "running",
      exit_code,
      session_id: null,
      block_id: null,
      run_id,
      mode: "pipe",
      command,
      cwd,
      output: run.out.kept(max_output_chars),
      stderr: run.err.kept(max_output_chars),
      duration_ms: Math.round((run.ended ?? this.#parts.clock.monotonic()) - run.began),
      cursor: run.out.bytes,
      waiting: null,
      ...(over ? {} : { hint: `It goes on. Ask again with resume: "${run_id}".` }),
    };
    return { answer, blocks: [] };
  }
}

const WAITING_HINTS: Readonly<Record<Waiting["kind"], string>> = {
  password: "It asks for a password: only a person may type it. Ask them, then wait with block_end.",
  line: "It waits for a line: answer with pty_send (text and Enter), then wait with block_end.",
  keys: "It reads keys: go on with pty_send and pty_wait; the screen shows what it asks.",
  full_screen: "A full-screen program has the terminal: go on with pty_send and pty_wait, and read its screen.",
};

function hinted(status: Ran["status"], waiting: Waiting | null, blocks: readonly Block[]): { hint?: string } {
  if (waiting) return { hint: WAITING_HINTS[waiting.kind] };
  if (status === "running") return { hint: "It goes on. Wait with block_end and since, or read it with block." };
  if (blocks.some((block) => block.alt_screen_used))
    return { hint: "It used the full screen; the output is what was left." };
  return {};
}
