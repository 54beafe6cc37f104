// Every example works for a user: from the packed package, installed afresh with what the example wants besides.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sharedFolder } from "../../fixtures/folder.ts";
import { installPacked } from "../../fixtures/packed.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";

const EXAMPLES = join(ROOT, "examples");
const NAMES = fs.readdirSync(EXAMPLES).filter((name) => fs.existsSync(join(EXAMPLES, name, "package.json")));
const project = sharedFolder();

/** One installation for all: what two of them want is the same. */
function wanted(): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of NAMES) {
    const manifest = JSON.parse(fs.readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
    const { duetty, ...others } = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(duetty, `${name} depends on duetty`).toBeDefined();
    for (const [other, version] of Object.entries<string>(others)) {
      expect(all[other] ?? version, `${other} in ${name}`).toBe(version);
      all[other] = version;
    }
  }
  return all;
}

beforeAll(async () => {
  await installPacked(project, wanted());
  for (const name of NAMES)
    fs.cpSync(join(EXAMPLES, name), join(project, name), {
      recursive: true,
      filter: (path) => !path.endsWith("node_modules"),
    });
});

test.each(NAMES)("%s", async (name) => {
  const HOME = fs.mkdtempSync(join(project, "home-"));
  const { DUETTY_HOME, DUETTY_TOKEN, VITEST, NODE_ENV, ...env } = process.env;
  const tested = await run("npm", ["test"], { env: { ...env, HOME, CI: "1" }, cwd: join(project, name) });
  expect(tested.code, tested.stdout + tested.stderr).toBe(0);
});

test("the list of examples names each", () => {
  const text = fs.readFileSync(join(EXAMPLES, "README.md"), "utf8");
  expect([...text.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name).sort()).toEqual([...NAMES].sort());
});
