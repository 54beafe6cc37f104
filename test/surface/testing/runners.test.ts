// A user's own project with tests of a terminal program: node:test and vitest run them, print what failed, and end by
// themselves. It uses the built package.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../fixtures/folder.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";

const FORM = join(ROOT, "test/fixtures/programs/tui/form.mjs");
const LAUNCH = `launch(["node", ${JSON.stringify(FORM)}], { cols: 40, rows: 6, timeout: 100_000 })`;

const PROJECT = {
  "package.json": '{ "private": true, "type": "module" }',
  // Linked packages count as sources there.
  "vitest.config.js": "export default { test: { testTimeout: 200_000, server: { deps: { external: [/dist/] } } } };",
  "form.spec.js": `
    import { launch, matchers } from "duetty/testing";
    import { expect, onTestFinished, test } from "vitest";
    expect.extend(matchers);
    test("it is drawn", async () => {
      const term = await ${LAUNCH};
      onTestFinished(() => term.close());
      await expect(term).toShow("Password");
      await expect(term.getByText("Name")).not.toHaveStyle("red");
      await expect(term).toMatchScreen("form");
    });`,
  "form.node.mjs": `
    import { test } from "node:test";
    import { expect, launch } from "duetty/testing";
    test("it is drawn", async (t) => {
      const [term, other] = await Promise.all([${LAUNCH}, ${LAUNCH}]);
      t.after(() => Promise.all([term.close(), other.close()]));
      await expect(term).toMatchScreen("form");
      await expect(other).toMatchScreen("form");
    });
    test("it greets", async (t) => {
      const term = await ${LAUNCH};
      t.after(() => term.close());
      await expect(term).toShow("Password");
      await term.type("Ada");
      await expect(term).toShow("Name     : Ada");
      await expect(term).toShow("Welcome", { timeout: 0 });
    });
    test("no such program", async (t) => {
      await launch(["/no/such/program"]);
    });`,
};

it("node:test and vitest run the same project, with one golden screen, and end by themselves", async () => {
  const cwd = testFolder(PROJECT);
  fs.mkdirSync(join(cwd, "node_modules"));
  for (const [name, path] of [["duetty", ROOT] as const, ["vitest", join(ROOT, "node_modules/vitest")] as const])
    fs.symlinkSync(path, join(cwd, "node_modules", name));
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$|DUETTY)/.test(name));
  const env = { ...Object.fromEntries(inherited), CI: "1", NO_COLOR: "1", TMPDIR: cwd };
  const vitest = await run("node", ["node_modules/vitest/vitest.mjs", "run", "-u"], { env, cwd });
  expect(vitest, vitest.stdout + vitest.stderr).toMatchObject({ code: 0 });
  const golden = fs.readFileSync(join(cwd, "__screens__/form.txt"), "utf8");
  expect(golden).toBe("40x6, cursor 1,11\nSign in\nName     :\nPassword :\n");

  const tested = await run("node", ["--test", "--test-reporter=tap", "form.node.mjs"], { env, cwd });
  expect(tested.code).toBe(1);
  expect(tested.stdout).toMatch(/\nok 1 - it is drawn\n.*not ok 2 - it greets\n.*not ok 3 - no such program\n/s);
  expect(tested.stdout).toContain('expect(term).toShow("Welcome"): it does not, after 0 ms');
  expect(tested.stdout).toContain("│Name     : Ada                          │");
  expect(tested.stdout).toMatch(/form\.node\.mjs:\d+/);
  expect(fs.readdirSync(join(cwd, "test-results"))).toEqual([expect.stringMatching(/^node-s_\w+\.cast$/)]);
  // The terminals had a folder of their own.
  expect(fs.readdirSync(cwd).sort()).toEqual(
    [...Object.keys(PROJECT), "__screens__", "node_modules", "test-results"].sort(),
  );
});
