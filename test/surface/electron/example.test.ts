// examples/electron fits the real types of Electron, of xterm.js and of what we ship. It ends by itself where no Electron is.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../fixtures/folder.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";

test("the example compiles against Electron's own types", async () => {
  const app = testFolder();
  fs.cpSync(join(ROOT, "examples/electron"), app, { recursive: true });
  const modules = { duetty: "", electron: "test/peers/node_modules/electron", "@xterm": "node_modules/@xterm" };
  fs.mkdirSync(join(app, "node_modules"));
  for (const [name, path] of Object.entries(modules)) fs.symlinkSync(join(ROOT, path), join(app, "node_modules", name));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  expect(await run(process.execPath, [tsc, "-p", app], { env: process.env })).toMatchObject({ code: 0, stdout: "" });
});

test("the example says plainly that there is no Electron, and that is no failure", async () => {
  const env = { ...process.env, ELECTRON_PATH: "" };
  const { code, stdout } = await run(process.execPath, [join(ROOT, "examples/electron/test.js")], { env });
  expect(stdout).toContain("No Electron binary here: the app was not run");
  expect(code).toBe(0);
});
