// Runs one command line in a session as if a person had typed it, and collects its result. Owns: one run, from
// the prompt before it to the prompt after it. Refuses: to judge whether it may run, and to type over anybody's line.
import type { RunResult } from "../../protocol/ops/run.ts";
import type { Waiting } from "../../protocol/words/program.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { type Fault, fault, INCOMPLETE_LINE, isFault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import { fishRefusal } from "../block/line-echo.ts";
import type { Actor } from "../gate/actor.ts";
import type { Admitted, Intent } from "../gate/settle.ts";
import { endedFault } from "../session/life.ts";
import type { Session } from "../session/session.ts";
import { asksInput, busyFault, isBusy, movedFault, refuse, silentFault, typedFault } from "./refusals.ts";

/** A shell that took a line runs it at once, or waits for the rest of it. */
const BEGIN_LOOK_MS = 400;
/** Where the kernel does not say which, we assume the latter after this long. */
const BEGIN_MS_MAX = 5_000;
/** A person who began a line and does nothing for this long may have erased it. */
const STILL_MS = 10_000;
/** A command that is about to end does so within this time. */
const ENDING_MS = 300;
/** After a line was given up, the shell shows its prompt again within this time. */
const CANCEL_MS_MAX = 2_000;

interface RunSpec {
  readonly command: string;
  readonly actor: Actor;
  readonly intent: Omit<Intent, "timeout_ms">;
  readonly timeout_ms: number;
  /** Whether it waits until somebody has finished or erased the line that they began. */
  readonly halfLines?: "wait" | "refuse" | undefined;
  /** A person allowed it already, elsewhere. */
  readonly admitted?: Admitted;
  /** Runs whose callers wait for their end. A run may wait for those. */
  readonly watched: Set<string>;
  /** A new name for every attempt. */
  newId(): string;
  now(): number;
}

export interface Ran {
  /** The line that ran. A person may have edited it. */
  readonly command: string;
  readonly run_id: string;
  readonly status: Exclude<RunResult["status"], "approval_pending" | "denied">;
  readonly exit_code: number | null;
  /** More than one when the command has several lines that the shell runs one by one. */
  readonly blocks: readonly Block[];
  readonly waiting: Waiting | null;
  readonly duration_ms: number;
}

/** A line of a boxed session that a person allowed to run outside of it. */
interface Leaves {
  readonly leaves: Admitted;
}

export async function runIn(session: Session, spec: RunSpec, cancelled?: Cancelled): Promise<Ran | Leaves | Fault> {
  const wrong =
    (session.over ? endedFault(session.id, session.state) : await session.start()) ??
    refuse(session, spec.command) ??
    (await refuseBusy(session, spec, cancelled));
  if (wrong) return wrong;
  let began = spec.now();
  const left = () => Math.max(0, spec.timeout_ms - (spec.now() - began));
  const intent = { ...spec.intent, timeout_ms: left() };
  const admitted = spec.admitted ?? (await session.admit(spec.actor, spec.command, intent, cancelled));
  if (isFault(admitted)) return admitted;
  if (session.meta.box && admitted.where === "outside") return { leaves: admitted };
  // Time spent waiting for a person was counted separately.
  if (spec.intent.approval_ms !== undefined) began = spec.now();
  // Runs go one after the other. The second waits for the prompt that the first one leaves.
  const taken = await session.commands.inTurn(() => place(session, spec, admitted, left, cancelled), left(), cancelled);
  if (!taken || isFault(taken)) {
    // Nothing was run, so a person's yes to it still counts.
    if (admitted.asked && (!taken || isBusy(taken))) session.giveBack(spec.actor, spec.command);
    return taken ?? busyFault(session);
  }
  const ran = await observe(session, { ...taken, began: spec.now() }, spec, left, cancelled);
  return isFault(ran) ? ran : { ...ran, command: admitted.text };
}

/** Says at once that something runs, before a person is asked. Only another caller's run is waited for. */
async function refuseBusy(session: Session, spec: RunSpec, cancelled?: Cancelled): Promise<Fault | undefined> {
  const { blocks } = session.commands;
  const isTaken = () => {
    if (!blocks.running || asksInput(session)) return blocks.running !== undefined;
    // A person's own line waits for the prompt, as in every shell.
    return spec.actor.kind === "agent" && !spec.watched.has(blocks.running.run_id ?? "");
  };
  if (!isTaken()) return undefined;
  const ended = await session.commands.until(() => (isTaken() ? undefined : "ended"), ENDING_MS, cancelled);
  return ended === "ended" ? undefined : busyFault(session);
}

