// What `hosts add --install` runs over there, in each shell that somebody may have as their login shell: npm gets the package, and ends
// when nobody waits for it any more.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INSTALLED } from "../../../src/serve/fleet/ssh/bridge.ts";
import { installCommand, notInstalled } from "../../../src/serve/fleet/ssh/install.ts";
import { fakeNpm } from "../../fixtures/fleet/npm.ts";
import { makeFolder, removeFolder } from "../../fixtures/folder.ts";
import { until } from "../../fixtures/soon.ts";

const PACKAGE = Buffer.from("a package\0with any bytes\n'\"$HOME");

describe.each(["sh", "bash", "zsh", "fish"])("%s as a login shell", (shell) => {
  const home = makeFolder();
  beforeAll(() => fakeNpm(home));
  afterAll(() => removeFolder(home));
  const path = execFileSync("sh", ["-c", `command -v ${shell}`], { encoding: "utf8" }).trim();
  const start = () => {
    const env = { HOME: home, SHELL: path, PATH: process.env.PATH };
    const child = spawn(path, ["-c", installCommand(PACKAGE.length)], { env, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.write(PACKAGE);
    return child;
  };

  test("hands the package to npm and says how it ended, while its input stays open", async () => {
    const child = start();
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    const folder = join(home, INSTALLED);
    expect(fs.readFileSync(join(folder, "duetty.tgz"))).toEqual(PACKAGE);
    const words = fs.readFileSync(join(home, "npm.words"), "utf8");
    expect(words).toMatch(/^install .*--omit=dev/);
    expect(words).toContain(`--prefix ${folder} ${folder}/duetty.tgz`);
  });

  test("npm that hangs ends with the input, with all that it has started", async () => {
    fs.writeFileSync(join(home, "npm.hangs"), "");
    const child = start();
    const pid = () => Number(fs.readFileSync(join(home, "npm.pid"), "utf8"));
    await until(() => fs.existsSync(join(home, "npm.waits")), "npm");
    const below = fs.readFileSync(`/proc/${pid()}/task/${pid()}/children`, "utf8").trim().split(" ");
    expect(below[0]).toMatch(/^\d+$/);
    child.stdin.end();
    await until(() => ![pid(), ...below].some((one) => fs.existsSync(`/proc/${one}`)), "its end");
    if (child.exitCode === null) await once(child, "close");
  });
});

describe("what is told of an installation that failed", () => {
  const said = [
    "npm http fetch GET https://registry.example/koffi attempt 1 failed with ETIMEDOUT",
    "npm error code ETIMEDOUT",
    "npm error network request to https://registry.example/koffi failed, reason: connect ETIMEDOUT",
    "npm error network In most cases you are behind a proxy or have bad network settings.",
    "npm error A complete log of this run can be found in: /home/me/.npm/_logs/1.log",
  ];

  test("is npm's reason, or its last line and the time that it had", () => {
    expect(notInstalled("box", { how: "done" }, 1)).toBeUndefined();
    expect(notInstalled("box", { how: "failed", said: said.join("\n") }, 1)?.message).toBe(
      "duetty was not installed on box: network request to https://registry.example/koffi failed, reason: connect ETIMEDOUT",
    );
    const late = { how: "late", said: `${said[0]}\n` } as const;
    expect(notInstalled("box", late, 300_000)).toMatchObject({
      message: `npm did not finish on box in 5 minutes; it said last: ${said[0]?.slice("npm http ".length)}`,
      hint: expect.stringContaining("npm ping"),
    });
    expect(notInstalled("box", { how: "late", said: "" }, 300_000)?.message).toMatch("it said nothing");
    expect(notInstalled("box", { how: "failed", said: "sh: 1: npm: not found\n" }, 1)?.message).toBe(
      "duetty was not installed on box: sh: 1: npm: not found",
    );
  });
});
