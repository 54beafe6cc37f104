// The line that finds duetty on another machine, in each shell that somebody may have as their login shell there.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { INSTALLED, NOT_THERE, START_BRIDGE } from "../../../src/serve/fleet/ssh/bridge.ts";
import { makeFolder, removeFolder } from "../../fixtures/folder.ts";

describe.each(["sh", "bash", "zsh", "fish"])("%s as a login shell", (shell) => {
  const home = makeFolder();
  afterAll(() => removeFolder(home));
  const path = execFileSync("sh", ["-c", `command -v ${shell}`], { encoding: "utf8" }).trim();
  const start = () =>
    spawnSync(path, ["-c", START_BRIDGE], {
      env: { HOME: home, SHELL: path, PATH: process.env.PATH },
      encoding: "utf8",
    });

  test("says that there is none, then starts what was installed, with its word", () => {
    expect(start().status).toBe(NOT_THERE);
    const bin = join(home, INSTALLED, "node_modules/.bin");
    fs.mkdirSync(bin, { recursive: true });
    fs.writeFileSync(join(bin, "duetty"), '#!/bin/sh\necho "started: $*"\n', { mode: 0o755 });
    expect(start()).toMatchObject({ status: 0, stdout: "started: bridge\n" });
  });
});
