// The verbs for commands, files and terminals of a session on another machine, through the real CLI and a real sshd.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPair } from "../../fixtures/fleet/machines.ts";
import { git } from "../../fixtures/git.ts";
import { until } from "../../fixtures/soon.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const s = sharedPair();
const cli = (...words: string[]) => s.hub.duetty.cli(...words);
const BASH = ["/bin/bash", "--norc", "-i"];

/** What a verb printed, when it succeeded. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(...words);
  expect({ code, words, stderr, stdout }).toMatchObject({ code: 0 });
  return stdout.trimEnd();
}

async function opened(...words: string[]): Promise<string> {
  const id = await said("open", "--host", "box", ...words, "--", ...BASH);
  expect(id).toMatch(/^box\/s_[0-9a-z]{8}$/);
  await said("wait", id, "--prompt");
  return id;
}

describe("commands", () => {
  test("run passes the exit code through, goes on with --resume, and its hints have names of here", async () => {
    const id = await opened();
    expect(await cli("run", id, "--", "exit_with() { return 7; }; exit_with")).toMatchObject({ code: 7 });
    const slow = await cli("run", id, "--timeout", "300", "--", "sleep 3; echo slept");
    expect(slow).toMatchObject({ code: 11, stderr: expect.stringContaining(`block ${id.replace("/s_", "/b_")}_`) });
    expect(slow.stderr).toMatch(`duetty wait ${id} --block-end`);
    await said("wait", id, "--prompt", "--timeout", "20000");
    const again = await s.hub.duetty.json<{ run_id: string }>(
      ...(["run", "--host", "box", "--timeout", "200", "--", "sleep 2; echo done"] as const),
    );
    expect(again.run_id).toMatch(/^box\/r_/);
    await until(async () => (await cli("run", "--resume", again.run_id)).stdout === "done\n", "its end");
    await said("send", id, "--text", "sleep 1000\r");
    await until(async () => (await said("status", id)).includes("sleep"), "the command");
    const busy = await cli("run", id, "--timeout", "300", "--", "true");
    expect(busy.stderr).toMatch(`duetty wait ${id} --block-end`);
    expect(busy.stderr).toMatch(`duetty signal ${id}`);
  });

  test("test, blocks, block, report, search, export, replay, deltas, raw", async () => {
    const folder = s.far.there.folder({
      "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
      "a.test.js": "require('node:test')('adds', () => {});\n",
    });
    expect(await said("test", "--host", "box", "--cwd", folder, "--scope", "all")).toMatch(
      /^passed: 1 passed.*box\/b_/m,
    );
    const id = await opened();
    await said("run", id, "--", "echo a-needle");
    const block = /box\/b_\S+/.exec(await said("blocks", id))?.[0] ?? "";
    expect(await said("block", block)).toMatch("a-needle");
    expect(await said("block", `${id}:last`)).toMatch("a-needle");
    expect(await said("blocks", id, "--actor", "person")).toMatch("a-needle");
    expect(await said("blocks", id, "--before", block)).toMatch("no blocks");
    expect(await said("see", id, "--at", `block:${block}`)).toMatch("a-needle");
    const report = await said("report", id);
    expect(report).toMatch(`session ${id}`);
    expect(report).toMatch(`| ${block} |`);
    expect(await said("report", block)).toMatch("a-needle");
    expect(await said("search", "a-needle", "--session", id)).toMatch(`${id} `);
    expect(await said("search", "a-needle", "--all")).toMatch(`${id} `);
    expect(await said("search", "a-needle", "--host", "box")).toMatch(`${id} `);
    expect(await said("search", "a-needle")).toBe("nothing found");
    expect(await said("export", id, "--text")).toMatch("a-needle");
    expect(await said("export", id, "--cast", "--from", `block:${block}`)).toMatch('"version":3');
    expect(await said("replay", id)).toMatch("a-needle");
    expect(await said("deltas", id)).toMatch("a-needle");
    expect(await said("raw", id)).toMatch("a-needle");
    expect(await said("explain", "--session", id, "--", "ls")).toMatch(/^safe/);
  });
});

describe("files", () => {
  let repository = "";
  beforeAll(async () => {
    repository = s.far.there.folder({ "kept.txt": "before\n" });
    await git(repository, "init", "--quiet", "-b", "main");
    await git(repository, "add", ".");
    await git(repository, "commit", "--quiet", "-m", "first");
  });

  test("worktree verbs: a branch over there, its difference, whether it merges, its end", async () => {
    const id = await opened("--cwd", repository, "--worktree", "fix-1");
    await said("run", id, "--", "echo changed > kept.txt");
    expect(await said("worktree", "ls", "--host", "box")).toMatch(id);
    expect(await said("worktree", "diff", id)).toMatch("+changed");
    expect(await said("worktree", "diff", "box/fix-1")).toMatch("+changed");
    expect(await said("worktree", "merge-check", id)).toMatch("1 changed file");
    await said("close", id);
    expect(await cli("worktree", "remove", "box/fix-1")).toMatchObject({
      code: 5,
      stdout: expect.stringContaining("Nothing was removed"),
    });
    expect(await said("worktree", "remove", "box/fix-1", "--lose", "fix-1")).toMatch("removed");
    expect(await said("worktree", "ls")).toMatch("no worktrees");
  });

  test("points and undo bring back files over there; restore offers nothing that did not end with the machine", async () => {
    const id = await opened("--cwd", repository);
    await said("policy", id, "--level", "always_allow", "--safe-mode", "off");
    const ran = await s.hub.duetty.agentCli("run", id, "--as", "agent:bot", "--", "echo after > kept.txt");
    expect(ran).toMatchObject({ code: 0 });
    expect(await said("points", id)).toMatch("agent:bot");
    expect(await said("undo", id, "--yes")).toMatch(`To undo this: duetty undo ${id} --to p_`);
    expect(fs.readFileSync(join(repository, "kept.txt"), "utf8")).toBe("before\n");
    expect((await cli("restore", id, "--json")).stdout).not.toMatch('"outcome":"failed"');
  });
});

test("watch follows one session of another machine, and what it tells has names of here", async () => {
  const id = await opened();
  const terminal = TestTerminal.open(s.hub.duetty, ["watch", id, "--json"], { cols: 400, rows: 30 });
  await terminal.shows(/"to":"began"/);
  await said("run", id, "--", "echo watched");
  await terminal.shows(new RegExp(`"kind":"block","session_id":"${id}"[^\n]*"id":"box/b_[^\n]*"who":"person"`));
  terminal.type("\x03");
  await terminal.ended();
});

describe("attach", () => {
  test("draws vim on another machine, says where it is, and comes back after the connection was lost", async () => {
    const { session_id } = await s.hub.person.pty_open({
      host: "box",
      command: ["vim", "-u", "NONE", "-i", "NONE", "-N"],
    });
    const terminal = TestTerminal.open(s.hub.duetty, ["attach", session_id]);
    // Vim draws its greeting only before the first change of the window's size.
    await terminal.shows(/^~\n~\n~/m);
    expect(terminal.statusLine).toMatch(/^ on box /);
    terminal.type("ihello from here");
    await terminal.shows(/^hello from here/);
    terminal.type("\x1b");
    // A key that is on its way when the connection ends may be lost.
    await until(() => !terminal.text().includes("-- INSERT --"), "the end of typing");
    s.far.sshd.kill();
    await terminal.shows(/Reconnecting|box is not reached/);
    // Until it has greeted again, the status line says so, and no key is sent.
    const isBack = /^ on box (?!.*(?:onnecting|is not reached)).*detach/;
    await until(() => isBack.test(terminal.statusLine), "the connection");
    terminal.type("o");
    terminal.type("and again");
    await terminal.shows(/^hello from here\nand again/);
    terminal.type("\x1c");
    await terminal.ended();
    expect((await s.hub.person.pty_screen_status({ session_id })).foreground?.name).toMatch(/vi/);
  });

  test("--raw has the whole terminal", async () => {
    const { session_id } = await s.hub.person.pty_open({ host: "box", command: BASH, cols: 80, rows: 20 });
    const terminal = TestTerminal.open(s.hub.duetty, ["attach", session_id, "--raw"]);
    terminal.type("echo raw$((1+1))\r");
    await terminal.shows(/^raw2/m);
    terminal.type("\x1c");
    await terminal.ended();
  });
});