interface Taken {
  readonly run_id: string;
  readonly cycle: number;
  /** Where the output of its session was when it was handed over. */
  readonly cursor: number;
}

/** Waits for an empty prompt and hands the line over. */
async function place(
  session: Session,
  spec: RunSpec,
  first: Admitted,
  left: () => number,
  cancelled?: Cancelled,
): Promise<Taken | Fault> {
  const { commands } = session;
  const { blocks } = commands;
  let admitted = first;
  let isKept = false;
  for (;;) {
    // Not while a person types, unless the caller would rather hear of it. Their line ends with a prompt.
    // A person who is quiet for long may have left an empty line. The shell knows.
    const isFree = () =>
      blocks.atPrompt &&
      (spec.actor.kind === "person" ||
        spec.halfLines === "refuse" ||
        !session.isTyped ||
        session.gate.stillMs > STILL_MS);
    const held = () => session.gate.refuses(spec.actor);
    const at = await commands.until(
      () => (session.over ? "over" : (held() ?? (isFree() ? "prompt" : asksInput(session) ? "asks" : undefined))),
      left(),
      cancelled,
    );
    if (isFault(at)) return at;
    if (at === "over") return fault("session.ended", `session ${session.id} is ${session.state}`, "Open another.");
    if (at !== "prompt") return blocks.atPrompt ? typedFault(session, spec.actor) : busyFault(session);
    if (!isKept) {
      isKept = true;
      // As late as possible. A person may have begun to type meanwhile, so we look again.
      const kept = await session.keepFiles(spec.actor, admitted);
      if (kept === "lacking") {
        if (left() === 0) return busyFault(session);
        const again = await session.admit(spec.actor, spec.command, { ...spec.intent, timeout_ms: left() }, cancelled);
        if (isFault(again)) return again;
        [admitted, isKept] = [again, false];
      }
      if (kept) continue;
    }
    const run_id = spec.newId();
    const { cycle, scanned: cursor } = blocks;
    session.display.typed({ text: `${admitted.text}\n` });
    const answer = await commands.lines.hand(spec.actor, run_id, admitted);
    if (answer === "shadowed") {
      const intent = { ...spec.intent, timeout_ms: left() };
      const asked = await session.admit(spec.actor, spec.command, intent, cancelled, "shell.shadowed");
      if (isFault(asked)) return asked;
      admitted = asked;
      continue;
    }
    if (answer === "taken") return { run_id, cycle, cursor };
    if (answer === "moved") return movedFault(session);
    // A person sees the half line, and decides.
    if (answer === "busy" && (spec.actor.kind === "person" || spec.halfLines === "refuse"))
      return typedFault(session, spec.actor);
    if (answer === "shut") return fault("session.ended", `session ${session.id} is ${session.state}`, "Open another.");
    // Somebody was quicker and their command runs now. We wait for the prompt after it.
    if (answer === "silent" && blocks.cycle === cycle && blocks.atPrompt) return silentFault(session);
    await commands.until(() => (blocks.cycle > cycle || session.over ? true : undefined), left(), cancelled);
    if (left() === 0) return answer === "busy" ? typedFault(session, spec.actor) : busyFault(session);
  }
}

async function observe(
  session: Session,
  run: Taken & { readonly began: number },
  spec: RunSpec,
  left: () => number,
  cancelled?: Cancelled,
): Promise<Ran | Fault> {
  const { commands } = session;
  const { blocks } = commands;
  const passed = () => blocks.atPrompt && blocks.cycle > run.cycle;
  const begun = () => (ofRun(blocks.list(), run.run_id).length > 0 || passed() || session.over ? true : undefined);
  while ((await commands.until(begun, BEGIN_LOOK_MS, cancelled)) === "deadline") {
    const shell = await commands.lines.now();
    // Its marks were read up to this probe, so what they do not say has not happened.
    if (begun()) break;
    const late = spec.now() - run.began > BEGIN_MS_MAX;
    if (shell === "reads" || (shell === "unknown" && late)) {
      const incomplete = await takenBack(session, spec.actor, run);
      if (incomplete) return incomplete;
    } else if (late && left() === 0) break;
  }
  return watch(session, run, spec, left, cancelled);
}

