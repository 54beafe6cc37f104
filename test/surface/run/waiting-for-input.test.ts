// Commands that wait for input: reported within a second, with the right screen, and never hanging.
import { expect, it } from "vitest";
import type { Output } from "../../../src/protocol/ops.ts";
import { git } from "../../fixtures/git.ts";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, agent, folder, openShell } = sharedStand();
const screenOf = (ran: Output<"run_command">) => ran.screen?.rows.join("\n") ?? "";

async function started(command: string, shell: (typeof SHELLS)[number] = "bash", cwd?: string) {
  const { session_id } = await openShell(shell, cwd === undefined ? {} : { cwd });
  const ran = await agent().run_command({ session_id, command });
  return { session_id, ran };
}

async function finished(session_id: string, input: { text?: string; keys?: string[] }) {
  const then = { any: [{ block_end: true as const }] };
  const ended = await person.pty_send({ session_id, ...input, then });
  expect(ended.matched).toBe("block_end");
  return (await agent().blocks({ session_id })).blocks.at(-1);
}

it.each(SHELLS)("%s: a password is only for people", async (shell) => {
  const ask = `sh -c 'printf "Password: "; stty -echo; read x; stty echo; echo; test "$x" = sesame'`;
  const { session_id, ran } = await started(ask, shell);
  expect(ran).toMatchObject({ status: "waiting_for_input", exit_code: null, waiting: { kind: "password" } });
  expect(ran.screen).toMatchObject({ echo: "off", state: "waiting_for_input" });
  expect(screenOf(ran)).toContain("Password:");
  expect(ran.hint).toContain("only a person");
  expect(await finished(session_id, { text: "sesame\n" })).toMatchObject({ exit_code: 0, state: "done" });
});

it("bash's read and a question with a prompt wait for input", async () => {
  const { session_id, ran } = await started("read -p 'Continue? [y/N] ' answer; echo got $answer");
  expect(ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: expect.stringMatching(/line|keys/) } });
  expect(screenOf(ran)).toContain("Continue? [y/N]");
  const block = await finished(session_id, { text: "y\n" });
  expect(block?.exit_code).toBe(0);
  expect((await agent().block({ block_id: block?.block_id ?? "" })).content).toContain("got y");
  const silent = await started("read -s secret; echo done");
  expect(silent.ran.waiting?.kind).toBe("password");
  await finished(silent.session_id, { text: "x\n" });
});

it("python3 waits at its prompt and goes on", async () => {
  const { session_id, ran } = await started("python3 -q");
  expect(ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: "keys" } });
  expect(screenOf(ran)).toContain(">>>");
  const answer = await agent().pty_send({ session_id, text: "6*7\n", then: { any: [{ text: "42" }] } });
  expect(answer.outcome).toBe("matched");
  expect(await finished(session_id, { text: "exit(3)\n" })).toMatchObject({ exit_code: 3, state: "failed" });
});

it("less and vim wait as full-screen programs", async () => {
  for (const [command, quit, shown] of [
    ["less /etc/services", "q", "Network services"],
    ["vim -u NONE -n -N /etc/services", ":q\n", "Network services"],
  ] as const) {
    const { session_id, ran } = await started(command);
    expect(ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: "full_screen" } });
    expect(ran.screen?.alt_screen).toBe(true);
    expect(screenOf(ran)).toContain(shown);
    expect(await finished(session_id, { text: quit })).toMatchObject({ exit_code: 0, alt_screen_used: true });
  }
});

it("a program that draws all the time is reported as waiting", async () => {
  const { session_id, ran } = await started("top -d 0.2");
  expect(ran).toMatchObject({
    status: "waiting_for_input",
    waiting: { kind: expect.stringMatching(/full_screen|keys/), program: "top" },
  });
  await finished(session_id, { text: "q" });
});

it("npm init asks, and git rebase -i opens an editor", async () => {
  const project = folder();
  const npm = await started("npm init", "bash", project);
  expect(npm.ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: "keys" } });
  expect(screenOf(npm.ran)).toContain("package name:");
  expect(await finished(npm.session_id, { keys: ["Ctrl+C"] })).toMatchObject({ cmd: "npm init" });
  git(project, "init", "-q");
  for (const n of ["one", "two"]) git(project, "commit", "-q", "--allow-empty", "-m", n);
  const edit = "git -c core.editor='vim -u NONE -N' -c user.name=t -c user.email=t@example.invalid rebase -i --root";
  const rebase = await started(edit, "bash", project);
  expect(rebase.ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: "full_screen" } });
  expect(screenOf(rebase.ran)).toMatch(/pick \w+ (?:# )?one/);
  expect(await finished(rebase.session_id, { text: ":cq\n" })).toMatchObject({ state: "failed" });
});

it("a session without integration says when its program waits", async () => {
  const { session_id } = await person.pty_open({ command: ["sh", "-c", "printf 'name? '; read x; sleep 30"] });
  const waits = async () => (await agent().pty_list({})).sessions.find((info) => info.session_id === session_id);
  await expect.poll(async () => (await waits())?.state).toBe("waiting_for_input");
  expect((await waits())?.waiting).toMatchObject({ kind: "line" });
  await person.pty_send({ session_id, text: "me\n" });
  await expect.poll(async () => (await waits())?.state).toBe("running");
  await person.pty_close({ session_id });
});
