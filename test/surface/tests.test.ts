// run_tests in a visible session: the right runner, the smallest scope, a summary that says what the output says.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Installation } from "../fixtures/installation.ts";
import { openShell } from "../fixtures/shells.ts";

const duetty = new Installation();
beforeAll(async () => void (await duetty.cli("status")));
afterAll(() => duetty[Symbol.asyncDispose]());

const agent = () => duetty.client("agent");
const project = (name: string) => fileURLToPath(new URL(`../fixtures/projects/${name}`, import.meta.url));

it("passing, failing and crashing suites get their verdict, visibly and with a block to look at", async () => {
  const { session_id } = await openShell(duetty, "bash", { cwd: project("node-test-passing") });
  const passing = await agent().run_tests({ session_id, scope: "all" });
  expect(passing).toMatchObject({ verdict: "passed", plan: { runner: "node" }, run: { session_id, exit_code: 0 } });
  expect(passing.summary?.passed).toBeGreaterThan(0);
  // Another folder than the session's: it runs there, and the session stays where it is.
  const failing = await agent().run_tests({ session_id, cwd: project("node-test-failing"), scope: "all" });
  expect(failing).toMatchObject({ verdict: "failed", summary: { crashed: false } });
  expect(failing.summary?.failures[0]).toMatchObject({
    file: expect.stringContaining("test"),
    line: expect.any(Number),
  });
  const crashing = await agent().run_tests({ cwd: project("node-test-crashing"), scope: "all" });
  expect(crashing.verdict).toBe("failed");
  const { blocks } = await agent().blocks({ session_id });
  expect(blocks.map(({ block_id }) => block_id)).toEqual([passing.run?.block_id, failing.run?.block_id]);
  expect(blocks.at(-1)?.cwd).toBe(project("node-test-passing"));
  const { report } = await agent().report({ id: session_id });
  expect(report.entries.map(({ verdict, summary }) => [verdict, summary?.failed])).toEqual([
    ["passed", 0],
    ["failed", failing.summary?.failed],
  ]);
});

it("tells what it would run for what changed, and what it looked for when there is nothing", async () => {
  const cwd = fs.mkdtempSync(join(duetty.home.dir, "w-"));
  await expect(agent().run_tests({ cwd })).rejects.toMatchObject({ code: "tests.not_found" });
  fs.cpSync(project("node-test-passing"), cwd, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd });
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "x");
  const all = await agent().run_tests({ cwd, dry_run: true });
  expect(all).toMatchObject({ run: null, plan: { scope: { kind: "all" } } });
  const cli = await duetty.cli("test", "--cwd", cwd, "--dry-run");
  expect(cli.stdout).toContain(`$ ${all.plan.command}`);
});
