// What holds in every box, for root and for an ordinary user.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boxStand, type User } from "../../fixtures/box/box.ts";
import { git } from "../../fixtures/git.ts";

const USERS: User[] = ["the tests' own user", "nobody"];

describe.each(USERS)("a box of %s", (user) => {
  test("writes in the workspace and nowhere else", () => {
    using box = boxStand(user);
    const { code, output } = box.run(`echo yes >inside; echo no >'${box.homeFolder}/outside'; echo no >/etc/outside`);
    expect(output.match(/Read-only file system|Permission denied/g)).toHaveLength(2);
    expect(code).not.toBe(0);
    expect(fs.readFileSync(join(box.workspace, "inside"), "utf8")).toBe("yes\n");
    expect(fs.existsSync(join(box.homeFolder, "outside"))).toBe(false);
  });
  test("shows nothing of our home", () => {
    using box = boxStand(user);
    fs.writeFileSync(box.home.personToken, "canary-token");
    const { output } = box.run(
      `cat '${box.home.personToken}'; ls -A '${box.home.dir}'; grep -r canary-token '${box.home.dir}'`,
    );
    expect(output).not.toContain("canary-token\n");
    expect(output).not.toContain("person.token\n");
  });
});

describe("what a person's own tools obey", () => {
  const NAMES = [".vscode", ".claude", ".git/hooks", ".git/info"];

  test("cannot be made in a box, and leaves nothing behind", () => {
    using box = boxStand();
    git(box.workspace, "init", "-q");
    for (const name of ["hooks", "info"]) fs.rmSync(join(box.workspace, ".git", name), { recursive: true });
    const before = fs.readdirSync(box.workspace, { recursive: true });
    for (const name of NAMES) {
      const { output } = box.run(`mkdir -p ${name}; echo x >${name}/x && echo ESCAPED; rm -r ${name} && echo ESCAPED`);
      expect(output).not.toContain("ESCAPED");
    }
    expect(fs.readdirSync(box.workspace, { recursive: true })).toEqual(before);
  });

  test("stays protected while another box ends, and is removed after the last", () => {
    using box = boxStand();
    const plan = box.sandbox.plan({ cwd: box.workspace });
    box.sandbox.reserve("first", plan);
    box.sandbox.reserve("second", box.sandbox.plan({ cwd: box.workspace }));
    box.sandbox.release("first");
    expect(fs.existsSync(join(box.workspace, ".vscode"))).toBe(true);
    box.sandbox.release("second");
    expect(fs.readdirSync(box.workspace)).toEqual([]);
  });

  test("what a person puts there is never removed, and what a crash left is", () => {
    using box = boxStand();
    box.sandbox.reserve("lost", box.sandbox.plan({ cwd: box.workspace }));
    fs.writeFileSync(join(box.workspace, ".vscode", "settings.json"), "{}");
    box.sandbox.keepOnly(new Set());
    expect(fs.readdirSync(box.workspace)).toEqual([".vscode"]);
  });
});
