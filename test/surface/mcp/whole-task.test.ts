// A whole piece of work over MCP alone: open a shell, see a test fail, fix the file in vim, see it pass, read the report.
// What a model has to read for it stays small.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Answer, connectMcp } from "../../fixtures/mcp/clients.ts";
import { FAILING_PROJECT } from "../../fixtures/stand/projects.ts";
import { stand } from "../../fixtures/stand/stand.ts";

/** About three thousand tokens for all of it. */
const CHARS_MAX = 12_000;

test("from a failing test to a report", async () => {
  await using s = await stand();
  const cwd = s.folder(FAILING_PROJECT);
  await using mcp = await connectMcp(s.duetty, { name: "worker" });
  const sizes: Record<string, number> = {};
  const call = async (step: string, tool: string, args: object): Promise<Answer> => {
    const answer = await mcp.call(tool, args);
    expect(answer.isError, answer.text).toBeFalsy();
    sizes[step] = answer.size;
    return answer;
  };
  const opened = await call("open", "pty_open", { command: ["bash", "--norc", "-i"], cwd });
  const session_id = String(opened.data.session_id);
  await s.person.policy({ session_id, level: "always_allow", safe_mode: "off" });
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
