// Operations that run commands and tests, and that report on them.

import { advice } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { keptText, wholeText } from "../../core/past/block-output.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import type { RunOutcome } from "../../core/run/answer.ts";
import { ofRun } from "../../core/run/run.ts";
import { planTests, type TestPlan } from "../../core/run/tests/plan.ts";
import { lineOf, shellLine } from "../../core/run/tests/shell-words.ts";
import { summarize } from "../../core/run/tests/summary.ts";
import { type Entry, markdownOf, reportOf } from "../../core/run/verification.ts";
import { ownRows } from "../../core/screen/looks.ts";
import type { Session } from "../../core/session/session.ts";
import { workspaceAt } from "../../host/disk/workspace.ts";
import { RUN_MS } from "../../protocol/ops/run.ts";
import type { Input, Output } from "../../protocol/ops.ts";
import type { Call } from "../auth.ts";
import { boxAround } from "../opening/box-limits.ts";
import { folderOf } from "../opening/folder.ts";
import { environment } from "../opening/open.ts";
import { findBlock, NEWEST, onWire } from "./block.ts";
import { type Context, type Handlers, lookerOf, onSession, withNote } from "./context.ts";

/** How much of a test log we read. More is repetition. */
const TEST_TEXT_CHARS_MAX = 8 << 20;
/** Commands in one report. */
const REPORT_ENTRIES_MAX = 200;
/** Commands whose output is worth asking for a test summary. */
const TESTS =
  /\b(?:tests?|check|spec|vitest|jest|mocha|pytest|unittest|cargo|go|gradlew?|mvnw?|dotnet|rspec|rake|phpunit|ctest|playwright|tap|ava)\b/;

type Mine = Pick<Handlers, "run_command" | "run_tests" | "integrate" | "report">;

export function runHandlers(ctx: Context): Mine {
  return {
    async run_command(input, call) {
      const outcome = await run(ctx, input, call);
      return isFault(outcome) ? outcome : answerOf(outcome, call);
    },
    run_tests: (input, call) => runTests(ctx, input, call),
    integrate: ({ session_id }) => onSession(ctx, session_id, integrated),
    report: (input, { eyes }) => reported(ctx, input, eyes),
  };
}

async function integrated(session: Session): Promise<Output<"integrate"> | Fault> {
  const failed = await session.start();
  const done = failed ?? (await session.commands.nesting.integrate());
  if (isFault(done)) return done;
  const { nested } = session.info();
  if (!nested) return fault("session.ended", "the shell inside ended at once", "Look what happened there.");
  return { session_id: session.id, nested };
}

async function run(ctx: Context, input: Input<"run_command">, call: Call): Promise<RunOutcome | Fault> {
  const { timeout_ms = RUN_MS, max_output_chars, resume, mode, stdin } = input;
  const { eyes } = call;
  if (resume !== undefined)
    return ctx.runner.resume(resume, ctx.sessions.list(), { timeout_ms, max_output_chars, eyes }, call.cancelled);
  if (input.command === undefined) return fault("input.invalid", "there is no command", advice("command"));
  const { command, env: changes } = ctx.admission.line(lineOf(input.command), call, input);
  const forgotten = call.surface === "cli" ? noCommand(ctx, input) : undefined;
  if (forgotten) return forgotten;
  const session = input.session_id === undefined ? undefined : await ctx.sessions.awake(input.session_id);
  if (isFault(session)) return session;
  const cwd = folderOf(input.cwd ?? session?.info().cwd);
  const elsewhere = session && input.cwd !== undefined && mode !== "pipe" ? notThere(session, cwd) : undefined;
  if (elsewhere) return elsewhere;
  const approval_ms = call.approvalWaitMs;
  const leave = input.box === false;
  const intent = { description: input.description, confidence: input.confidence, approval_ms, leave };
  const env = environment(ctx.admission.base(call, input.base_env), changes);
  const fresh = input.env && (() => ctx.opening.shell(cwd, changes, call));
  // Who names a time waits that long for a half line, too.
  const halfLines = input.timeout_ms === undefined ? ("refuse" as const) : ("wait" as const);
  const within = boxAround(ctx.sessions, call);
  const where = { command, session, cwd, mode, stdin, env, fresh, halfLines, within };
  return ctx.runner.run({ ...where, timeout_ms, max_output_chars, eyes, actor: call.actor, intent }, call.cancelled);
}

/** A session runs everything in its own folder. */
function notThere(session: Session, cwd: string): Fault | undefined {
  const { cwd: theirs } = session.info();
  if (cwd === folderOf(theirs)) return undefined;
  return fault(
    "input.invalid",
    `session ${session.id} is in ${theirs}`,
    `Use cd ${cwd} && …, or leave the session out.`,
  );
}

/** With the screen when it waits for input, and with what a person said. */
/** `duetty run work`: the only word is a session's name, so the command was forgotten. */
function noCommand(ctx: Context, { command, session_id }: Input<"run_command">): Fault | undefined {
  if (typeof command !== "string" || session_id !== undefined || /\s/.test(command)) return undefined;
  const isSession = ctx.sessions.live.some(({ id, meta }) => id === command || meta.name === command);
  if (!isSession) return undefined;
  return fault("input.invalid", `"${command}" is a session, and there is no command`, advice("no_command", command));
}

