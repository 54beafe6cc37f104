// `duetty ask`: the answer on standard output, the way to it on standard error, live; and the other verbs about agents.
// The agent is the built-in one, with a model that says what the test wants.
import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import type { AgentEvent, AgentStatus } from "../../../src/protocol/ops/agent.ts";
import { inTurn, runs } from "../../fixtures/model/replies.ts";
import { soon } from "../../fixtures/soon.ts";
import { BIN } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, model } = sharedStand({ model: { text: "done" }, daemon: "later" });
const idIn = (text: string) => /s_[a-z0-9]{8}/.exec(text)?.[0] ?? "";

/** The CLI while it runs. */
class Asking {
  stdout = "";
  stderr = "";
  readonly code: Promise<number | null>;
  readonly child;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [BIN, "ask", ...args], {
      env: duetty.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout.on("data", (part) => {
      this.stdout += part;
    });
    this.child.stderr.on("data", (part) => {
      this.stderr += part;
    });
    this.code = new Promise((resolve) => this.child.on("close", resolve));
  }

  says(text: RegExp): Promise<void> {
    return soon(() => expect(this.stderr).toMatch(text));
  }
}

it("works in a new visible session: the answer is on stdout, progress on stderr", async () => {
  model().say(
    inTurn(
      {
        text: "I look first.",
        calls: [{ name: "plan", args: { plan: [{ text: "look", status: "in_progress" }, { text: "tell" }] } }],
      },
      runs("echo seen $((40+2)); seq 1 30"),
      { calls: [{ name: "plan", args: { plan: [{ text: "look", status: "completed" }, { text: "tell" }] } }] },
      runs("ls /no-such-folder"),
      { text: "All **is** well.\n\tindented \x1b[31mred\x1b[m\x07" },
    ),
  );
  const asked = await duetty.cli("ask", "is all well?");
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stdout).toBe("All **is** well.\n\tindented ␛[31mred␛[m␇\n");
  const id = idIn(asked.stderr);
  const [session, ...rest] = asked.stderr.trimEnd().split("\n");
  expect(session).toBe(`duetty: session ${id} (watch it: duetty attach ${id})`);
  expect(rest.join("\n")).toMatch(
    /^ {2}I look first.\n {2}\[>\] look\n {2}\[ \] tell\n {2}→ run_command {2}echo seen[\s\S]*seen 42\n[\s\S]*… \d+ lines …[\s\S]*│ 30\n {2}\[x\] look\n {2}→ run_command/,
  );
  expect(rest.at(-1)).toMatch(/^ {2}done after \d steps, \d+ tokens in, \d+ out$/);
  expect(asked.stderr).not.toMatch(/[\x1b\x07]/);
  for (const line of rest) expect(line.length).toBeLessThanOrEqual(80);
  expect((await duetty.cli("see", id)).stdout).toContain("seen 42");

  const conversation = (await duetty.cli("conversation", id)).stdout;
  expect(conversation).toMatch(/^> is all well\?\n\n {2}I look first.\n\n {2}✓ run_command {2}echo seen/);
  expect(conversation).toMatch(/\[x\] look[\s\S]*All \*\*is\*\* well.\n[\s\S]*done after/);
  expect(conversation).not.toContain("\x1b");
});

it("in an existing session only new events are printed", async () => {
  const { session_id } = await person.pty_open({ name: "web" });
  model().say({ text: "first answer" });
  expect((await duetty.cli("ask", "--session", "web", "one")).stdout).toBe("first answer\n");
  model().say({ text: "second answer" });
  const second = await duetty.cli("ask", "--session", "web", "two");
  expect(second).toMatchObject({ code: 0, stdout: "second answer\n" });
  expect(second.stderr).toContain(`duetty attach ${session_id}`);
  expect((await duetty.cli("conversation", "web")).stdout).toMatch(/> one[\s\S]*first[\s\S]*> two[\s\S]*second/);
});

it("--json prints one event per line, then the outcome", async () => {
  model().say(inTurn(runs("true"), { text: "ok" }));
  const { stdout, code } = await duetty.cli("ask", "--json", "try it");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentEvent | AgentStatus);
  const types = lines.flatMap((line) => ("type" in line ? [line.type] : []));
  expect(types.filter((type) => type !== "status" && type !== "chunk")).toEqual([
    "prompt",
    "step",
    "observation",
    "message",
    "ended",
  ]);
  expect(lines.at(-1)).toMatchObject({ outcome: "done", steps: 1, agent: "built-in" });
  expect(code).toBe(0);
});

it("a question waits for a person on any surface", async () => {
  model().say(inTurn(runs("rm -rf ./no-such-thing"), { text: "It is gone." }));
  const asking = new Asking("remove it");
  await asking.says(/! needs you: rm -rf .\/no-such-thing\n[\s\S]*\n {2}duetty approve a_\w+, or duetty deny a_\w+\n/);
  // How risky it is, why it is asked, where, and what it does.
  expect(asking.stderr).toMatch(
    /\n {4}May destroy data: safe mode [\w ]+\n {4}in \/[\s\S]*\n {4}rm -rf .\/no-such-thing: \w/,
  );
  expect(asking.stdout).toBe("");
  await duetty.cli("approve", /a_\w+/.exec(asking.stderr)?.[0] ?? "");
  expect(await asking.code).toBe(0);
  expect(asking.stdout).toBe("It is gone.\n");
});

