// run_tests in a visible session: the right runner, the smallest scope, a summary that says what the output says.
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { git } from "../../fixtures/git.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, agent, folder, openShell } = sharedStand();
const project = (name: string) => fileURLToPath(new URL(`../../fixtures/projects/${name}`, import.meta.url));

it("passing, failing and crashing suites get their verdict and a visible block", async () => {
  const { session_id } = await openShell("bash", { cwd: project("node-test-passing") });
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

it("a dry run says what would run, and a missing runner says what was looked for", async () => {
  const cwd = folder();
  await expect(agent().run_tests({ cwd })).rejects.toMatchObject({ code: "tests.not_found" });
  fs.cpSync(project("node-test-passing"), cwd, { recursive: true });
  git(cwd, "init", "-q");
  git(cwd, "add", ".");
  git(cwd, "commit", "-q", "-m", "x");
  const all = await agent().run_tests({ cwd, dry_run: true });
  expect(all).toMatchObject({ run: null, plan: { scope: { kind: "all" } } });
  const cli = await duetty.cli("test", "--cwd", cwd, "--dry-run");
  expect(cli.stdout).toContain(`$ ${all.plan.command}`);
});
