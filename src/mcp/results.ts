// Turns an operation's answer into a tool's: structured content and text, within the budget. Pure.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { CallError } from "../client/client.ts";
import type { Output } from "../protocol/ops.ts";
import { pendingText } from "./answer/pending-text.ts";
import { withinBudget } from "./budget.ts";
import { newFence } from "./fence.ts";
import type { Json } from "./schemas.ts";
import { textOf } from "./texts.ts";

/** Fields whose null means something. All others are left out when they have no value. */
const TELLING = new Set(["exit_code", "block_id", "matched", "answer", "summary", "run", "foreground", "next"]);

/** Who reads an answer. model: the text is all of it. program: also the facts as fields. */
export type Reader = "model" | "program";

export function resultOf(tool: string, output: object, reader: Reader): CallToolResult {
  const fence = newFence();
  const { structured, text } = withinBudget(lean(worth(tool, output)) as object, (cut) => textOf(tool, cut, fence));
  return answer({ content: [{ type: "text", text }] }, onceTold(tool, structured), reader);
}

/** Many clients give their model the structured content instead of the text: there the fence and all rows would be missing. */
function answer(result: CallToolResult, structured: Json, reader: Reader): CallToolResult {
  return reader === "model" ? result : { ...result, structuredContent: { ...structured } };
}

function isStep(tool: string): boolean {
  return tool === "pty_send" || tool === "pty_wait";
}

/** Rows and hints of a step, and a whole export, are told once: in the text. */
function onceTold(tool: string, structured: Json): Json {
  const { content, changes, hint, screen, ...facts } = structured;
  if (tool === "export") return facts;
  if ((!isStep(tool) && tool !== "run_command") || screen === undefined) return structured;
  const { rows, scrollback, ...rest } = screen as Json;
  return { ...facts, screen: rest };
}

/** A fault is an answer too, with what a model can do about it. */
export function faultResult(error: unknown, reader: Reader, more: Json = {}): CallToolResult {
  const known = error instanceof CallError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const { code, hint } = known ?? { code: "internal", hint: "This is a bug in duetty; its log may say more." };
  const { approval_id } = known ?? {};
  const fault = { code, message, hint, ...(approval_id === undefined ? {} : { approval_id }), ...more };
  const { structured, text } = withinBudget({ error: fault }, (cut) => faultText(cut.error as typeof fault));
  return answer({ isError: true, content: [{ type: "text", text }] }, structured, reader);
}

function faultText({ code, message, hint, approval_id, ...more }: Json): string {
  if (code === "approval.pending") return pendingText(approval_id, `${message}. ${hint}`);
  const about = [approval_id, ...Object.values(more)].filter((one) => one !== undefined).join(", ");
  return [`${code}: ${message}`, ...(about ? [about] : []), ...(hint ? [String(hint)] : [])].join("\n");
}

/** Avoids repeats: the output of a program that waits is already in its rows, and for a success the verdict is enough. */
function worth(tool: string, output: object): object {
  if (isStep(tool)) return withoutFacts(output as Output<"pty_wait">);
  const { screen, verdict, run, report } = output as Shown;
  if (tool === "run_command" && screen) return withoutFacts(without(output as Output<"run_command">));
  if (tool === "run_tests" && verdict === "passed" && run) return { ...output, run: without(run) };
  if (tool !== "report" || !report) return output;
  const entries = report.entries.map((entry) => (entry.verdict === "passed" ? without(entry) : entry));
  return { ...output, report: { ...report, entries } };
}

/** Beside single rows the screen's lasting facts are not told again: pty_read_screen has them. */
function withoutFacts(output: Pick<Output<"run_command">, "screen" | "changes">): object {
  if (!output.changes || !output.screen) return output;
  const { seq, hash, cursor, alt_screen, echo, hold, hold_note, selected } = output.screen;
  return { ...output, screen: { seq, hash, cursor, alt_screen, echo, hold, hold_note, selected } };
}

interface WithOutput {
  readonly output: Output<"run_command">["output"];
}
type Shown = Partial<Output<"run_tests"> & Output<"run_command"> & Output<"report">>;

/** Leaves the output out and says so. The block operation can read it. */
function without<T extends WithOutput>(one: T): T {
  const { head, tail, omitted_bytes } = one.output;
  const left = omitted_bytes + Buffer.byteLength(head) + Buffer.byteLength(tail);
  return { ...one, output: { head: "", tail: "", omitted_bytes: left } };
}

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, one]) => one !== undefined && !isIdle(key, one));
  return Object.fromEntries(kept.map(([key, one]) => [key, lean(one)]));
}

function isIdle(key: string, value: unknown): boolean {
  if (value === null) return !TELLING.has(key);
  return (key === "title" && value === "") || (key === "scrollback" && Array.isArray(value) && value.length === 0);
}