it("Ctrl+C stops the agent and says so", async () => {
  model().say({ hang: true });
  const before = model().requests.length;
  const asking = new Asking("think for ever");
  await model().asked(before + 1);
  await asking.says(/session s_/);
  asking.child.kill("SIGINT");
  expect(await asking.code).toBe(5);
  expect(asking.stderr).toMatch(/stopping the agent[\s\S]*stopped after 0 steps\n$/);
  expect(asking.stdout).toBe("");
});

it("the exit code tells how it went", async () => {
  model().say(runs("true"));
  const limited = await duetty.cli("ask", "--max-steps", "2", "for ever");
  expect(limited).toMatchObject({ code: 11, stderr: expect.stringContaining("a limit was reached after 2 steps") });
  model().say({ status: 401, message: "invalid x-api-key" });
  const refused = await duetty.cli("ask", "anyone?");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/✗ [\s\S]*failed after 0 steps/);
  expect(await duetty.cli("ask", "--session", "nobody", "x")).toMatchObject({ code: 3, stdout: "" });
  expect(await duetty.cli("ask")).toMatchObject({ code: 2, stderr: expect.stringContaining("ask needs TEXT") });
  expect(await duetty.cli("ask", "--agent", "nobody", "x")).toMatchObject({ code: 3 });
});

it("on a terminal a person answers right there", async () => {
  model().say(inTurn(runs("rm -rf ./no-such-thing"), { text: "It is gone, for good." }));
  const terminal = TestTerminal.open(duetty, ["ask", "remove it"]);
  await terminal.shows(
    /! needs you: rm -rf .\/no-such-thing\n {4}May destroy data: safe mode asks[\s\S]*\n {2}y Enter allows it, n Enter denies it/,
  );
  await new Promise((resolve) => setTimeout(resolve, 450));
  terminal.type("perhaps\r");
  await terminal.shows(/duetty: y Enter allows it/);
  terminal.type("y\r");
  await terminal.shows(/│ exit 0[\s\S]*done after 1 step[^\n]*\n\n {2}It is gone, for good.\n/);
  await terminal.ended();
  expect(terminal.exit).toBe(0);
});

it("on a terminal a person goes step by step right there", async () => {
  const command = (text: string) => ({ name: "run_command", args: { command: text } });
  const calls = ["echo one", "echo two", "echo three"].map(command);
  model().say(inTurn(...calls.map((call) => ({ calls: [call] })), { text: "All three." }));
  const terminal = TestTerminal.open(duetty, ["ask", "--step-by-step", "slowly"]);
  await terminal.shows(/paused: echo one \(Enter takes this step, r Enter goes on/);
  await new Promise((resolve) => setTimeout(resolve, 450));
  terminal.type("what\r");
  await terminal.shows(/duetty: Enter takes this step/);
  terminal.type("\r");
  await terminal.shows(/→ run_command {2}echo one[\s\S]*│ one[\s\S]*paused: echo two/);
  expect(terminal.text()).not.toContain("→ run_command  echo two");
  await new Promise((resolve) => setTimeout(resolve, 450));
  terminal.type("r\r");
  await terminal.shows(/│ two[\s\S]*│ three[\s\S]*done after 3 steps[^\n]*\n\n {2}All three.\n/);
  await terminal.ended();
  expect(terminal.exit).toBe(0);
});

it("on a terminal words are shown while they come, in one line that is removed later", async () => {
  let rest = (): void => undefined;
  const pause = new Promise<void>((resolve) => {
    rest = resolve;
  });
  model().say(async () => {
    // Faster than any model: it waits until somebody listens.
    await soon(async () => {
      const { session } = await person.status({ session_id: "heard" });
      expect(session?.viewers).toBe(1);
    });
    return { text: `begin ${"word ".repeat(60)}end`, pause };
  });
  await person.pty_open({ name: "heard" });
  const terminal = TestTerminal.open(duetty, ["ask", "--session", "heard", "talk"]);
  await terminal.shows(/watch it[^\n]*\n {2}[^\n]*word word/);
  expect(terminal.text()).not.toContain("end");
  rest();
  await terminal.ended();
  expect(terminal.text()).toMatch(/\n {2}done after 0 steps[^\n]*\n\n {2}begin word[\s\S]*word end\n/);
});

it("verbs control an agent, and agents are listed", async () => {
  model().say({ hang: true });
  const before = model().requests.length;
  const asking = new Asking("--session", "web", "think");
  await model().asked(before + 1);
  const second = await duetty.cli("ask", "--session", "web", "me too");
  expect(second.stderr).toMatch(/is busy\n {2}Stop it/);
  expect((await duetty.cli("agent", "web", "stop")).stdout).toMatch(
    /^built-in: idle, the last turn: stopped, 0 of 50 steps\n$/,
  );
  expect(await asking.code).toBe(5);
  const { stdout } = await duetty.cli("agents");
  expect(stdout).toMatch(/^AGENT +KIND +STATE\nbuilt-in \* +built-in +ready *\n(?:.*\n)*\nbuilt-in: anthropic\//);
});
