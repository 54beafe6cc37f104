// How real agents report their tool calls, and calls that only pretend to be ours.
import { expect, test } from "vitest";
import { answerOf, Calls, isClear, shellCommand, titleOf, toolName } from "../../../src/serve/acp/calls.ts";
import { ToolFields } from "../../../src/serve/acp/messages.ts";

function noted(...messages: object[]) {
  const calls = new Calls();
  const all = messages.map((message) => calls.note(ToolFields.parse({ toolCallId: "c1", ...message })));
  const last = all.at(-1);
  if (!last) throw new Error("no message");
  return last;
}

const COMMAND = { command: "echo hi", session_id: "s_1" };
const CODEX = { server: "duetty", tool: "run_command", arguments: COMMAND };

test.each([
  ["claude", { title: "mcp__duetty__run_command", kind: "other", rawInput: COMMAND }],
  [
    "claude, by its meta",
    { title: "x", _meta: { claudeCode: { toolName: "mcp__duetty__run_command" } }, rawInput: COMMAND },
  ],
  ["codex", { title: "mcp.duetty.run_command", kind: "execute", rawInput: CODEX, _meta: { is_mcp_tool_call: true } }],
  ["gemini", { toolCallId: "mcp_duetty_run_command__mcp_duetty_run_command_17_0", kind: "other", title: "echo hi" }],
  ["opencode", { title: "duetty_run_command", kind: "other", rawInput: COMMAND }],
])("a call of our MCP server is recognised: %s", (_who, message) => {
  const call = noted(message);
  expect(call.own).toBe("run_command");
  expect(titleOf(call)).toBe("run_command: echo hi");
  expect(shellCommand(call)).toBeNull();
});

test.each([
  ["a command with that name", { title: "mcp__duetty__run_command", kind: "execute", rawInput: { command: "x" } }],
  ["a command that begins with the name", { title: "mcp__duetty__run_command; rm -rf /", kind: "other" }],
  ["a tool that we do not have", { title: "mcp__duetty__startup", kind: "other" }],
  ["an edit", { title: "duetty_run_command", kind: "edit" }],
  ["arguments that name our tool", { title: "x", kind: "execute", rawInput: CODEX }],
  ["another server", { title: "mcp__duetty2__run_command", kind: "other" }],
])("nothing else is recognised as ours: %s", (_what, message) => {
  expect(noted(message).own).toBeNull();
});

test("opencode announces a call before it knows the command", () => {
  const first = { title: "bash", kind: "execute", status: "pending", rawInput: { cwd: "/" } };
  expect(isClear(noted(first))).toBe(false);
  const call = noted(first, { status: "in_progress", rawInput: { command: "ls", cwd: "/" } });
  expect(isClear(call)).toBe(true);
  expect(titleOf(call)).toBe("ls");
});

test("codex wraps lines for a shell and sends output in pieces", () => {
  const wrapped = noted({ kind: "execute", rawInput: { command: ["bash", "-lc", "make && make test"] } });
  expect(shellCommand(wrapped)).toBe("make && make test");
  const python = noted({ kind: "execute", rawInput: { command: ["python3", "-c", "import os"] } });
  expect(shellCommand(python)).toBe("python3 -c 'import os'");
  const piece = (data: string) => ({ _meta: { terminal_output_delta: { data } } });
  const content = [{ type: "terminal", terminalId: "c1" }];
  const call = noted({ kind: "execute", content, name: "exec_command" }, piece("one\n"), piece("two\n"));
  expect(answerOf(call, 100)).toBe("one\ntwo\n");
  expect(toolName(call)).toBe("exec_command");
});

test("output is cut once, with the count of all missing characters", () => {
  const piece = (data: string) => ({ _meta: { terminal_output_delta: { data } } });
  const call = noted({ kind: "execute" }, ...Array.from({ length: 50 }, () => piece("x".repeat(1_000))));
  const text = answerOf(call, 12_000);
  const [, count] = /\n\[(\d+) characters left out\]\n/.exec(text) ?? [];
  expect(text.replace(/[^x]/g, "").length + Number(count)).toBe(50_000);
  expect(text.length).toBeLessThanOrEqual(12_000);
});
