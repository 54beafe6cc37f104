// What holds in every box, for root and for an ordinary user.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boxStand, type User } from "../../fixtures/box/box.ts";

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
