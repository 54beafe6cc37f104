// Runs, tests and commands as short text for models. Pure.

import { advice, worded } from "../../core/base/advice.ts";
import type { Screen } from "../../protocol/ops/screen.ts";
import type { Output } from "../../protocol/ops.ts";
import { screenText } from "../../protocol/plain/screen-text.ts";
import type { Fence } from "../fence.ts";
import { answeredAt, pendingText } from "./pending-text.ts";
import { cursorText, rowsText } from "./step-text.ts";

type Run = Output<"run_command">;
type Entry = Output<"report">["report"]["entries"][number];

export function runText(run: Run, fence: Fence): string {
  const { status, output, stderr, screen, hint, approval_id, url } = run;
  const head = run.note ? `${run.note} · ${statusOf(run)}` : statusOf(run);
  if (status === "approval_pending") return pendingText(approval_id, answeredAt(hint ?? "", url), head);
  const lines = [head];
  if (!screen) lines.push(...texts(output, run.block_id, fence), ...texts(stderr, null, fence, "stderr:\n"));
  else lines.push(...asked(run, screen, fence));
  lines.push(...(run.refused ?? []).map(refusal));
  if (hint) lines.push(hint);
  return lines.join("\n");
}

/** The rows that it asks with, as the answers to the next steps have them. */
function asked({ changes, above, block_id }: Run, screen: Screen, fence: Fence): string[] {
  const { body } = rowsText({ screen, changes, ...(screen.alt_screen ? { whole: true as const } : {}) }, fence);
  const more = above && block_id ? [`[more above: ${worded(advice("whole_output", block_id), "tool")}]`] : [];
  return [...more, ...(body === "" ? [] : [body])];
}

function refusal({ what, hint }: NonNullable<Run["refused"]>[number]): string {
  return `${what}. ${hint}`;
}

/** Empty fields were left out on the way. */
export function screenAsText(screen: Screen, fence: Fence): string {
  return screenText({ ...screen, scrollback: screen.scrollback ?? [] }, fence);
}

function statusOf(run: Run): string {
  const { status, exit_code, duration_ms, block_id, run_id, session_id, boxed, waiting, screen, changes } = run;
  const outcome = status === "done" ? `exit ${exit_code ?? "unknown"}` : status;
  const facts = [waiting ? `${outcome} (${waiting.program})` : outcome];
  if (duration_ms > 0) facts.push(seconds(duration_ms));
  if (block_id) facts.push(`block ${block_id}`);
  else if (session_id) facts.push(`session ${session_id}`);
  if (boxed) facts.push("boxed");
  if (status === "running" && run_id) facts.push(`run ${run_id}`);
  const place = screen ? cursorText({ screen, changes }) : "";
  if (place !== "") facts.push(place);
  return facts.join(" · ");
}

function texts(
  kept: Run["output"] | undefined,
  block_id: string | null | undefined,
  fence: Fence,
  label = "",
): string[] {
  const text = kept ? keptText(kept, block_id) : "";
  return text === "" ? [] : [fence(`${label}${text}`)];
}

function keptText({ head, tail, omitted_bytes }: Run["output"], block_id: string | null | undefined): string {
  if (omitted_bytes === 0) return head.trimEnd();
  const whole = block_id ? `; ${worded(advice("whole_output", block_id), "tool")}` : "";
  return [head.trimEnd(), `[… ${omitted_bytes} bytes omitted${whole} …]`, tail.trimEnd()]
    .filter((part) => part !== "")
    .join("\n");
}

/** Failures say what matters. We show the output only when no parser understood it. */
export function testsText({ verdict, summary, plan, run }: Output<"run_tests">, fence: Fence): string {
  const counts = summary ? ` · ${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped` : "";
  const lines = [`verdict: ${verdict}${counts} · ${plan.command} (${plan.cwd})`];
  const failures = (summary?.failures ?? []).map(failureLine);
  if (failures.length > 0) lines.push(fence(failures.join("\n")));
  if (run && failures.length === 0 && verdict !== "passed") lines.push(runText(run, fence));
  else if (run) lines.push(statusOf(run));
  else lines.push("not run");
  return lines.join("\n");
}

export function blockLine({ block_id, cmd, actor, exit_code, duration_ms, state }: Entry["block"]): string {
  const outcome = exit_code === null || exit_code === undefined ? state : `exit ${exit_code}`;
  const time = duration_ms === null || duration_ms === undefined ? "" : ` · ${seconds(duration_ms)}`;
  return `${block_id} · ${outcome}${time} · ${actor} · ${cmd ?? "?"}`;
}

/** For a success its line is enough. For tests the failures say more than the end of the output. */
export function entryText({ block, verdict, summary, output }: Entry): string {
  const tests = summary ? ` · ${summary.passed} passed, ${summary.failed} failed` : "";
  const failures = (summary?.failures ?? []).map(failureLine);
  const text = verdict === "passed" ? "" : failures.length > 0 ? failures.join("\n") : keptText(output, block.block_id);
  return `${blockLine(block)} · ${verdict}${tests}${text === "" ? "" : `\n${text.replace(/^/gm, "  ")}`}`;
}

type Failure = NonNullable<Entry["summary"]>["failures"][number];

function failureLine({ name, file, line, message }: Failure): string {
  return `✗ ${name}${file ? ` (${file}${line ? `:${line}` : ""})` : ""}: ${message}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
