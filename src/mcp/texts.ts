// The answer of each tool as short text for a model. It has the same facts as the structured answer, once and in the
// order of importance; hints come last. Pure.

import { marked } from "../core/base/invisible.ts";
import { lifeWords } from "../core/base/question-words.ts";
import type { Screen } from "../protocol/ops/screen.ts";
import type { Output } from "../protocol/ops.ts";
import { screenText } from "../protocol/plain/screen-text.ts";
import { answeredAt, pendingText } from "./answer/pending-text.ts";
import { blockLine, entryText, runText, screenAsText, seconds, testsText } from "./answer/run-texts.ts";
import { outcomeText, stepText } from "./answer/step-text.ts";
import type { Fence } from "./fence.ts";

type Texts = { readonly [N in Told]: (output: Output<N>, fence: Fence) => string };
type Told =
  | "pty_open"
  | "pty_list"
  | "pty_close"
  | "pty_resize"
  | "pty_prompt"
  | "pty_send"
  | "pty_wait"
  | "pty_read_screen"
  | "pty_read_screen_deltas"
  | "pty_screen_status"
  | "pty_read_raw"
  | "run_command"
  | "run_tests"
  | "ask_person"
  | "blocks"
  | "block"
  | "report"
  | "search"
  | "export"
  | "signal"
  | "hosts";

const TEXTS: Texts = {
  pty_open: openedLine,
  pty_list: ({ sessions, damaged = [], missing = [] }) => {
    const away = missing.length > 0 ? [`[not here now: ${missing.join(", ")}]`] : [];
    const unread = [...damaged.map(({ session_id, why }) => `${session_id} cannot be read: ${why}`), ...away];
    return sessions.length === 0
      ? ["no sessions", ...unread].join("\n")
      : [...sessions.map(sessionLine), ...unread].join("\n");
  },
  pty_close: closedLine,
  pty_resize: ({ session_id, cols, rows }) => `${session_id} is ${cols}x${rows} now`,
  pty_prompt: prompted,
  pty_send: waited,
  pty_wait: waited,
  pty_read_screen: shown,
  pty_read_screen_deltas: deltas,
  pty_screen_status: statusLine,
  pty_read_raw: ({ from, next, total, base64, hint }, fence) =>
    `bytes ${from} to ${next} of ${total}${hint ? ` (${hint})` : ""}\n${fence(bytesText(base64))}`,
  run_command: runText,
  run_tests: testsText,
  ask_person: asked,
  blocks: blocksText,
  block: blockText,
  report: ({ report, markdown }, fence) => (markdown === undefined ? reportText(report, fence) : fence(markdown)),
  search: matchesText,
  export: ({ content, next }, fence) =>
    [fence(content), next === null ? "[that is all]" : `[more with after ${JSON.stringify(next)}]`].join("\n"),
  signal: ({ session_id, signal, delivered }) =>
    delivered ? `${signal} was sent in ${session_id}` : `no program in ${session_id} took ${signal}`,
  hosts: ({ me, hosts }) => [`${me}: this machine`, ...hosts.map(hostLine)].join("\n"),
};

/** `fence`: around what programs printed. */
export function textOf(tool: string, output: object, fence: Fence): string {
  const text = (TEXTS as Record<string, ((output: object, fence: Fence) => string) | undefined>)[tool];
  return text ? text(output, fence) : JSON.stringify(output);
}

/** Fields without a value were left out on the way. */
function hostLine({ host, reach, why, sessions, questions }: Output<"hosts">["hosts"][number]): string {
  const counts = [
    ...(typeof sessions === "number" ? [`${sessions} running`] : []),
    ...(questions ? [`${questions} to answer`] : []),
  ].join(", ");
  const old = reach === "here" ? "" : " when it told last";
  return [host, why ? `${reach} (${marked(why)})` : reach, ...(counts ? [`${counts}${old}`] : [])].join(" · ");
}

