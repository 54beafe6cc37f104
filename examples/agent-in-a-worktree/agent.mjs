// An agent works on a branch of its own, in a box where there is one. Its person looks at the difference afterwards; the
// files of the repository itself stay as they were.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTerminals } from "duetty";

const place = mkdtempSync(join(tmpdir(), "worktree-example-"));
const repo = join(place, "repo");
const git = (...words) =>
  execFileSync("git", ["-C", repo, "-c", "user.name=You", "-c", "user.email=you@example.com", ...words]);
mkdirSync(repo);
git("init", "--quiet", "--initial-branch=main");
writeFileSync(join(repo, "notes.txt"), "one\n");
git("add", ".");
git("commit", "--quiet", "--message=Begin");

const person = await openTerminals({ config: { worktree: { root: join(place, "trees") } } });
try {
  const agent = person.as("agent:helper");
  const { session_id, worktree, box } = await agent.pty_open({ cwd: repo, worktree: { branch: "second" } });
  console.log(`branch ${worktree?.branch} in ${box ? "a box" : "a folder of its own"}`);
  // Without a box every line would be a question to the person.
  if (!box) await person.policy({ session_id, level: "always_allow", safe_mode: "off" });

  const run = await agent.run_command({ session_id, command: "echo two >> notes.txt" });
  assert.equal(run.exit_code, 0, JSON.stringify(run));

  const { files } = await person.worktree_diff({ worktree: session_id });
  for (const { path, added, removed, text } of files) console.log(`${path} +${added} -${removed}\n${text}`);
  assert.deepEqual(
    files.map(({ path, added }) => [path, added]),
    [["notes.txt", 1]],
  );
  assert.equal(readFileSync(join(repo, "notes.txt"), "utf8"), "one\n");
} finally {
  await person.close();
  rmSync(place, { recursive: true });
}
