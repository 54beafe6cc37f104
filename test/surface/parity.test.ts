// One scenario over MCP, CLI and HTTP: open bash, see a test fail, mend it in vim, see it pass, read the report. Each step is
// one call, and the surfaces tell the same story.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeFiles } from "../fixtures/folder.ts";
import { connectMcp } from "../fixtures/mcp/clients.ts";
import { FAILING_PROJECT } from "../fixtures/stand/projects.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

/** What a whole scenario may cost an agent over MCP, text and structure together. */
const RESULTS_BYTES_MAX = 12 << 10;

/** An operation by its name, over one surface. */
type Hands = (op: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

const STEPS: readonly (readonly [op: string, input: Record<string, unknown>])[] = [
  ["run_tests", { scope: "all", max_output_chars: 1_000 }],
  ["run_command", { command: "vim -u NONE -i NONE -N sum.js" }],
  // The prompt, not the block's end: between the two the shell has not yet switched the echo off.
  ["pty_send", { text: ":%s/a - b/a + b/\r:wq\r", then: { any: [{ prompt: true }], timeout_ms: 20_000 } }],
  ["run_tests", { scope: "all", max_output_chars: 1_000 }],
  ["report", { max_output_chars: 200 }],
];

/** Flags by which the CLI says the same. */
const VERBS: Readonly<Record<string, (id: string, input: Record<string, unknown>) => string[]>> = {
  run_tests: (id) => ["test", "--session", id, "--scope", "all", "--max-output-chars", "1000"],
  run_command: (id, { command }) => ["run", id, String(command)],
  pty_send: (id, { text }) => ["send", id, "--text", String(text), "--wait-prompt", "--wait-timeout", "20000"],
  report: (id) => ["report", id, "--max-output-chars", "200"],
};

/** The scenario's story: what does not depend on ids, times and byte counts. */
async function story(hands: Hands, id: string): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [op, input] of STEPS) {
    const where = op === "report" ? { id } : { session_id: id };
    results.push([op, essence(op, await hands(op, { ...where, ...input }))]);
  }
  return results;
}

function essence(op: string, answer: Record<string, unknown>): unknown {
  const pick = (from: unknown, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)?.[name] ?? null]));
  switch (op) {
    case "run_tests":
      return {
        ...pick(answer, "verdict"),
        ...pick(answer.summary, "passed", "failed", "skipped", "runner"),
        plan: pick(answer.plan, "command", "runner"),
        run: pick(answer.run, "status", "exit_code", "mode"),
      };
    case "run_command":
      return {
        // Not the hint, which has the words of each surface, and not the rows, which MCP has in its text.
        ...pick(answer, "status", "exit_code", "mode", "waiting"),
        ...pick(answer.screen, "alt_screen"),
      };
    case "pty_send":
      return { ...pick(answer, "outcome", "matched"), ...pick(answer.screen, "alt_screen", "echo") };
    case "report": {
      const { verdict, counts, entries } = answer.report as { verdict: string; counts: object; entries: object[] };
      const each = entries.map((entry) => {
        const { block, verdict: judged } = entry as { block: object; verdict: string };
        return { verdict: judged, ...pick(block, "cmd", "exit_code", "state", "alt_screen_used") };
      });
      return { verdict, counts, each };
    }
    default:
      throw new Error(op);
  }
}

describe("one scenario over every surface", () => {
  const { duetty, person, folder } = sharedStand();
  const projects: Record<string, string> = {};

  /** A folder of the same name for everyone: it is on vim's screen. */
  function project(surface: string): string {
    const dir = join(folder({}), "sums");
    writeFiles(dir, FAILING_PROJECT);
    projects[surface] = dir;
    return dir;
  }

  const shell = (surface: string) => ({ shell: "/bin/bash", cwd: project(surface), cols: 80, rows: 24 });
  const trust = (id: string) => person.policy({ session_id: id, level: "always_allow", safe_mode: "off" });

  async function overMcp(): Promise<unknown[]> {
    await using mcp = await connectMcp(duetty);
    let bytes = 0;
    const hands: Hands = async (op, input) => {
      const { data, size, isError } = await mcp.call(op, input);
      expect(isError ?? false, JSON.stringify(data)).toBe(false);
      bytes += size;
      return data;
    };
    const opened = await hands("pty_open", shell("mcp"));
    await trust(String(opened.session_id));
    const results = await story(hands, String(opened.session_id));
    expect(bytes).toBeLessThan(RESULTS_BYTES_MAX);
    return results;
  }

  async function overCli(): Promise<unknown[]> {
    const cli = async (...args: string[]) => {
      const { stdout, stderr } = await duetty.agentCli(...args, "--json");
      expect(stdout, stderr).not.toBe("");
      return JSON.parse(stdout);
    };
    const { shell: bash, cwd } = shell("cli");
    const opened = await cli("open", "--shell", bash, "--cwd", cwd, "--cols", "80", "--rows", "24");
    await trust(opened.session_id);
    const hands: Hands = async (op, input) => {
      const answer = await cli(...(VERBS[op]?.(opened.session_id, input) ?? []));
      // The verb prints the report itself, to be saved as a file.
      return op === "report" ? { report: answer } : answer;
    };
    return story(hands, opened.session_id);
  }

  async function overHttp(): Promise<unknown[]> {
    const headers = { authorization: `Bearer ${duetty.token("agent")}`, "content-type": "application/json" };
    const hands: Hands = async (op, input) => {
      const { status, body } = await duetty.request(`/v1/${op}`, headers, JSON.stringify(input));
      expect(status, body).toBe(200);
      return JSON.parse(body);
    };
    const opened = await hands("pty_open", shell("http"));
    await trust(String(opened.session_id));
    return story(hands, String(opened.session_id));
  }

  test("MCP, CLI and HTTP give the same results, and MCP answers are small", async () => {
    const mcp = await overMcp();
    expect(mcp).toMatchObject([
      ["run_tests", { verdict: "failed", passed: 0, failed: 1 }],
      ["run_command", { status: "waiting_for_input", alt_screen: true }],
      ["pty_send", { outcome: "matched", alt_screen: false }],
      ["run_tests", { verdict: "passed", passed: 1, failed: 0 }],
      ["report", { verdict: "passed", counts: { commands: 3 } }],
    ]);
    expect(await overCli()).toEqual(mcp);
    expect(await overHttp()).toEqual(mcp);
    for (const surface of ["mcp", "cli", "http"])
      expect(fs.readFileSync(join(projects[surface] ?? "", "sum.js"), "utf8")).toContain("a + b");
  });
});
