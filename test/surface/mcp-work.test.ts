// A whole piece of work over MCP alone: open a shell, see a test fail, fix the file in vim, see it pass, read the report.
// What a model has to read for it stays small.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Installation } from "../fixtures/installation.ts";
import { type Answer, connectMcp } from "../fixtures/mcp.ts";

/** About three thousand tokens for all of it. */
const CHARS_MAX = 12_000;

test("from a failing test to a report", async () => {
  await using duetty = new Installation();
  await duetty.cli("status");
  const cwd = fs.mkdtempSync(join(duetty.home.dir, "project-"));
  fs.writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "module", scripts: { test: "node --test" } }));
  fs.writeFileSync(join(cwd, "sum.js"), "export const sum = (a, b) => a - b;\n");
  fs.writeFileSync(
    join(cwd, "sum.test.js"),
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
  );
  await using mcp = await connectMcp(duetty, { line: "2.4 in 2026", way: "stdio", name: "worker" });
  const sizes: Record<string, number> = {};
  const call = async (step: string, tool: string, args: object): Promise<Answer> => {
    const answer = await mcp.call(tool, args);
    expect(answer.isError, answer.text).toBeFalsy();
    sizes[step] = answer.size;
    return answer;
  };
  const opened = await call("open", "pty_open", { command: ["bash", "--norc", "-i"], cwd });
  const session_id = String(opened.data.session_id);
  await duetty.client().policy({ session_id, level: "always_allow", safe_mode: "off" });
  const failed = await call("test", "run_tests", { session_id });
  expect(failed.data).toMatchObject({ verdict: "failed", summary: { failed: 1 } });
  const vim = await call("vim", "run_command", { session_id, command: "vim -u NONE sum.js" });
  expect(vim.data).toMatchObject({ status: "waiting_for_input", waiting: { kind: "full_screen" } });
  const fix = { session_id, text: ":s/a - b/a + b/", keys: ["Enter"], then: { any: [{ text: "a + b;" }] } };
  expect((await call("fix", "pty_send", fix)).data).toMatchObject({ outcome: "matched" });
  const save = { session_id, text: ":wq", keys: ["Enter"], then: { any: [{ prompt: true }] } };
  expect((await call("save", "pty_send", save)).data).toMatchObject({ outcome: "matched" });
  const passed = await call("again", "run_tests", { session_id });
  expect(passed.data).toMatchObject({ verdict: "passed" });
  const report = await call("report", "report", { id: session_id });
  expect(report.data).toMatchObject({ report: { counts: { commands: 3, failed: 1 } } });
  await call("close", "pty_close", { session_id });
  expect(fs.readFileSync(join(cwd, "sum.js"), "utf8")).toContain("a + b");
  const sum = Object.values(sizes).reduce((all, one) => all + one, 0);
  expect(sum, JSON.stringify(sizes)).toBeLessThan(CHARS_MAX);
});
