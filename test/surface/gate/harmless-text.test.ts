// Text of agents and programs on a person's command line: it acts on no terminal, forges no line, and a question is printed whole.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openGatedShell, folder } = sharedStand({ config: UNBOXED });
/** What no terminal should get: escape sequences in both forms, BEL, and text that runs backwards. */
const NASTY = "\x1b]52;c;cm0gLXJmIC8=\x07\x9b31m\u202e";
const ACTS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/;
const BRIEF = { timeout_ms: 200 };

test("M3: a name with control characters is refused at the door", async () => {
  for (const name of ["a\x1b]52;c;eA==\x07", "a\nb", "a\tb", "a\x9bb", "\x7f"])
    await expect(agent().pty_open({ name, command: ["cat"] })).rejects.toMatchObject({ code: "input.invalid" });
});

test("M3: lists and searches print nothing that acts on a terminal, as text and as JSON", async () => {
  const cwd = folder({ [`f${NASTY}\nROOT s_00000000 forged/x`]: "" });
  const { session_id } = await openGatedShell("bash", { cwd });
  await person.run_command({ session_id, command: ": '\u202e'; cd f*; echo found" });
  const other = await person.pty_open({ command: ["sh", "-c", `sleep 600 # ${NASTY}\nforged`], name: "nasty\u202e" });
  const lists = [["ls"], ["status", session_id], ["blocks", session_id], ["search", "found"], ["report", session_id]];
  for (const words of lists) {
    for (const form of [[], ["--json"]]) {
      const { stdout, stderr } = await duetty.cli(...words, ...form);
      expect(stdout.length, words.join(" ")).toBeGreaterThan(10);
      expect(stdout + stderr, words.join(" ")).not.toMatch(ACTS);
    }
  }
  // Lines that somebody else wrote begin none of ours.
  expect((await duetty.cli("ls")).stdout).not.toMatch(/^forged/m);
  expect((await duetty.cli("status", session_id)).stdout).not.toMatch(/^ROOT/m);
  // A parser gets exactly what was there.
  const { sessions } = JSON.parse((await duetty.cli("ls", "--json")).stdout);
  expect(sessions.find((one: { session_id: string }) => one.session_id === other.session_id).name).toBe("nasty\u202e");
  const failed = await duetty.cli("see", `no${NASTY}`);
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).not.toMatch(ACTS);
  await person.pty_close({ session_id: other.session_id });
});

test("M2: approvals and approve print the whole question: text, stdin, folder", async () => {
  const cwd = folder();
  const stdin = `echo harmless\n${"\n".repeat(40)}rm -rf the-end\n  folder: /forged\n`;
  const command = `bash${"\u2800".repeat(2_500)} -x`;
  const { approval_id = "" } = await agent("helper").run_command({ command, mode: "pipe", cwd, stdin, ...BRIEF });
  const wanted = [
    `${approval_id}  agent:helper wants to run, `,
    "  │ bash⟦2500 × U+2800⟧ -x",
    "  reads:",
    "  │ echo harmless⟦41 newlines⟧rm -rf the-end⏎",
    "  │   folder: /forged⏎",
    `  folder: ${cwd}`,
  ];
  const { stdout } = await duetty.cli("approvals");
  for (const line of wanted) expect(stdout).toContain(line);
  expect(stdout).not.toMatch(/^ {2}folder: \/forged/m);
  const denied = await duetty.cli("deny", approval_id, "--reason", "no");
  expect(denied.stdout).toContain(`wants to run, denied`);
  for (const line of wanted.slice(1)) expect(denied.stdout).toContain(line);
});

test("approve says what was approved", async () => {
  const cwd = folder({ "gone/x": "" });
  const running = agent("helper").run_command({ command: "rm -r gone", mode: "pipe", cwd, timeout_ms: 20_000 });
  const asked = await expect
    .poll(async () => (await person.approvals({})).approvals.find(({ text }) => text === "rm -r gone"))
    .toBeDefined()
    .then(async () => (await person.approvals({})).approvals.find(({ text }) => text === "rm -r gone"));
  const { stdout } = await duetty.cli("approve", asked?.approval_id ?? "");
  for (const part of ["wants to run, approved", "  │ rm -r gone", `  folder: ${cwd}`]) expect(stdout).toContain(part);
  await running;
});

test("only one file of the command line prints; the others draw or play a terminal", () => {
  const files = readdirSync("src/cli", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const prints = files.filter((name) => /\bstd(?:out|err)\.write\(/.test(readFileSync(join("src/cli", name), "utf8")));
  const drawn = [
    "ask/progress.ts",
    "attach/composed.ts",
    "attach/needs/elsewhere.ts",
    "attach/raw.ts",
    "replay/replay.ts",
    "text/secret.ts",
    "text/terminal-state.ts",
  ];
  // Its own words, and a snippet for a file.
  const own = ["main.ts", "setup/setup.ts"];
  expect(prints.sort()).toEqual([...drawn, ...own, "text/output.ts"].sort());
});
