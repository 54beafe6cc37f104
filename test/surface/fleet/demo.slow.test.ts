// npm run fleet:demo, without the build: a broker and three machines, their lists, a question, a link; Ctrl+C ends all of it.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, removeFolder } from "../../fixtures/folder.ts";
import { until } from "../../fixtures/soon.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";

test("three machines are shown on one page, and nothing is left of them", async () => {
  const folder = makeFolder();
  const { DUETTY_HOME: _, ...env } = process.env;
  const demo = spawn(process.execPath, [join(ROOT, "scripts/fleet/demo.mjs")], { env: { ...env, TMPDIR: folder } });
  let said = "";
  for (const stream of [demo.stdout, demo.stderr])
    stream.on("data", (piece) => {
      said += piece;
    });
  try {
    await until(() => said.includes("Ctrl+C ends") || demo.exitCode !== null, `the demo: ${said}`);
    expect(said).toMatch(/^build +here +\d+ +1 /m);
    expect(said).toMatch(/^cloud\/s_\w{8} +cloud-shell /m);
    const link = /http:\/\/127\.0\.0\.1:\d+\/login\?code=\S+/.exec(said)?.[0] ?? "";
    expect((await fetch(link)).status).toBe(200);
  } finally {
    demo.kill("SIGINT");
    await until(() => demo.exitCode !== null || demo.signalCode !== null, "its end");
  }
  expect(fs.readdirSync(folder).filter((name) => name.startsWith("duetty-fleet"))).toEqual([]);
  removeFolder(folder);
});
