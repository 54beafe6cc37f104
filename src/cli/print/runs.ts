// What the verbs about commands print, and their exit codes: a run passes the command's own through.

import { advice, worded } from "../../core/base/advice.ts";
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { placeLabel } from "../../protocol/plain/place-label.ts";
import { screenText } from "../../protocol/plain/screen-text.ts";
import { harmless } from "../text/harmless.ts";
import { aside, json, line, lines, rawOutput } from "../text/output.ts";
import type { PrintContext, Printers } from "./printer.ts";
import { table } from "./table.ts";

type Kept = Output<"run_command">["output"];

export const printers: Printers = {
  run_command: { text: printRun, code: runCode },
  run_tests: { text: printTests, code: testCode },
  integrate: { text: printNested },
  blocks: { text: printBlocks },
  block: { text: printBlock },
  report: {
    text: ({ markdown = "" }) => lines(markdown.replace(/\n$/u, "")),
    json: ({ report }) => json(report),
  },
};

function printNested({ nested }: Output<"integrate">): void {
  const { shell, far } = nested;
  line(`${shell} in ${placeLabel(nested)} marks its commands now`);
  aside(
    `there is no guard and no box around an agent's lines there: each is asked about${far ? ", and its marks are all that is known of it" : ""}`,
  );
}

function printRun(run: Output<"run_command">): void {
  aside(run.note);
  // What it asks is on its screen, and its output with it.
  if (!run.screen) put(process.stdout, run.output, run.block_id);
  if (run.stderr) put(process.stderr, run.stderr, null);
  for (const { what, hint } of run.refused ?? []) aside(`${what}. ${hint}`);
  if (run.status === "done") return aside(run.hint);
  if (run.screen) lines(screenText(run.screen));
  aside(`${STATUS[run.status]}${whereOf(run)}${run.hint ? `\n  ${run.hint}` : ""}`);
}

const STATUS: Readonly<Record<Exclude<Output<"run_command">["status"], "done">, string>> = {
  running: "still running",
  waiting_for_input: "waiting for input",
  approval_pending: "waiting for approval",
  denied: "denied",
};

/** How to name it later. What was denied never had a name. */
function whereOf({ approval_id, block_id, cursor, run_id }: Output<"run_command">): string {
  if (approval_id !== undefined) return ` (approval ${approval_id})`;
  if (block_id !== null) return ` (block ${block_id}, cursor ${cursor})`;
  return run_id === "" ? "" : ` (run ${run_id})`;
}

function put(stream: NodeJS.WriteStream, { head, tail, omitted_bytes }: Kept, block_id: string | null): void {
  if (head === "" && tail === "") return;
  const whole_output = block_id === null ? "" : `; ${worded(advice("whole_output", block_id), "cli")}`;
  const middle = omitted_bytes > 0 ? `\n[… ${omitted_bytes} bytes omitted${whole_output} …]\n` : "";
  const text = `${head}${middle}${tail}`;
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  // A file or another program gets it as it is.
  stream.write(stream.isTTY ? harmless(whole) : whole);
}

function runCode({ status, exit_code, waiting }: Output<"run_command">): number {
  if (status === "done") return exit_code ?? EXIT.error;
  if (status === "running") return EXIT.deadline;
  return waiting?.kind === "password" ? EXIT.echo_off : EXIT.needs_person;
}

function printTests({ verdict, summary, plan, run }: Output<"run_tests">): void {
  line(`$ ${plan.command}`);
  for (const why of plan.why) line(`  ${why}`);
  if (!run) return;
  if (verdict !== "passed") put(process.stdout, run.output, run.block_id);
  if (run.screen) lines(screenText(run.screen));
  if (!summary) return line(`${verdict}${run.hint ? `: ${run.hint}` : ""}`);
  const counts = `${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`;
  line(`${verdict}: ${counts} (${summary.runner}, ${(run.duration_ms / 1000).toFixed(1)} s, ${run.block_id})`);
  for (const { name, file, line: at, message } of summary.failures) {
    line(`  ✗ ${name}${file ? ` (${file}${at === null ? "" : `:${at}`})` : ""}`);
    const first = message.split("\n")[0] ?? "";
    if (first !== "") line(`    ${first}`);
  }
}

function testCode({ verdict, run }: Output<"run_tests">): number {
  if (!run || verdict === "passed") return EXIT.ok;
  if (run.status !== "done") return runCode(run);
  return run.exit_code || EXIT.error;
}

function printBlocks({ blocks, total, integration }: Output<"blocks">): void {
  if (blocks.length === 0) {
    const why = integration === "none" ? "this session's program does not mark its commands" : "no command ran yet";
    return line(`no blocks: ${why}`);
  }
  const rows = blocks.map((block) => [
    block.block_id,
    block.exit_code === null ? block.state : String(block.exit_code),
    block.duration_ms === null ? "-" : `${(block.duration_ms / 1000).toFixed(block.duration_ms < 10_000 ? 2 : 1)}s`,
    block.actor,
    (block.cmd ?? "?").replaceAll("\n", "⏎"),
  ]);
  table([["BLOCK", "EXIT", "TIME", "BY", "COMMAND"], ...rows]);
  if (total > blocks.length) line(`[${total - blocks.length} earlier: --before ${blocks[0]?.block_id}]`);
}

async function printBlock(first: Output<"block">, { ask }: PrintContext<"block">): Promise<void> {
  if (first.format === "raw") return printBytes(first, ask);
  if (first.format === "runs") return json(first);
  if (first.content) lines(first.content);
  const { from_line = 0, lines_total = 0, content = "" } = first;
  const shown = from_line + (content === "" ? 0 : content.split("\n").length);
  if (shown < lines_total) aside(`lines ${from_line} to ${shown - 1} of ${lines_total}; more with --lines ${shown}:`);
}

async function printBytes(first: Output<"block">, ask: PrintContext<"block">["ask"]): Promise<void> {
  const write = rawOutput();
  let part = first;
  aside(part.hint);
  for (;;) {
    await write(Buffer.from(part.base64 ?? "", "base64"));
    if (part.next === null || part.next === undefined) return;
    part = await ask({ block_id: first.block.block_id, format: "raw", offset: part.next });
  }
}
