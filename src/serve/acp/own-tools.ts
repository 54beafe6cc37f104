// Recognises an agent's calls of our own MCP server. Each agent writes them in its own way. Only names that agents compose
// themselves count, and only as a whole, because a title may be a command line that a model wrote.
import { type AnyOp, ops } from "../../protocol/ops.ts";

/** Our server's name in the agent. */
export const SERVER_NAME = "duetty";

const OURS = new Set<string>(Array.from<AnyOp>(ops).flatMap(({ name, mcp }) => (mcp ? [name] : [])));

export interface CallFacts {
  readonly call_id: string;
  readonly title: string;
  readonly name: string | null;
  readonly kind: string | null;
  readonly input: unknown;
  readonly meta: unknown;
}

/** claude, opencode, codex. */
const WHOLE_NAMES = [/^mcp__duetty__([a-z_]+)$/, /^duetty_([a-z_]+)$/, /^mcp\.duetty\.([a-z_]+)$/];
/** gemini shows the arguments as the title; the call's id begins with the tool's name. */
const CALL_ID = /^mcp_duetty_([a-z_]+?)__mcp_duetty_/;

/** The tool of ours that is called, or null. */
export function ownTool(call: CallFacts): string | null {
  const tool = namedTool(call);
  return tool !== null && OURS.has(tool) ? tool : null;
}

function namedTool(call: CallFacts): string | null {
  // codex calls everything an execution, and says whose tool it is beside it.
  const codex = textAt(call.input, "server") === SERVER_NAME && valueAt(call.meta, "is_mcp_tool_call") === true;
  if (codex) return textAt(call.input, "tool");
  // The agent's own run, edit and delete calls are not tools of a server.
  if (call.kind !== null && call.kind !== "other") return null;
  const claude = textAt(valueAt(call.meta, "claudeCode"), "toolName");
  for (const name of [call.name, claude, call.title])
    for (const form of WHOLE_NAMES) {
      const [, tool] = form.exec(name ?? "") ?? [];
      if (tool !== undefined) return tool;
    }
  return CALL_ID.exec(call.call_id)?.[1] ?? null;
}

export function valueAt(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

export function textAt(value: unknown, key: string): string | null {
  const text = valueAt(value, key);
  return typeof text === "string" ? text : null;
}
