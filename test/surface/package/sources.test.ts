// What is true of the package before it is packed: its lock, its reference and the packages that users may add.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../fixtures/folder.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";

test("npm ci warns about no engine", async () => {
  const cwd = testFolder();
  for (const file of ["package.json", "package-lock.json", ".npmrc"])
    fs.copyFileSync(join(ROOT, file), join(cwd, file));
  const { code, stderr } = await run("npm", ["ci", "--dry-run", "--offline"], { env: process.env, cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain("EBADENGINE");
});

test("docs/api.md says what the package exports and what the table has", async () => {
  const script = join(ROOT, "scripts/package/api.mjs");
  expect(await run(process.execPath, [script, "--check"], { env: process.env })).toMatchObject({ code: 0, stderr: "" });
});

test("the real packages for models, and the real Electron, fit our types of them", async () => {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const checked = await run(process.execPath, [tsc, "-p", join(ROOT, "test/peers")], { env: process.env });
  expect(checked).toMatchObject({ code: 0, stdout: "" });
});