async function answerOf({ answer, session }: RunOutcome, call: Call) {
  const heard = withNote(session, call, answer);
  session?.looks.reached(lookerOf(call), answer.cursor);
  if (answer.status !== "waiting_for_input" || !session) return heard;
  const { zones = [], ...screen } = await session.see({ scrollback: 0, eyes: call.eyes, zones: true });
  session.looks.note(lookerOf(call), screen);
  const { changes, above } = ownRows({ ...screen, zones });
  return { ...heard, screen, changes, ...(above ? { above } : {}) };
}

async function runTests(ctx: Context, input: Input<"run_tests">, call: Call) {
  const { session_id, timeout_ms, max_output_chars, dry_run, ...wanted } = input;
  const session = session_id === undefined ? undefined : await ctx.sessions.awake(session_id);
  if (isFault(session)) return session;
  const cwd = folderOf(input.cwd ?? session?.info().cwd);
  const plan = await planTests(workspaceAt(cwd), wanted);
  if (isFault(plan)) return plan;
  if (dry_run) return { verdict: "unknown" as const, summary: null, plan, run: null };
  const command = commandIn(plan, session);
  const { eyes } = call;
  const limits = { timeout_ms, max_output_chars, eyes, within: boxAround(ctx.sessions, call) };
  const ask = { command, session, cwd: plan.cwd, mode: "pty" as const, stdin: undefined, env: {}, fresh: undefined };
  const outcome = await ctx.runner.run(
    { ...ask, ...limits, actor: call.actor, intent: { approval_ms: call.approvalWaitMs } },
    call.cancelled,
  );
  if (isFault(outcome)) return outcome;
  const { status, exit_code } = outcome.answer;
  const answer = await answerOf(outcome, call);
  if (status !== "done") {
    const verdict = status === "running" ? ("running" as const) : ("waiting" as const);
    return { verdict, summary: null, plan, run: answer };
  }
  const log = { charsMax: TEST_TEXT_CHARS_MAX, eyes };
  const text = outcome.session ? await wholeText(outcome.session.display.past, outcome.blocks, log) : "";
  const summary = summarize({ runner: plan.runner, text, exit_code });
  const good = exit_code === 0 && summary !== null && summary.failed === 0 && !summary.crashed;
  const verdict = good ? ("passed" as const) : exit_code === 0 && !summary ? ("unknown" as const) : ("failed" as const);
  return { verdict, summary, plan, run: answer };
}

/** In a session in another folder it runs in a subshell, so that the session stays where it is. */
function commandIn(plan: TestPlan, session: Session | undefined): string {
  if (!session || session.info().cwd === plan.cwd) return plan.command;
  return shellLine(["sh", "-c", `${shellLine(["cd", plan.cwd])} && ${plan.command}`]);
}

async function reported(
  ctx: Context,
  { id, format, max_output_chars: charsMax }: Input<"report">,
  eyes: Redactor | undefined,
) {
  const subject = await subjectOf(ctx, id);
  if (isFault(subject)) return subject;
  const { session, blocks } = subject;
  const shown = blocks.slice(-REPORT_ENTRIES_MAX);
  const entries: Entry[] = [];
  for (const block of shown) {
    const { past } = session.display;
    const output = await keptText(past, [block], { charsMax, eyes });
    const isTest = block.state !== "running" && TESTS.test(block.cmd ?? "");
    const text = isTest ? await wholeText(past, [block], { charsMax: TEST_TEXT_CHARS_MAX, eyes }) : "";
    const summary = isTest ? summarize({ runner: "unknown", text, exit_code: block.exit_code }) : null;
    // A command that only looks like a test and failed for another reason has an exit code, no summary.
    entries.push({ block, output, summary: summary && (summary.passed + summary.failed > 0 ? summary : null) });
  }
  const omitted = blocks.length - shown.length;
  const report = reportOf({ session_id: session.id, subject: subject.name, made_at: Date.now(), omitted }, entries);
  const wire = {
    ...report,
    entries: report.entries.map((entry) => ({ ...entry, block: onWire(session, entry.block) })),
  };
  return format === "json" ? { report: wire } : { report: wire, markdown: markdownOf(report, (text) => text) };
}

/** A run, a block, or a whole session. */
async function subjectOf(ctx: Context, id: string) {
  if (id.startsWith("r_")) {
    for (const session of ctx.sessions.list()) {
      const blocks = ofRun(await session.commands.list(), id);
      if (blocks.length > 0) return { session, blocks, name: `run ${id}` };
    }
    return fault("run.not_found", `no run is called "${id}"`, "Runs beside the terminal have no blocks to report on.");
  }
  const session = id === NEWEST ? undefined : await ctx.sessions.awake(id);
  if (session && !isFault(session))
    return { session, blocks: await session.commands.list(), name: `session ${session.id}` };
  const found = await findBlock(ctx, id);
  if (isFault(found)) return session && found.code === "block.not_found" ? session : found;
  return { session: found.session, blocks: [found.block], name: `block ${found.block.block_id}` };
}
