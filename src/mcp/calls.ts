// One tool call: reads the model's arguments, performs the operation as the client's agent, answers within the budget. Every failure
// is an answer that a model can act on.
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { CallError } from "../client/client.ts";
import type { OpName, Output } from "../protocol/ops.ts";
import { placeOf } from "../protocol/plain/host-place.ts";
import { placeIn, sliceOf } from "./answer/slices.ts";
import type { McpApprovals } from "./approvals.ts";
import { attempt, type Wish } from "./attempt.ts";
import { RESULT_CHARS_MAX } from "./budget.ts";
import type { McpParts } from "./parts.ts";
import { peerOf } from "./peer.ts";
import { progressOf } from "./progress.ts";
import { faultResult, resultOf } from "./results.ts";
import { readInput, type Tool } from "./tools.ts";

/** Operations that a person may have to allow first. */
const ASKED_FOR: ReadonlySet<OpName> = new Set([
  "pty_open",
  "pty_prompt",
  "pty_send",
  "run_command",
  "run_tests",
  "ask_person",
]);
/** Operations that happen in a folder. */
const IN_FOLDER: ReadonlySet<OpName> = new Set(["pty_open", "run_command", "run_tests"]);

/** Operations whose answer is one part of a list, and that list. */
const LISTS: Readonly<Partial<Record<OpName, string>>> = { pty_read_screen_deltas: "deltas", search: "matches" };

interface CallParts {
  readonly parts: McpParts;
  readonly approvals: McpApprovals;
  readonly server: McpServer;
}

export async function callTool(
  tool: Tool,
  given: unknown,
  ctx: ServerContext,
  { parts, approvals, server }: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const op = tool.op.name;
  const progress = progressOf(ctx, op);
  const peer = peerOf(ctx, server, parts);
  try {
    const input = placed(op, readInput(tool, given), parts.cwd);
    const wish: Wish = { op, input, agent: parts.agent(peer.name), signal: ctx.mcpReq.signal };
    const output = ASKED_FOR.has(op) ? await approvals.through({ ...wish, ctx, peer, progress }) : await inFull(wish);
    if (isInputRequiredResult(output)) return output;
    return output instanceof CallError ? faultResult(output, peer.reader) : resultOf(op, output, peer.reader);
  } catch (error) {
    return faultResult(error, peer.reader);
  } finally {
    progress.end();
  }
}

/** A client that runs in a folder means that folder by default. */
function placed(op: OpName, input: Record<string, unknown>, cwd: string | undefined): Record<string, unknown> {
  if (cwd === undefined || !IN_FOLDER.has(op) || input.cwd !== undefined || input.session_id !== undefined)
    return input;
  // Another machine has other folders.
  if (input.host !== undefined || placeOf(input.resume)) return input;
  return { ...input, cwd };
}

async function inFull(wish: Wish): Promise<object> {
  if (wish.op !== "export") return whole(wish, LISTS[wish.op]);
  const { input, from } = placeIn(wish.input);
  const { answer } = await attempt({ ...wish, input });
  return sliceOf(answer as Output<"export">, input, from);
}

/** Asks for fewer entries when they are too large, so that the answer's place to go on stays true. */
async function whole(wish: Wish, list: string | undefined): Promise<object> {
  for (let { input } = wish; ; ) {
    const { answer } = await attempt({ ...wish, input });
    const entries = list === undefined ? [] : (answer as Record<string, readonly unknown[]>)[list];
    // Each entry comes twice: as text and as structure.
    if (!entries || entries.length <= 1 || JSON.stringify(entries).length * 2 < RESULT_CHARS_MAX) return answer;
    input = { ...input, limit: Math.floor(entries.length / 2) };
  }
}