/** What its opener does not know yet. */
function openedLine(info: Output<"pty_open">): string {
  const { session_id, name, state, agent, cwd, cols, rows, hold, box } = info;
  const facts = [name ? `${session_id} "${name}"` : session_id, state, cwd, `${cols}x${rows}`];
  if (agent) facts.push(agent);
  if (hold !== "nobody") facts.push(`hold ${hold}`);
  if (box) facts.push(boxText(box, cwd));
  return [...facts, ...levelFacts(info)].join(" · ");
}

function boxText({ roots, network }: NonNullable<Output<"pty_open">["box"]>, cwd: string): string {
  const writes = roots.map((root) => (root === cwd ? "here" : root)).join(" ") || "only its own /tmp";
  return `boxed: writes ${writes}, network ${network.join(" ") || "none"}`;
}

/** `url`: where a person answers. */
function asked({ outcome, answer, approval_id, url }: Output<"ask_person"> & { readonly url?: string }): string {
  if (outcome !== "pending") return `${outcome}${answer ? `: ${answer}` : ""}`;
  return pendingText(
    approval_id,
    answeredAt(`Ask again with the same question to get the answer. ${lifeWords()}`, url),
  );
}

function closedLine({ session_id, state, exit_code, signal }: Output<"pty_close">): string {
  const end = signal ? [signal] : typeof exit_code === "number" ? [`exit ${exit_code}`] : [];
  return [session_id, state, ...end].join(" · ");
}

function sessionLine(info: Output<"pty_open">): string {
  const { session_id, name, state, command, cwd, cols, rows, hold, running, waiting, box, exit_code } = info;
  const { agent, agent_state: now } = info;
  const facts = [
    name ? `${session_id} "${name}"` : session_id,
    state,
    command.join(" "),
    cwd,
    `${cols}x${rows}`,
    `hold ${hold}`,
  ];
  if (running) facts.push(`runs: ${running.cmd ?? "?"}`);
  // Without its reason, which the program wrote.
  if (now) facts.push(`${agent} is ${now.state}${now.kind ? ` (${now.kind})` : ""}`);
  if (waiting) facts.push(`waits: ${waiting.kind} (${waiting.program})`);
  if (box) facts.push(boxText(box, cwd));
  if (exit_code !== null && exit_code !== undefined) facts.push(`exit ${exit_code}`);
  return [...facts, ...levelFacts(info)].join(" · ");
}

/** What a person set other than by default. */
function levelFacts({ policy: { level, agent_levels, edit_folder }, cwd }: Output<"pty_open">): string[] {
  const where = edit_folder === cwd ? "here" : edit_folder;
  const told = (one: typeof level) =>
    one === "edit_here" ? `edit_here: names written out below ${where} are edited unasked` : `level ${one}`;
  const own = Object.entries(agent_levels).map(([who, one]) => `${who} ${told(one)}`);
  return [...(level === "ask_first" ? [] : [told(level)]), ...own];
}

/** Who asks for the whole screen gets it as pty_read_screen gives it. */
function waited(step: Output<"pty_wait">, fence: Fence): string {
  if (step.changes) return stepText(step, fence);
  const { screen, hint } = step;
  return [outcomeText(step), shown(screen, fence), ...(hint === undefined ? [] : [hint])].join("\n");
}

function prompted({ agent, outcome, proof, box, hint, screen }: Output<"pty_prompt">, fence: Fence): string {
  const head = proof === null ? `${outcome} · prompt box: ${box}` : `${outcome} (${proof})`;
  return [`${agent}: ${head}`, ...(screen ? [shown(screen, fence)] : []), ...(hint ? [hint] : [])].join("\n");
}

function numbered({ row, text }: { readonly row: number; readonly text: string }): string {
  return `${row}| ${text}`;
}

function noted({ hold_note }: Screen): string[] {
  return hold_note === undefined ? [] : [`[Note from the person: ${hold_note}]`];
}

function shown(screen: Screen, fence: Fence): string {
  if (screen.content !== undefined) return fence(screen.content);
  const part = screen.first_row === undefined || screen.first_row === 0 ? [] : [`[from row ${screen.first_row}]`];
  return [...part, screenAsText(screen, fence), ...noted(screen)].join("\n");
}

