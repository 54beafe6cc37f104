// Test runners and compilers at work in a box.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, folder, openShell } = sharedStand();
/** Compilers begin with nothing that they could use again: ten seconds at rest, a minute and more on a busy machine. */
const BUILD_MS = 220_000;

async function work(cwd: string, more: readonly string[] = []) {
  const { session_id } = await openShell("bash", { cwd, box: { roots: [cwd, ...more] } });
  const run = async (command: string) => {
    const { status, exit_code, output } = await person.run_command({ session_id, command, timeout_ms: BUILD_MS });
    return { status, exit_code, text: `${output.head}${output.tail ?? ""}` };
  };
  return { session_id, run };
}

const DONE = { status: "done", exit_code: 0 };

test("npm test, node's runner, vitest, pytest and make", async () => {
  const cwd = folder({
    "package.json": '{"scripts": {"test": "node --test"}, "type": "module"}',
    "sum.test.js": "import { test } from 'node:test'; test('sum', () => {});",
    "sum.spec.ts": "import { expect, test } from 'vitest'; test('sum', () => expect(1 + 1).toBe(2));",
    "test_sum.py": "def test_sum():\n    assert 1 + 1 == 2\n",
    Makefile: "out.txt: Makefile\n\techo made >out.txt\n",
  });
  const modules = join(ROOT, "node_modules");
  fs.symlinkSync(modules, join(cwd, "node_modules"));
  const { run, session_id } = await work(cwd, [modules]);
  expect(await run("npm test")).toMatchObject(DONE);
  expect(await run("npx vitest run sum.spec.ts")).toMatchObject(DONE);
  expect(await run("pytest -q")).toMatchObject(DONE);
  expect(await run("make")).toMatchObject(DONE);
  expect(fs.readFileSync(join(cwd, "out.txt"), "utf8")).toBe("made\n");
  // What the box keeps free there goes with it: the folder is not the test's own.
  await person.pty_close({ session_id });
  await soon(() => expect(fs.existsSync(join(modules, ".envrc"))).toBe(false));
});

test("cargo test and go test, each with a package beside it", async () => {
  const cwd = folder({
    "Cargo.toml":
      '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nhalf = { path = "half" }\n',
    "src/lib.rs": "#[test]\nfn sums() {\n    assert_eq!(half::half(4) + 2, 4);\n}\n",
    "half/Cargo.toml": '[package]\nname = "half"\nversion = "0.1.0"\nedition = "2021"\n',
    "half/src/lib.rs": "pub fn half(n: u32) -> u32 {\n    n / 2\n}\n",
    "go.mod": "module sum.example\n\ngo 1.18\n\nrequire half.example v0.0.0\n\nreplace half.example => ./half\n",
    "sum_test.go":
      'package sum\n\nimport (\n\t"testing"\n\n\t"half.example"\n)\n\nfunc TestSum(t *testing.T) {\n\tif half.Half(4)+2 != 4 {\n\t\tt.Fail()\n\t}\n}\n',
    "half/go.mod": "module half.example\n\ngo 1.18\n",
    "half/half.go": "package half\n\nfunc Half(n int) int { return n / 2 }\n",
  });
  const { run } = await work(cwd);
  expect(await run("cargo test")).toMatchObject({ ...DONE, text: expect.stringContaining("1 passed") });
  expect(await run("go test ./...")).toMatchObject({ ...DONE, text: expect.stringContaining("ok") });
});