/** Continues to watch an earlier run. Undefined when this session has no such run. */
export async function goOn(
  session: Session,
  run_id: string,
  spec: Watched & { wallClock(): number },
  cancelled?: Cancelled,
): Promise<Ran | undefined> {
  const [first] = ofRun(await session.commands.list(), run_id);
  if (!first) return undefined;
  const asked = spec.now();
  const began = asked - Math.max(0, spec.wallClock() - first.ts_begin);
  // Its prompt came before the command, so any prompt now comes after it.
  const run = { run_id, cycle: -1, cursor: first.cursor_begin, began };
  return watch(session, run, spec, () => Math.max(0, spec.timeout_ms - (spec.now() - asked)), cancelled);
}

type Watched = Pick<RunSpec, "timeout_ms" | "now" | "watched"> & Partial<Pick<RunSpec, "actor">>;

async function watch(
  session: Session,
  run: Taken & { readonly began: number },
  spec: Watched,
  left: () => number,
  cancelled?: Cancelled,
): Promise<Ran> {
  const { commands } = session;
  const { blocks } = commands;
  const isDone = () => {
    if (session.over) return true;
    const all = blocks.list();
    const mine = ofRun(all, run.run_id);
    const passed = blocks.atPrompt && blocks.cycle > run.cycle;
    if (mine.length === 0) return passed;
    // The shell is at a prompt again, or the next command already runs.
    return mine.at(-1)?.state !== "running" && (passed || mine.at(-1) !== all.at(-1));
  };
  const seen = () => {
    if (isDone()) return "done";
    // A person took over what an agent began. Answering the command's question does not count as taking over.
    if (spec.actor?.kind === "agent" && session.isTaken) return "taken";
    return blocks.running && commands.waitingWatch.waiting ? "waiting_for_input" : undefined;
  };
  spec.watched.add(run.run_id);
  const outcome = await commands.until(seen, left(), cancelled);
  spec.watched.delete(run.run_id);
  const status = outcome === "done" || outcome === "waiting_for_input" ? outcome : "running";
  const all = ofRun(blocks.list(), run.run_id);
  return {
    run_id: run.run_id,
    command: all[0]?.cmd ?? "",
    status,
    exit_code: status === "done" ? exitCode(session, all) : null,
    blocks: all,
    waiting: status === "waiting_for_input" ? commands.waitingWatch.waiting : null,
    duration_ms: duration(all) ?? Math.round(spec.now() - run.began),
  };
}

/** The block with the run's name, and further blocks that the shell ran from the same lines. */
export function ofRun(all: readonly Block[], run_id: string): Block[] {
  const end = all.findLastIndex((block) => block.run_id === run_id) + 1;
  let start = end;
  while (start > 0 && all[start - 1]?.run_id === run_id) start -= 1;
  return all.slice(start, end);
}

function exitCode(session: Session, all: readonly Block[]): number | null {
  const last = all.at(-1);
  return last ? last.exit_code : session.commands.blocks.status;
}

function duration(all: readonly Block[]): number | undefined {
  const [first, last] = [all[0], all.at(-1)];
  return first && last?.ts_end != null ? Math.max(0, last.ts_end - first.ts_begin) : undefined;
}

/** The shell waits for more of the line. Nobody will type it, so we take the line back. Undefined when it began after all. */
async function takenBack(session: Session, actor: Actor, run: Taken): Promise<Fault | undefined> {
  const { commands } = session;
  const { blocks } = commands;
  const ran = () => ofRun(blocks.list(), run.run_id).length > 0 || session.over;
  const passed = () => blocks.atPrompt && blocks.cycle > run.cycle;
  const said = blocks.shell === "fish" ? fishRefusal(blocks.printedFrom(run.cursor)) : null;
  const pressed = await session.gate.interrupt(actor);
  if (isFault(pressed)) return pressed;
  await commands.until(() => (passed() || ran() ? true : undefined), CANCEL_MS_MAX);
  // Some shells do not show a new prompt for that.
  const shell = await commands.lines.now();
  if (ran()) return undefined;
  blocks.lineGone();
  const whatRan = passed() || shell === "reads" ? "Nothing was run." : "Read the screen: some of it may have run.";
  return fault("input.invalid", said === null ? INCOMPLETE_LINE : `the shell refuses this line: ${said}`, whatRan);
}