function statusLine(status: Output<"pty_screen_status">, fence: Fence): string {
  const header = screenText({ ...status, rows: [], scrollback: [], unchanged: false }).split("\n")[0] ?? "";
  const title = status.title ? `\n${fence(`title: ${status.title}`)}` : "";
  return `${header} ${status.state} · ${status.foreground?.name ?? "no program"}${title}`;
}

function deltas({ deltas, resume_cursor, file_size }: Output<"pty_read_screen_deltas">, fence: Fence): string {
  const each = deltas.flatMap(({ seq, cursor, rows }) => [
    `@seq ${seq} cursor (${cursor.row}, ${cursor.col})`,
    ...rows.map(numbered),
  ]);
  const end = resume_cursor < file_size ? "there is more" : "that is all";
  return [...fenced(each, fence), `resume_cursor ${resume_cursor} of ${file_size}: ${end}`].join("\n");
}

function blocksText({ blocks, total, integration }: Output<"blocks">): string {
  const earlier = blocks[0] && blocks.length < total ? [`[earlier ones: before ${blocks[0].block_id}]`] : [];
  const head = `${blocks.length} of ${total} commands (marks: ${integration})`;
  return [head, ...earlier, ...blocks.map(blockLine)].join("\n");
}

function matchesText({ matches, next, missing = [] }: Output<"search">, fence: Fence): string {
  const found = matches.map(({ session_id, cursor, text }) => `${session_id} cursor ${cursor}: ${text}`);
  const more = typeof next === "string" ? [`[more with after ${JSON.stringify(next)}]`] : [];
  const away = missing.length > 0 ? [`[not here now: ${missing.join(", ")}]`] : [];
  return [found.length > 0 ? fence(found.join("\n")) : "nothing found", ...more, ...away].join("\n");
}

function blockText(read: Output<"block">, fence: Fence): string {
  const { after } = read;
  if (!after) return outputText(read, fence);
  const whose = after.jobs.length === 0 ? "" : ` while these ran in the background: ${marked(after.jobs.join("; "))}`;
  return `${outputText(read, fence)}\n[printed after it, before the next command${whose}]\n${fence(after.content)}`;
}

function outputText(read: Output<"block">, fence: Fence): string {
  const { block, from_line, lines_total, content, runs, base64, next } = read;
  const lines = lines_total === undefined ? "" : ` · lines from ${from_line ?? 0}, ${lines_total} in all`;
  const head = `${blockLine(block)}${lines}`;
  if (content !== undefined) {
    const next = (from_line ?? 0) + content.split("\n").length;
    const more = lines_total !== undefined && next < lines_total ? `\n[more with lines "${next}:"]` : "";
    return `${head}\n${fence(content)}${more}`;
  }
  if (runs) return `${head}\n${fence(runs.map((line) => line.map(({ text }) => text).join("")).join("\n"))}`;
  if (base64 === undefined) return head;
  return `${head}\n${fence(bytesText(base64))}${typeof next === "number" ? `\nnext offset ${next}` : ""}`;
}

/** Exact bytes are in the structured answer; what is read as text hides nothing. */
function bytesText(base64: string): string {
  return marked(JSON.stringify(Buffer.from(base64, "base64").toString()));
}

function reportText(report: Output<"report">["report"], fence: Fence): string {
  const { subject, verdict, counts, duration_ms, entries, omitted } = report;
  const { commands, passed, failed, running } = counts;
  const sum = `${subject}: ${verdict} · ${commands} commands, ${passed} passed, ${failed} failed, ${running} running`;
  const earlier = omitted > 0 ? [`[${omitted} earlier commands left out]`] : [];
  return [`${sum} · ${seconds(duration_ms)}`, ...earlier, ...fenced(entries.map(entryText), fence)].join("\n");
}

/** Lines with the fence around all of them. */
function fenced(lines: readonly string[], fence: Fence): string[] {
  return lines.length === 0 ? [] : [fence(lines.join("\n"))];
}
