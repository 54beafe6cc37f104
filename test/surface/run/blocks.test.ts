// Blocks as people and agents read them: who ran what, in every form, live over the socket, and rebuilt from the journal.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Output } from "../../../src/protocol/ops.ts";
import { ANY_SHELL, rawOutput, SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { duetty, person, agent, openShell } = sharedStand();
/** One command to the shell: while no daemon is there, none of an agent's would begin. */
const SLOW = "sh -c 'echo begun; sleep 2; echo over'";
type Block = Output<"blocks">["blocks"][number];

const typed = (session_id: string, text: string) =>
  person.pty_send({ session_id, text: `${text}\n`, then: { any: [{ block_end: true }] } });
const listed = async (session_id: string): Promise<Block[]> => (await agent().blocks({ session_id })).blocks;

it.each(SHELLS)("%s: a person's command is a block of theirs; an empty line and Ctrl+C are not", async (shell) => {
  const { session_id } = await openShell(shell);
  const prompt = { any: [{ prompt: true as const }] };
  await person.pty_send({ session_id, keys: ["Enter"], then: prompt });
  await person.pty_send({ session_id, text: "never run" });
  // fish draws the same prompt again and marks no new one. What is typed before it has read the key is thrown away.
  const over = shell === "fish" ? { all: [{ text: "^C" }, { settled_ms: 300 }] } : prompt;
  await person.pty_send({ session_id, keys: ["Ctrl+C"], then: over });
  await typed(session_id, "echo typed");
  await typed(session_id, "cd / && false");
  const blocks = await listed(session_id);
  expect(blocks.map(({ cmd, exit_code, actor }) => [cmd, exit_code, actor])).toEqual([
    ["echo typed", 0, "person"],
    ["cd / && false", 1, "person"],
  ]);
  const cwd = async () => (await person.pty_list({})).sessions.find((info) => info.session_id === session_id)?.cwd;
  await expect.poll(cwd).toBe("/");
  await typed(session_id, "exit 6");
  const last = (await listed(session_id)).at(-1);
  expect(last).toMatchObject({ cmd: "exit 6", exit_code: 6, state: "failed" });
});

it.each(ANY_SHELL)(
  "%s: blocks rebuilt from the journal are the same, also after a kill in the middle",
  async (shell) => {
    const { session_id } = await openShell(shell);
    await typed(session_id, "echo one");
    await agent().run_command({ session_id, command: "printf 'a\\nb'; sh -c 'exit 4'" });
    const running = await agent().run_command({
      session_id,
      command: SLOW,
      timeout_ms: 300,
    });
    expect(running.status).toBe("running");
    const { daemon } = await duetty.status();
    await duetty.killDaemon(daemon.pid);
    expect((await duetty.status()).daemon.pid).not.toBe(daemon.pid);
    await agent().pty_wait({ session_id, any: [{ block_end: true }], since: running.cursor });
    const live = await listed(session_id);
    expect(live.map(({ cmd, exit_code }) => [cmd, exit_code])).toEqual([
      ["echo one", 0],
      ["printf 'a\\nb'; sh -c 'exit 4'", 4],
      [SLOW, 0],
    ]);
    expect(live.map(({ actor }) => actor.split(":")[0])).toEqual(["person", "agent", "agent"]);
    await person.pty_close({ session_id });
    const ended = await listed(session_id);
    await duetty.cli("shutdown");
    fs.rmSync(join(duetty.home.sessions, session_id, "blocks.jsonl"));
    await duetty.status();
    // That it was a person's keys that entered a line is kept there alone: keys are never written down.
    const rebuilt = ended.map(({ entered: _, ...block }) => block);
    expect((await listed(session_id)).map(({ entered: _, ...block }) => block)).toEqual(rebuilt);
    const lines = fs
      .readFileSync(join(duetty.home.sessions, session_id, "blocks.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).block_id)).toEqual(ended.map(({ block_id }) => block_id));
  },
);

it("one block is read as text, colour, page, runs and bytes, whole or some lines", async () => {
  const { session_id } = await openShell();
  const command = "printf 'plain\\n\\033[1;31mred\\033[m <b>&\\nprogress 1\\rprogress 2\\n'; seq 1 3";
  const { block_id } = await agent().run_command({ session_id, command });
  const read = (format: "text" | "ansi" | "html" | "runs" | "raw", lines?: string) =>
    agent().block({ block_id: block_id ?? "", format, ...(lines === undefined ? {} : { lines }) });
  expect((await read("text")).content).toBe("plain\nred <b>&\nprogress 2\n1\n2\n3");
  expect((await read("text", "1:2")).content).toBe("red <b>&\nprogress 2");
  expect((await read("ansi", "1:1")).content).toContain("red\x1b[m <b>&");
  expect((await read("html", "1:1")).content).toContain("&lt;b&gt;&amp;");
  expect((await read("runs", "1:1")).runs?.[0]?.[0]).toMatchObject({ text: "red", sgr: expect.stringContaining("31") });
  const raw = Buffer.from((await read("raw")).base64 ?? "", "base64");
  const [block] = await listed(session_id);
  expect(raw.equals(rawOutput(duetty, block as Block))).toBe(true);
  expect(raw.toString()).toBe("plain\r\n\x1b[1;31mred\x1b[m <b>&\r\nprogress 1\rprogress 2\r\n1\r\n2\r\n3\r\n");
  expect((await agent().block({ block_id: `${session_id}:last` })).block.block_id).toBe(block_id);
  await expect(agent().block({ block_id: "b_00000000_1" })).rejects.toMatchObject({ code: "session.not_found" });
  await expect(agent().block({ block_id: `${session_id}:7` })).rejects.toMatchObject({ code: "block.not_found" });
});

it("the screen at a command's end can be read, and the newest snapshot is at the prompt", async () => {
  const { session_id } = await openShell();
  await agent().run_command({ session_id, command: "echo FIRST" });
  await agent().run_command({ session_id, command: "clear; echo SECOND" });
  const at = (ref: string) => agent().pty_read_screen({ session_id, at: ref });
  const first = (await at("block:1")).rows.join("\n");
  expect(first).toContain("FIRST");
  expect(first).not.toContain("SECOND");
  expect((await at("block:last")).rows.join("\n")).not.toContain("FIRST");
  await expect(at("block:9")).rejects.toMatchObject({ code: "block.not_found" });
  const file = duetty.sessionFile(session_id, "screen.snapshot.json");
  await expect.poll(() => JSON.parse(fs.readFileSync(file, "utf8")).rows.join("\n")).toContain("SECOND");
});

it("viewers are told when each block begins and ends, with its range", async () => {
  const { session_id } = await openShell();
  const viewer = await TestViewer.open(duetty, session_id).hello();
  await agent().run_command({ session_id, command: "echo seen; false" });
  await viewer.until(({ messages }) => messages.some(({ type }) => type === "block_end"));
  const [block] = await listed(session_id);
  expect(viewer.message("block_begin")).toMatchObject({ block: { block_id: block?.block_id, state: "running" } });
  expect(viewer.message("block_end")).toMatchObject({ block: { ...block } });
  expect(
    duetty
      .events(session_id)
      .split("\n")
      .filter((line) => line.includes('"block_end"')),
  ).toHaveLength(1);
});

it("a wait ignores an old prompt after input, and counts an ended command with since", async () => {
  const { session_id } = await openShell();
  const now = await agent().pty_wait({ session_id, any: [{ prompt: true }] });
  expect(now.matched).toBe("prompt");
  const none = await person.pty_send({ session_id, text: "ls", then: { any: [{ prompt: true }], timeout_ms: 400 } });
  expect(none.outcome).toBe("deadline");
  const after = await person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
  expect(after.matched).toBe("prompt");
  const quick = await agent().run_command({ session_id, command: "true" });
  const since = quick.cursor - 1;
  const ended = await agent().pty_wait({ session_id, any: [{ block_end: true }], since });
  expect(ended.matched).toBe("block_end");
});

it("a session and a block have a report, as data and as a page", async () => {
  const { session_id } = await openShell();
  await agent().run_command({ session_id, command: "echo fine" });
  await agent().run_command({ session_id, command: "sh -c 'echo broken; exit 2'" });
  const { report } = await agent().report({ id: session_id });
  expect(report).toMatchObject({ verdict: "failed", counts: { commands: 2, passed: 1, failed: 1 } });
  expect(report.entries.map(({ verdict, output }) => [verdict, output.head])).toEqual([
    ["passed", "fine"],
    ["failed", "broken"],
  ]);
  const page = await duetty.cli("report", session_id);
  expect(page.stdout).toMatch(/^# Verification report: failed\n/);
  expect(page.stdout).toContain("```text\nbroken\n```");
  const one = await duetty.json<{ verdict: string; entries: unknown[] }>("report", `${session_id}:1`);
  expect([one.verdict, one.entries.length]).toEqual(["passed", 1]);
  expect((await duetty.cli("report", "nothing")).code).toBe(3);
});
