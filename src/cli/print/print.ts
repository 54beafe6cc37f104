// What people and scripts read on standard output, and the exit code that goes with it.

import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { screenText } from "../../protocol/plain/screen-text.ts";
import type { Common } from "../args.ts";

type Ask = (input: object) => Promise<unknown>;

export async function printAnswer(op: string, answer: unknown, common: Common, ask: Ask): Promise<number> {
  if (op === "pty_read_raw" && !common.json) return printRaw(answer as Output<"pty_read_raw">, ask);
  if (op === "run_command" || op === "run_tests" || op === "blocks" || op === "block" || op === "report")
    return (await import("./runs.ts")).printRuns(op, answer, common, ask);
  if (op === "agent_events" || op === "agent_control" || op === "agents")
    return (await import("./agent.ts")).printAgent(op, answer, common);
  const gate = await import("./gate.ts");
  if (gate.GATE_OPS.has(op)) return gate.printGate(op, answer, common);
  if (op === "export") return writeExport(answer as Output<"export">, common, ask);
  if (common.json) line(JSON.stringify(answer));
  else printText(op, answer, common);
  return op === "pty_wait" || op === "pty_send" ? outcomeCode(answer as Output<"pty_wait">) : codeOf(op, answer);
}

function printText(op: string, answer: unknown, common: Common): void {
  switch (op) {
    case "pty_open":
      return line((answer as Output<"pty_open">).session_id);
    case "pty_list":
      return printList(answer as Output<"pty_list">);
    case "pty_read_screen": {
      const screen = answer as Output<"pty_read_screen">;
      return screen.content === undefined ? line(screenText(screen)) : line(screen.content);
    }
    case "pty_read_screen_deltas":
      return printDeltas(answer as Output<"pty_read_screen_deltas">);
    case "pty_send":
    case "pty_wait":
      return printOutcome(op, answer as Output<"pty_wait">, common);
    case "status":
      return printStatus(answer as Output<"status">);
    case "doctor":
      return printChecks(answer as Output<"doctor">);
    case "search":
      return printMatches(answer as Output<"search">);
    case "pty_close":
      return line(`${(answer as Output<"pty_close">).session_id} closed`);
    case "shutdown":
      return line(`ended, ${(answer as Output<"shutdown">).closed} sessions closed`);
    default:
      return line(JSON.stringify(answer));
  }
}

function printOutcome(op: string, { outcome, matched, screen }: Output<"pty_wait">, common: Common): void {
  if (op === "pty_wait" || matched !== null || outcome !== "matched")
    line(matched === null ? outcome : `${outcome}: ${matched}`);
  if (common.see) line(screenText(screen));
}

function outcomeCode({ outcome }: Output<"pty_wait">): number {
  switch (outcome) {
    case "matched":
      return EXIT.ok;
    case "deadline":
      return EXIT.deadline;
    case "exited":
      return EXIT.ended;
    case "echo_off":
      return EXIT.echo_off;
    case "held":
      return EXIT.needs_person;
    default:
      return EXIT.error;
  }
}

function codeOf(op: string, answer: unknown): number {
  return op === "doctor" && !(answer as Output<"doctor">).ok ? EXIT.error : EXIT.ok;
}

function printList({ sessions }: Output<"pty_list">): void {
  if (sessions.length === 0) return line("no sessions; open one with: duetty open");
  const rows = sessions.map((s) => [
    s.session_id,
    s.name ?? "-",
    s.exit_code === null && s.signal === null ? s.state : `${s.state} ${s.signal ?? s.exit_code}`,
    `${s.cols}x${s.rows}`,
    s.hold,
    s.command.join(" "),
  ]);
  table([["ID", "NAME", "STATE", "SIZE", "HOLD", "COMMAND"], ...rows]);
}

/** The last column takes what is left of an 80-column line, or of the real one. */
export function table(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const text = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join("  ");
    line(process.stdout.isTTY ? text.slice(0, process.stdout.columns || 80) : text);
  }
}

/** `@ROW text` per changed row, and where to go on. */
function printDeltas({ deltas, resume_cursor }: Output<"pty_read_screen_deltas">): void {
  for (const { seq, rows, cursor } of deltas) {
    line(`[Seq: ${seq} - Cursor: (${cursor.row}, ${cursor.col})]`);
    for (const { row, text } of rows) line(`@${row} ${text}`);
  }
  line(`[Resume: ${resume_cursor}]`);
}

function printStatus(status: Output<"status">): void {
  const { daemon, holder, http, sessions, session } = status;
  line(`duetty ${status.version}, you are ${status.role === "person" ? "the person" : "an agent"}`);
  line(`daemon   pid ${daemon.pid}, ${Math.round(daemon.rss_bytes / 2 ** 20)} MB, http://127.0.0.1:${http.port}`);
  line(`holder   pid ${holder.pid}, version ${holder.version}`);
  line(`sessions ${sessions.live} running, ${sessions.ended} ended`);
  line(`home     ${status.home}`);
  if (!session) return;
  line("");
  for (const [key, value] of Object.entries(session)) {
    if (value !== null) line(`${key.padEnd(11)} ${fact(value)}`);
  }
}

function fact(value: unknown): string {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? Object.values(value ?? {}).join(" ") : String(value);
}

function printChecks({ checks }: Output<"doctor">): void {
  for (const { name, ok, detail, hint } of checks) {
    line(`${ok ? "ok  " : "FAIL"} ${name.padEnd(16)} ${detail}`);
    if (!ok && hint) line(`     ${"".padEnd(16)} ${hint}`);
  }
}

function printMatches({ matches, next }: Output<"search">): void {
  for (const { session_id, cursor, text } of matches) line(`${session_id} ${cursor}: ${text}`);
  if (matches.length === 0) line("nothing found");
  if (next !== null) line(`[more with --after ${next}]`);
}

/** All parts of a file, to where it was asked for. */
async function writeExport(first: Output<"export">, { json, out }: Common, ask: Ask): Promise<number> {
  const file = out === undefined ? undefined : (await import("node:fs")).createWriteStream(out);
  const failed = file && new Promise<never>((_, reject) => file.on("error", reject));
  const stream = file ?? process.stdout;
  const put = (text: string) => new Promise<void>((resolve) => void stream.write(text, () => resolve()));
  let [part, whole] = [first, ""];
  for (;;) {
    if (json) whole += part.content;
    else await (failed ? Promise.race([put(part.content), failed]) : put(part.content));
    if (part.next === null) break;
    const { session_id, format, from, to, next } = part;
    part = (await ask({ session_id, format, from, to, after: next })) as Output<"export">;
  }
  if (json) await put(`${JSON.stringify({ ...part, content: whole })}\n`);
  if (file) await new Promise<void>((resolve) => void file.end(resolve));
  return EXIT.ok;
}

/** Everything from `from` on, as it is; asks again until the end. */
export async function printRaw(first: Output<"pty_read_raw">, ask: Ask): Promise<number> {
  let part = first;
  for (;;) {
    await write(Buffer.from(part.base64, "base64"));
    if (part.next >= part.total || part.next === part.from) return EXIT.ok;
    part = (await ask({ session_id: part.session_id, from: part.next })) as Output<"pty_read_raw">;
  }
}

export function write(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(bytes, () => resolve()));
}

export function line(text: string): void {
  process.stdout.write(`${text}\n`);
}
