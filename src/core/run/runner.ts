// Runs commands for callers: in the session they name, in one that is kept for their folder, or outside the terminal.
// Owns: the choice between these. The answer says what really happened.
import type { Kept } from "../../protocol/ops/run.ts";
import type { Input } from "../../protocol/ops.ts";
import { advice } from "../base/advice.ts";
import type { Cancelled } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import { leavesBox } from "../box/inside.ts";
import type { BoxSummary } from "../box/plan.ts";
import { refusals } from "../box/refusals.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import type { AdmittedStart } from "../gate/no-session.ts";
import type { Admitted, Intent } from "../gate/settle.ts";
import type { AgentLimits } from "../gate/shares.ts";
import { keptText } from "../past/block-output.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Session } from "../session/session.ts";
import { joined, type RunAnswer, type RunOutcome, refusedRun, withEdit } from "./answer.ts";
import { bringBack } from "./bring-back.ts";
import { hinted, jobsIn, keptIn, LOST_STATE, setsState, startsJobs, TAKEN } from "./hints.ts";
import { beside, modeOf } from "./mode.ts";
import { type PipeRun, PipeRuns, type SpawnPipe } from "./pipe.ts";
import { Pool, type Pooled, type PoolParts } from "./pool.ts";
import { goOn, type Ran, runIn } from "./run.ts";

interface RunAsk {
  readonly command: string;
  readonly session: Session | undefined;
  readonly cwd: string;
  readonly mode: Input<"run_command">["mode"];
  readonly stdin: string | undefined;
  /** For commands outside the terminal. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens a new session with other variables than the kept ones have. */
  readonly fresh: (() => Promise<Session | Fault>) | undefined;
  readonly timeout_ms: number;
  /** Whether a line that somebody has begun there is waited for. */
  readonly halfLines?: "wait" | "refuse";
  readonly max_output_chars: number;
  /** What an agent looks through. */
  readonly eyes: Redactor | undefined;
  readonly actor: Actor;
  /** The box that the caller runs in. */
  readonly within?: BoxSummary | undefined;
  readonly intent: Omit<Intent, "timeout_ms">;
}

interface RunnerParts extends PoolParts {
  readonly clock: Clock;
  readonly spawnPipe: SpawnPipe;
  readonly limits: AgentLimits;
  /** Whether a line may run outside the terminal. */
  admit(
    actor: Actor,
    what: { readonly text: string; readonly cwd: string; readonly stdin: string | null },
    intent: Intent,
    cancelled?: Cancelled,
  ): Promise<AdmittedStart | Fault>;
  /** Whether a person stopped all agents. */
  refuses(actor: Actor): Fault | undefined;
  newId(): string;
  /** The only folders that a box writes, for work in this folder. */
  boxRoots(cwd: string): readonly string[];
  /** An agent's command that runs longer is interrupted; 0 for never. */
  readonly command_timeout_ms: number;
}

type Limits = Pick<RunAsk, "timeout_ms" | "max_output_chars" | "eyes">;

