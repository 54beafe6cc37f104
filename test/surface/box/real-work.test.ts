// Real work inside the box, as an agent does it: tests, builds, commits, an editor, a server.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git } from "../../fixtures/git.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, folder, openShell } = sharedStand();
/** Compilers begin with nothing that they could use again: ten seconds at rest, a minute and more on a busy machine. */
const BUILD_MS = 220_000;

async function work(cwd: string, more: readonly string[] = []) {
  const { session_id } = await openShell("bash", { cwd, box: { roots: [cwd, ...more] } });
  const run = async (command: string) => {
    const { status, exit_code, output } = await person.run_command({ session_id, command, timeout_ms: BUILD_MS });
    return { status, exit_code, text: `${output.head}${output.tail ?? ""}` };
  };
  return { session_id, run };
}

const DONE = { status: "done", exit_code: 0 };
const AUTHOR = "git -c user.name=t -c user.email=t@example.invalid -c commit.gpgsign=false";

test("git commits in a repository and in a linked work tree, and their settings stay as they are", async () => {
  const main = folder({ "a.txt": "a\n" });
  git(main, "init", "-q");
  git(main, "add", "-A");
  git(main, "commit", "-qm", "first");
  const linked = join(folder(), "tree");
  git(main, "worktree", "add", "-q", "-b", "side", linked);
  for (const cwd of [main, linked]) {
    const { run } = await work(cwd);
    expect(await run("echo b >b.txt && git add -A")).toMatchObject(DONE);
    expect(await run(`${AUTHOR} commit -qm second`)).toMatchObject(DONE);
    expect(
      await run(`${AUTHOR} commit -q --amend -m better && git switch -q -c other-$RANDOM && git status --short`),
    ).toMatchObject(DONE);
    expect((await run("git config core.fsmonitor evil")).exit_code).not.toBe(0);
    expect((await run("rm -f .git && mkdir .git")).exit_code).not.toBe(0);
    const log = execFileSync("git", ["-C", cwd, "log", "--format=%s"], { encoding: "utf8" });
    expect(log).toBe("better\nfirst\n");
  }
});

test("vim edits a file", async () => {
  const cwd = folder();
  const { session_id } = await work(cwd);
  const type = (text: string, then: { text: string } | { prompt: true }) =>
    person.pty_send({ session_id, text, then: { any: [then], timeout_ms: 20_000 } });
  await type("vim notes.txt\r", { text: "~" });
  await type("ihello", { text: "hello" });
  const left = await type("\x1b:wq\r", { prompt: true });
  expect(left.outcome).toBe("matched");
  expect(fs.readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("hello\n");
});

test("a server runs in the background, and curl reaches it in the same session", async () => {
  const server = "require('http').createServer((_, r) => r.end('served')).listen(8123, () => console.log('up'))";
  const cwd = folder({ "server.js": server });
  const { run } = await work(cwd);
  expect(await run("node server.js >log & until grep -q up log; do sleep 0.1; done")).toMatchObject(DONE);
  expect(await run("curl -sS http://127.0.0.1:8123/")).toMatchObject({
    ...DONE,
    text: expect.stringContaining("served"),
  });
  expect(await run("kill %1")).toMatchObject(DONE);
});
