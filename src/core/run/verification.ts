// A report of what was run, as proof: its verdicts rest only on exit codes and test output. Pure. Every text
// passes through `show`, so that a report is as clean as everything else an agent reads.
import type { Kept, RunVerdict, Report as WireReport } from "../../protocol/ops/run.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import type { Block } from "../block/block.ts";
import type { TestSummary } from "./tests/summary.ts";

/** What a report is made of. */
export interface Entry {
  readonly block: Block;
  readonly summary: TestSummary | null;
  readonly output: Kept;
}

type Report = DeepReadonly<WireReport>;
type JudgedEntry = Report["entries"][number];

export function verdictOf({ block, summary }: Pick<Entry, "block" | "summary">): RunVerdict {
  if (block.state === "running") return "running";
  if (block.state === "lost") return "unknown";
  if (block.state === "failed" || block.exit_code !== 0) return "failed";
  return summary && (summary.failed > 0 || summary.crashed) ? "failed" : "passed";
}

export function reportOf(
  subject: {
    readonly session_id: string;
    readonly subject: string;
    readonly made_at: number;
    readonly omitted: number;
  },
  given: readonly Entry[],
): Report {
  const entries = given.map((entry) => ({
    ...entry,
    block: { ...entry.block, session_id: subject.session_id },
    verdict: verdictOf(entry),
  }));
  const count = (verdict: RunVerdict) => entries.filter((entry) => entry.verdict === verdict).length;
  return {
    ...subject,
    verdict: overall(entries),
    counts: {
      commands: entries.length,
      passed: count("passed"),
      failed: count("failed"),
      running: count("running"),
      unknown: count("unknown"),
    },
    duration_ms: entries.reduce((sum, { block }) => sum + (block.duration_ms ?? 0), 0),
    entries,
  };
}

/** Judged by the last run of each command. A command that failed first and passed later counts as fixed. */
function overall(entries: readonly JudgedEntry[]): RunVerdict {
  const last = new Map(entries.map(({ block, verdict }) => [`${block.cwd} ${block.cmd ?? block.block_id}`, verdict]));
  const verdicts = [...last.values()];
  for (const verdict of ["failed", "running", "unknown"] as const) if (verdicts.includes(verdict)) return verdict;
  return verdicts.length > 0 ? "passed" : "unknown";
}

export function markdownOf(report: Report, show: (text: string) => string): string {
  const { counts, entries } = report;
  const made = new Date(report.made_at).toISOString();
  const lines = [
    `# Verification report: ${report.verdict}`,
    "",
    `${report.subject}, ${made}: ${counts.commands} ${counts.commands === 1 ? "command" : "commands"}, ${counts.passed} passed, ${counts.failed} failed` +
      `${counts.running ? `, ${counts.running} running` : ""}${counts.unknown ? `, ${counts.unknown} unknown` : ""}` +
      ` in ${seconds(report.duration_ms)}.`,
    "",
    ...(report.omitted > 0 ? [`${report.omitted} earlier commands are left out.`, ""] : []),
    "| block | command | by | exit | time | bytes |",
    "|---|---|---|---|---|---|",
    ...entries.map((entry) => row(entry, show)),
    "",
    ...entries.flatMap((entry) => detail(entry, show)),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function row({ block, verdict }: JudgedEntry, show: (text: string) => string): string {
  const { block_id, cmd, actor, exit_code, duration_ms, cursor_begin, cursor_end } = block;
  const exit = exit_code === null ? verdict : `${exit_code}${verdict === "failed" ? " ✗" : ""}`;
  const cells = [
    block_id,
    code(show(cmd ?? "?")),
    actor,
    exit,
    seconds(duration_ms),
    `${cursor_begin}–${cursor_end ?? ""}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function detail({ block, verdict, summary, output }: JudgedEntry, show: (text: string) => string): string[] {
  if (verdict === "passed" && !summary) return [];
  const lines = [`## ${verdict}: ${code(show(block.cmd ?? block.block_id))}`, ""];
  if (summary) {
    lines.push(
      `${summary.runner}: ${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped.`,
      "",
    );
    for (const failure of summary.failures) {
      const where = failure.file ? ` (${failure.file}${failure.line === null ? "" : `:${failure.line}`})` : "";
      lines.push(`- **${flat(show(failure.name))}**${show(where)}: ${flat(show(failure.message))}`);
    }
    if (summary.failures.length > 0) lines.push("");
  }
  if (verdict !== "failed") return lines;
  const omitted = output.omitted_bytes > 0 ? `\n… ${output.omitted_bytes} bytes omitted …\n` : "";
  return [...lines, ...fenced(show(`${output.head}${omitted}${output.tail}`)), ""];
}

/** Fenced by more backticks than the text has in a row. */
function fenced(text: string): string[] {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [`${fence}text`, text, fence];
}

/** In one line of a table. */
function code(text: string): string {
  const line = flat(text).replaceAll("|", "\\|");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}

function flat(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function seconds(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