export class Runner {
  #parts: RunnerParts;
  #pool: Pool;
  #pipes: PipeRuns;
  /** Runs whose callers wait for their end. */
  #watched = new Set<string>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    const back = { newId: () => parts.newId(), watched: this.#watched, now: () => parts.clock.monotonic() };
    this.#pool = new Pool(parts, (session, cwd, owner) => bringBack(session, cwd, owner, back));
    this.#pipes = new PipeRuns(parts.spawnPipe, () => parts.clock.monotonic(), parts.limits);
  }

  /** A denied or pending approval is an answer, not a failure. */
  async run(ask: RunAsk, cancelled?: Cancelled): Promise<RunOutcome | Fault> {
    const outcome = await this.#run(ask, cancelled);
    return isFault(outcome) ? refusedRun(ask, outcome) : withEdit(ask, outcome);
  }

  async #run(ask: RunAsk, cancelled?: Cancelled): Promise<RunOutcome | Fault> {
    const mode = this.#parts.refuses(ask.actor) ?? modeOf(ask);
    if (isFault(mode)) return mode;
    if (mode === "pipe") return this.#piped(ask, cancelled);
    if (ask.session) return this.#inSession(ask.session, ask, cancelled);
    // An agent's variables are set in its line.
    if (!ask.fresh || ask.actor.kind === "agent")
      return this.#pool.within(ask.actor, ask.cwd, (kept) => this.#pooled(kept, ask, cancelled), ask.within);
    const fresh = await ask.fresh();
    if (isFault(fresh)) return fresh;
    const outcome = await this.#inSession(fresh, ask, cancelled);
    // Nobody would find this session again, so it is closed. Its screen stays readable.
    if (isFault(outcome) || outcome.answer.status === "done") await fresh.close(ask.actor);
    return outcome;
  }

  /** Continues a run whose answer came before its end. */
  async resume(
    run_id: string,
    sessions: readonly Session[],
    limits: Limits,
    cancelled?: Cancelled,
  ): Promise<RunOutcome | Fault> {
    const piped = this.#pipes.find(run_id);
    if (piped) return this.#awaitPipe(piped, limits, cancelled);
    const { clock } = this.#parts;
    for (const session of sessions) {
      const spec = { ...limits, watched: this.#watched, now: () => clock.monotonic(), wallClock: () => clock.now() };
      const ran = await goOn(session, run_id, spec, cancelled);
      if (ran) return this.#outcome(session, ran, limits);
    }
    return fault("run.not_found", `no run is called "${run_id}"`, advice("blocks"));
  }

  /** Ends commands outside the terminal. */
  stopPipes(): void {
    this.#pipes.dispose();
  }

  /** Whether one of these processes is a command outside the terminal. */
  isPiped(pids: readonly number[]): boolean {
    return this.#pipes.has(pids);
  }

  dispose(): void {
    this.#pipes.dispose();
  }

  async #inSession(
    session: Session,
    ask: RunAsk,
    cancelled?: Cancelled,
    admitted?: Admitted,
  ): Promise<RunOutcome | Fault> {
    const { clock, newId } = this.#parts;
    const { command, actor, timeout_ms, intent, halfLines } = ask;
    const spec = {
      command,
      actor,
      timeout_ms,
      intent,
      halfLines,
      newId,
      watched: this.#watched,
      now: () => clock.monotonic(),
    };
    const ran = await runIn(session, admitted ? { ...spec, admitted } : spec, cancelled);
    if (isFault(ran)) return ran;
    if ("leaves" in ran) return this.#outside(session, ran.leaves, ask, cancelled);
    if (ran.status !== "done" && actor.kind === "agent") this.#limit(session, ran);
    return this.#outcome(session, ran, ask, ran.command);
  }

  /** A caller that names no session hears what the next such call does not find. */
  async #pooled({ session, instead }: Pooled, ask: RunAsk, cancelled?: Cancelled): Promise<RunOutcome | Fault> {
    const outcome = await this.#inSession(session, ask, cancelled);
    if (isFault(outcome) || outcome.session !== session) return outcome;
    const { answer } = outcome;
    const hints = instead === undefined ? [] : [`It ran in session ${session.id}: ${instead}.`];
    if (answer.status === "done" && !session.over) {
      const { cwd } = session.commands.blocks;
      if ((cwd !== null && cwd !== ask.cwd) || (session.meta.box && setsState(answer.command)))
        hints.push(keptIn(session.id, ask.cwd));
      if (startsJobs(answer.command) && this.#parts.hasJobs(session)) hints.push(jobsIn(session.id));
    }
    return hints.length === 0 ? outcome : { ...outcome, answer: { ...answer, hint: joined(answer.hint, ...hints) } };
  }

  /** A person let a line out of a boxed session. It runs in a session of theirs for the same folder. */
  async #outside(boxed: Session, admitted: Admitted, ask: RunAsk, cancelled?: Cancelled): Promise<RunOutcome | Fault> {
    const cwd = boxed.commands.blocks.cwd ?? boxed.meta.cwd;
    const run = ({ session }: Pooled) => this.#inSession(session, ask, cancelled, admitted);
    const outcome = await this.#pool.within({ kind: "person" }, cwd, run, "outside");
    if (isFault(outcome)) return outcome;
    const { answer } = outcome;
    const hint = joined(`It ran outside the box, in session ${answer.session_id}.`, answer.hint);
    return { ...outcome, answer: { ...answer, hint } };
  }

  /** Ends a command that outlasts its call, after the time that a person configured. */
  #limit(session: Session, { run_id, duration_ms }: Ran): void {
    const { clock, command_timeout_ms } = this.#parts;
    if (command_timeout_ms <= 0) return;
    clock.after(Math.max(0, command_timeout_ms - duration_ms), () => {
      if (session.commands.blocks.running?.run_id !== run_id) return;
      session.gate.log({ kind: "timeout", run_id, command_timeout_ms });
      void session.signal("SIGINT");
    });
  }

  async #outcome(session: Session, ran: Ran, limits: Limits, command?: string): Promise<RunOutcome> {
    const { past } = session.display;
    const { blocks, waiting, ...facts } = ran;
    const last = blocks.at(-1);
    const size = past.files.outputSize(); // What comes while the output is read may be missing in it.
    const output = await keptText(past, blocks, { charsMax: limits.max_output_chars, eyes: limits.eyes });
    const cwd = blocks[0]?.cwd ?? null;
    const boxed = session.commands.isBoxed(facts.run_id);
    const line = command ?? blocks[0]?.cmd ?? "";
    const answer = {
      ...facts,
      boxed,
      ...(boxed ? this.#refused(textOf(output), facts.exit_code, cwd ?? session.meta.cwd, session, blocks[0]) : {}),
      waiting,
      session_id: session.id,
      block_id: blocks[0]?.block_id ?? null,
      mode: "pty" as const,
      command: line,
      cwd,
      output,
      cursor: last?.cursor_end ?? size,
      ...(facts.status === "running" && session.isTaken
        ? TAKEN
        : hinted(session, { status: facts.status, waiting, blocks })),
    };
    const isLineBox = boxed && !session.meta.box;
    return { answer: isLineBox && setsState(line) ? { hint: LOST_STATE, ...answer } : answer, session, blocks };
  }

  #refused(
    output: string,
    exit_code: number | null,
    cwd: string,
    session?: Session,
    first?: Block,
  ): Pick<RunAnswer, "refused"> {
    const hosts = first && session?.network ? session.network.refusedSince(first.ts_begin) : [];
    const folder = exit_code === null ? null : (session?.commands.leftBehind ?? null);
    if (folder === null && hosts.length === 0 && (exit_code === null || exit_code === 0)) return {};
    const roots = session?.meta.box?.roots ?? this.#parts.boxRoots(cwd);
    const refused = refusals({ output, exit_code, cwd, roots, hosts, folder });
    return refused.length === 0 ? {} : { refused };
  }

  async #piped(ask: RunAsk, cancelled?: Cancelled): Promise<RunOutcome | Fault> {
    const { cwd, env, stdin, intent, timeout_ms, within } = ask;
    const held = ask.session?.gate.refuses(ask.actor);
    if (held) return held;
    const what = { text: ask.command, cwd, stdin: stdin ?? null };
    const admitted = await this.#parts.admit(ask.actor, what, { ...intent, timeout_ms }, cancelled);
    if (isFault(admitted)) return admitted;
    const { text: command, where, asked } = admitted;
    const boxed = where === "box";
    const leaves = boxed || asked ? undefined : leavesBox(null, within);
    if (leaves) return leaves;
    const start = { command, cwd, env, stdin, boxed, within };
    const run = this.#pipes.begin(this.#parts.newId(), actorName(ask.actor), start);
    if (isFault(run)) return run;
    const outcome = await this.#awaitPipe(run, ask, cancelled);
    return { ...outcome, answer: { ...outcome.answer, note: beside(ask.session, outcome.answer.status) } };
  }

  async #awaitPipe(run: PipeRun, limits: Limits, cancelled?: Cancelled): Promise<RunOutcome> {
    const { timeout_ms, max_output_chars, eyes } = limits;
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(timeout_ms, resolve);
      cancelled?.onCancel(resolve);
      void run.whenEnded.then(resolve).then(cancel);
    });
    const { run_id, command, cwd, exit_code, boxed } = run;
    const over = run.ended !== undefined;
    const output = run.out.kept(max_output_chars, eyes);
    const stderr = run.err.kept(max_output_chars, eyes);
    const text = `${textOf(output)}\n${textOf(stderr)}`;
    const answer: RunAnswer = {
      status: over ? "done" : "running",
      exit_code,
      session_id: null,
      block_id: null,
      run_id,
      mode: "pipe",
      command,
      cwd,
      output,
      stderr,
      boxed,
      ...(boxed ? this.#refused(text, exit_code, cwd) : {}),
      duration_ms: Math.round((run.ended ?? this.#parts.clock.monotonic()) - run.began),
      cursor: run.out.bytes,
      waiting: null,
      ...(over ? {} : { hint: `It still runs. ${advice("resume", run_id)}` }),
    };
    return { answer, blocks: [] };
  }
}

function textOf({ head, tail }: Kept): string {
  return `${head}\n${tail}`;
}
