// What the prompt and hooks of a person's shell would obey: a boxed line in that shell makes none of it where the shell
// stands, nor above; and hooks and settings that git's own settings name stay as they are.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boxStand, type User } from "../../fixtures/box/box.ts";
import { git } from "../../fixtures/git.ts";

const USERS: User[] = ["the tests' own user", "nobody"];
const MADE = [".git", ".hg", ".jj", ".envrc", "mise.toml", ".mise.toml"];

describe.each(USERS)("a line in a shell of %s", (user) => {
  test("S3: makes nothing that the prompt obeys, in the shell's folder and above it", () => {
    using box = boxStand(user);
    git(box.workspace, "init", "-q");
    const cwd = join(box.workspace, "sub/deep");
    fs.mkdirSync(cwd, { recursive: true });
    const tries = [box.workspace, join(box.workspace, "sub"), cwd].flatMap((at) =>
      MADE.map((name) => join(at, name)).filter((path) => path !== join(box.workspace, ".git")),
    );
    const { output } = box.run(
      `for at in ${tries.join(" ")}; do
         { echo x >$at || echo x >$at/config || rmdir $at || mv $at $at.x; } 2>/dev/null && echo ESCAPED $at
       done; git -c safe.directory='*' status --porcelain; git -c safe.directory='*' init -q ${cwd} && echo ESCAPED`,
      { cwd, shellStays: true },
    );
    expect(output).not.toMatch(/ESCAPED|[?][?]/);
    expect(fs.readdirSync(cwd)).toEqual([]);
  });

  test("S3: makes no repository of a folder that is none, nor a bare one", () => {
    using box = boxStand(user);
    const { output } = box.run(
      "git init -q --bare .; git init -q .; git rev-parse --git-dir && echo ESCAPED; echo x >HEAD && echo ESCAPED",
      { shellStays: true },
    );
    expect(output).not.toContain("ESCAPED");
    expect(fs.existsSync(join(box.workspace, "HEAD"))).toBe(false);
  });

  test("S3: makes no file that the settings include, and git works meanwhile", () => {
    using box = boxStand(user);
    git(box.workspace, "init", "-q");
    git(box.workspace, "config", "include.path", "../.gitlocal");
    const { output } = box.run(
      "echo '[core]' >.gitlocal && echo ESCAPED; rm .gitlocal && echo ESCAPED; git -c safe.directory='*' log 2>&1",
    );
    expect(output).not.toMatch(/ESCAPED|bad config/);
    expect(fs.existsSync(join(box.workspace, ".gitlocal"))).toBe(false);
  });

  test.each([
    ["on the section's line", "[core] hooksPath = .githooks\n"],
    ["before a comment", "[core]\n\thooksPath = .githooks ; team\n"],
    ["in quotes, in capitals", '[CORE]\n\tHOOKSPATH = ".githooks" # team\n'],
  ])("S4: changes no hook that the settings name %s", (_, text) => {
    using box = boxStand(user);
    git(box.workspace, "init", "-q");
    fs.appendFileSync(join(box.workspace, ".git/config"), text);
    fs.mkdirSync(join(box.workspace, ".githooks"));
    const { output } = box.run("echo x >.githooks/pre-commit && echo ESCAPED; mv .githooks x && echo ESCAPED");
    expect(output).not.toContain("ESCAPED");
  });

  test("S4: changes no hook that the person's own settings name, and makes none", () => {
    using box = boxStand(user);
    git(box.workspace, "init", "-q");
    fs.writeFileSync(join(box.homeFolder, ".gitconfig"), "[core]\n\thooksPath = .githooks\n");
    const { output } = box.run("mkdir -p .githooks; echo x >.githooks/pre-commit && echo ESCAPED");
    expect(output).not.toContain("ESCAPED");
  });
});
