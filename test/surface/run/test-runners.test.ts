// Tests of other projects, planned and run for real: the planned line in a real terminal, its output summed up.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { Plain } from "../../../src/core/journal/plain.ts";
import { planTests, type TestAsk, type TestPlan } from "../../../src/core/run/tests/plan.ts";
import { summarize, type TestSummary } from "../../../src/core/run/tests/summary.ts";
import { workspaceAt } from "../../../src/host/disk/workspace.ts";
import { depth } from "../../fixtures/depth.ts";
import { testFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";

const projects = fileURLToPath(new URL("../../fixtures/projects", import.meta.url));

const sessions = NativeSessions.shared();

async function plan(root: string, ask: TestAsk = {}): Promise<TestPlan> {
  const planned = await planTests(workspaceAt(root), ask);
  if (isFault(planned)) throw new Error(`${planned.code}: ${planned.message} ${planned.hint}`);
  return planned;
}

function cleanText(bytes: Uint8Array): string {
  const lines: string[] = [];
  const plain = new Plain({ cursor: 0, line: 0 }, (line) => lines.push(line.text));
  plain.push(bytes);
  plain.end();
  return lines.join("\n");
}

async function run({ command, cwd, runner }: TestPlan): Promise<TestSummary | null> {
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: process.env.HOME ?? "/",
    TERM: "xterm-256color",
    CARGO_TARGET_DIR: join(sessions.folder, "target"),
    CARGO_NET_OFFLINE: "true",
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { seen } = sessions.run("bash", ["-c", command], { cwd, env });
  const { code } = await seen.exited();
  return summarize({ runner, text: cleanText(seen.all()), exit_code: code });
}

interface Expected {
  readonly command: string;
  /** passed, failed, skipped */
  readonly counts: readonly [number, number, number];
  /** name, file, line */
  readonly failures?: readonly (readonly [string, string | null, number | null])[];
  /** Words of the last lines when it crashed. */
  readonly crashed?: string;
}

const RUNS: Readonly<Record<string, Expected>> = {
  "vitest-passing": { command: "npm test -- --run", counts: [2, 0, 1] },
  "vitest-failing": {
    command: "npm test -- --run",
    counts: [1, 3, 0],
    failures: [
      ["broken.test.mjs", "broken.test.mjs", 1],
      ["sum > adds wrongly", "sum.test.mjs", 8],
      ["sum > throws", "sum.test.mjs", 12],
    ],
  },
  "vitest-crashing": { command: "npm test -- --run", counts: [0, 0, 0], crashed: "the configuration is broken" },
  "node-test-passing": { command: "npm test", counts: [2, 0, 1] },
  "node-test-failing": {
    command: "npm test",
    counts: [1, 2, 0],
    failures: [
      ["adds wrongly", "sum.test.mjs", 8],
      ["throws", "sum.test.mjs", 13],
    ],
  },
  "node-test-crashing": { command: "npm test", counts: [0, 0, 0], crashed: "ERR_MODULE_NOT_FOUND" },
  "mocha-passing": { command: "npm test", counts: [2, 0, 1] },
  "mocha-failing": {
    command: "npm test",
    counts: [1, 2, 0],
    failures: [
      ["sum > throws", "test/sum.js", 13],
      ["sum > of two > adds wrongly", "test/sum.js", 8],
    ],
  },
  "mocha-crashing": { command: "npm test", counts: [0, 0, 0], crashed: "Cannot find module './not-there.js'" },
  "pytest-passing": { command: "pytest", counts: [3, 0, 1] },
  "pytest-failing": {
    command: "pytest",
    counts: [1, 3, 0],
    failures: [
      ["test_sum.py::TestSum::test_adds_wrongly", "test_sum.py", 15],
      ["test_sum.py::test_throws", "test_sum.py", 19],
      ["test_sum.py::test_needs", "test_sum.py", 6],
    ],
  },
  "pytest-crashing": { command: "pytest", counts: [0, 0, 0], crashed: "No module named 'not_there'" },
  "unittest-passing": { command: "python3 -m unittest", counts: [1, 0, 1] },
  "unittest-failing": {
    command: "python3 -m unittest",
    counts: [1, 2, 0],
    failures: [
      ["test_sum.Sum.test_throws", join(projects, "unittest-failing/test_sum.py"), 12],
      ["test_sum.Sum.test_adds_wrongly", join(projects, "unittest-failing/test_sum.py"), 9],
    ],
  },
  "unittest-crashing": { command: "python3 -m unittest", counts: [0, 0, 0], crashed: "ended with 7" },
  "cargo-passing": { command: "cargo test --no-fail-fast", counts: [2, 0, 1] },
  "cargo-failing": {
    command: "cargo test --no-fail-fast",
    counts: [2, 2, 0],
    failures: [
      ["tests::adds_wrongly", "src/lib.rs", 16],
      ["throws", "tests/whole.rs", 3],
    ],
  },
  "cargo-crashing": {
    command: "cargo test --no-fail-fast",
    counts: [0, 0, 0],
    crashed: "cannot find value `not_there`",
  },
  "make-passing": { command: "make test", counts: [1, 0, 1] },
  "make-failing": {
    command: "make test",
    counts: [1, 2, 0],
    failures: [
      ["test_sum.Sum.test_throws", join(projects, "make-failing/test_sum.py"), 12],
      ["test_sum.Sum.test_adds_wrongly", join(projects, "make-failing/test_sum.py"), 9],
    ],
  },
  "make-crashing": { command: "make test", counts: [0, 0, 0], crashed: "./not-there.sh" },
};

const isComplete = depth(0, 1) === 1;

describe("a project's tests, run for real", () => {
  // Tests that fail exercise most of a summary, so `npm test` runs only those projects.
  const runs = Object.entries(RUNS).filter(([name]) => isComplete || name.endsWith("-failing"));
  for (const [name, expected] of runs) {
    test(name, async () => {
      const planned = await plan(join(projects, name), {
        scope: "all",
        ...(name.startsWith("make-") && { runner: "make" }),
      });
      expect(planned.command).toBe(expected.command);
      const summary = await run(planned);
      if (summary === null) throw new Error("nothing was recognised");
      expect([summary.passed, summary.failed, summary.skipped]).toEqual(expected.counts);
      expect(summary.crashed).toBe(expected.crashed !== undefined);
      if (expected.crashed === undefined) {
        const found = summary.failures.map(({ name, file, line }) => [name, file, line]);
        expect(found).toEqual(expected.failures ?? []);
      } else {
        expect(summary.failures.map((failure) => failure.name)).toEqual(["(crashed)"]);
        expect(summary.failures[0]?.message).toContain(expected.crashed);
      }
    });
  }

  // Node counts what a pattern leaves out as skipped in some versions and not at all in others.
  const narrow: readonly [string, TestAsk, string, readonly [number, number, number | null]][] = [
    ["vitest-failing", { name: "sum > adds" }, "npm test -- --run '--testNamePattern=sum adds'", [1, 2, 1]],
    ["vitest-passing", { file: "sum.mjs" }, "npx --no-install vitest related --run sum.mjs", [2, 0, 1]],
    ["vitest-failing", { file: "sum.test.mjs" }, "npm test -- --run sum.test.mjs", [1, 2, 0]],
    [
      "node-test-failing",
      { name: "adds", file: "sum.test.mjs" },
      "npm test -- --test-name-pattern=adds sum.test.mjs",
      [1, 1, null],
    ],
    ["mocha-failing", { name: "sum > throws" }, "npm test -- '--fgrep=sum throws'", [0, 1, 0]],
    ["pytest-failing", { name: "test_sum.py::test_adds" }, "pytest test_sum.py::test_adds", [1, 0, 0]],
    ["pytest-failing", { name: "test_adds", file: "test_sum.py" }, "pytest -k test_adds test_sum.py", [1, 1, 0]],
    ["unittest-failing", { name: "test_sum.Sum.test_throws" }, "python3 -m unittest -k test_throws", [0, 1, 0]],
    ["unittest-failing", { file: "test_sum.py" }, "python3 -m unittest test_sum.py", [1, 2, 0]],
  ];
  for (const [name, ask, command, counts] of narrow.filter((_, i) => isComplete || i % 2 === 0)) {
    test(`${name} ${JSON.stringify(ask)}`, async () => {
      const planned = await plan(join(projects, name), ask);
      expect(planned.command).toBe(command);
      const summary = await run(planned);
      expect([summary?.passed, summary?.failed, counts[2] === null ? null : summary?.skipped]).toEqual(counts);
    });
  }
});

const script = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more });

describe("the planned command", () => {
  const vite = { "package.json": script("vitest"), "src/a.ts": "", "src/a.test.ts": "" };
  const crates = {
    "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
    "a/Cargo.toml": '[package]\nname = "aa"\nversion = "0.0.0"\n',
    "a/src/lib.rs": "",
    "a/tests/whole.rs": "",
    "b/Cargo.toml": '[package]\nname = "bb"\nversion = "0.0.0"\n',
    "b/src/lib.rs": "",
  };
  const modules = {
    "pom.xml": "",
    "core/pom.xml": "",
    "core/src/main/java/x/Sum.java": "",
    "core/src/test/java/x/SumTest.java": "",
  };
  const table: readonly [string, Readonly<Record<string, string>>, TestAsk, string][] = [
    ["vitest never watches", vite, {}, "npm test -- --run"],
    ["the lockfile decides", { ...vite, "pnpm-lock.yaml": "" }, {}, "pnpm run test --run"],
    [
      "packageManager decides",
      { "package.json": script("vitest run", { packageManager: "yarn@4.1.0" }) },
      {},
      "yarn run test",
    ],
    [
      "vitest finds the tests of a source file",
      vite,
      { file: "src/a.ts" },
      "npx --no-install vitest related --run src/a.ts",
    ],
    [
      "vitest may stand after other commands of the script",
      { "package.json": script("tsc && vitest run") },
      { name: "a.b" },
      "npm test -- '--testNamePattern=a'\\\\'.b'",
    ],
    [
      "vitest may stand before other commands of the script",
      { ...vite, "package.json": script("vitest run && eslint .") },
      { file: "src/a.test.ts" },
      "npx --no-install vitest run src/a.test.ts",
    ],
    [
      "a script may call another script",
      { ...vite, "package.json": JSON.stringify({ scripts: { test: "npm run unit", unit: "jest" } }) },
      { file: "src/a.test.ts" },
      "npm run unit -- src/a.test.ts",
    ],
    [
      "jest finds tests by their imports",
      { ...vite, "package.json": script("NODE_ENV=x jest --ci") },
      { file: "src/a.ts" },
      "NODE_ENV=x npx --no-install jest --ci --findRelatedTests src/a.ts",
    ],
    [
      "watching scripts are not used",
      { "package.json": script("jest --watchAll --ci") },
      {},
      "npx --no-install jest --ci",
    ],
    [
      "a file replaces the targets of the script",
      { "package.json": script("mocha -r ts-node/register 'src/**/*.spec.ts'"), "src/a b.spec.ts": "" },
      { file: "src/a b.spec.ts" },
      "npx --no-install mocha -r ts-node/register 'src/a b.spec.ts'",
    ],
    [
      "npm's empty test script is not used",
      { "package.json": script('echo "Error: no test specified" && exit 1', { devDependencies: { mocha: "1" } }) },
      {},
      "npx --no-install mocha",
    ],
    ["an unknown script runs as it is", { "package.json": script("node run.js") }, {}, "npm test"],
    [
      "playwright runs by a test's name",
      { "package.json": "{}", "playwright.config.ts": "" },
      { name: "logs in" },
      "npx --no-install playwright test '--grep=logs in'",
    ],
    [
      "the nearest package has the runner",
      { ...vite, "packages/b/package.json": script("node --test"), "packages/b/b.test.mjs": "" },
      { file: "packages/b/b.test.mjs" },
      "npm test -- b.test.mjs",
    ],
    [
      "a package without a runner uses the one above",
      { ...vite, "lib/package.json": "{}", "lib/b.test.ts": "" },
      { file: "lib/b.test.ts" },
      "npm test -- --run lib/b.test.ts",
    ],
    [
      "a file whose name looks like an option gets ./",
      { ...vite, "-x.test.ts": "" },
      { file: "-x.test.ts" },
      "npm test -- --run ./-x.test.ts",
    ],
    [
      "a file name with quotes is quoted",
      { ...vite, "it's.test.ts": "" },
      { file: "it's.test.ts" },
      "npm test -- --run 'it'\\''s.test.ts'",
    ],
    [
      "pytest runs by a test's name",
      { "pyproject.toml": "[tool.pytest.ini_options]" },
      { name: "test_x[1-2]" },
      "pytest -k 'test_x and 1 and 2'",
    ],
    [
      "pytest runs in the project's environment",
      { "pyproject.toml": "pytest", "uv.lock": "", "tests/test_a.py": "", "src/p/a.py": "" },
      { file: "src/p/a.py" },
      "uv run pytest tests/test_a.py",
    ],
    [
      "unittest finds tests in a folder",
      { "setup.py": "", "tests/test_a.py": "import unittest" },
      {},
      "python3 -m unittest discover -s tests",
    ],
    ["a source file runs the tests of its crate", crates, { file: "a/src/lib.rs" }, "cargo test --no-fail-fast -p aa"],
    ["a crate is found by its name", crates, { package: "bb" }, "cargo test --no-fail-fast -p bb"],
    [
      "a test file of a crate runs alone",
      crates,
      { file: "a/tests/whole.rs" },
      "cargo test --no-fail-fast --test whole",
    ],
    ["a crate is found by its folder", crates, { package: "b" }, "cargo test --no-fail-fast"],
    ["all crates run together", crates, { scope: "all" }, "cargo test --no-fail-fast"],
    [
      "a source file runs the tests of its Go package",
      { "go.mod": "module x", "p/a.go": "" },
      { file: "p/a.go" },
      "go test -v ./p",
    ],
    [
      "a Go subtest runs by its name",
      { "go.mod": "module x" },
      { name: "TestA/two words" },
      "go test -v -run '^TestA$/^two_words$' ./...",
    ],
    [
      "a source file runs its Maven test class",
      { ...modules, mvnw: "" },
      { file: "core/src/main/java/x/Sum.java", runner: "maven" },
      "mvn -B -Dtest=SumTest test",
    ],
    [
      "a test file runs its Gradle test class",
      { gradlew: "", "build.gradle": "", "src/test/java/ATest.java": "" },
      { file: "src/test/java/ATest.java" },
      "./gradlew --console=plain test --tests '*ATest'",
    ],
    [
      "rspec runs the spec of a source file",
      { Gemfile: "", "lib/a.rb": "", "spec/a_spec.rb": "" },
      { file: "lib/a.rb" },
      "bundle exec rspec spec/a_spec.rb",
    ],
    ["make runs the check target", { Makefile: "check: all\n\ttrue\n" }, {}, "make check"],
    ["make's variables do not count as targets", { Makefile: "test := 1\ncheck:\n" }, {}, "make check"],
    ["just runs the test recipe", { justfile: "test *args:\n  true\n" }, {}, "just test"],
    [
      "the file's language decides",
      { ...vite, "pytest.ini": "", "a_test.py": "" },
      { file: "a_test.py" },
      "pytest a_test.py",
    ],
    ["a project in a folder below is found", { "backend/go.mod": "" }, {}, "go test -v ./..."],
    ["a runner may be named", { "a.txt": "" }, { runner: "bun" }, "bun test"],
  ];
  for (const [what, files, ask, command] of table) {
    test(what, async () => expect((await plan(testFolder(files), ask)).command).toBe(command));
  }

  test("a request that cannot be planned is refused with a hint", async () => {
    const root = testFolder({ "a.txt": "" });
    const refused = async (ask: TestAsk, at = root) => {
      const planned = await planTests(workspaceAt(at), ask);
      return isFault(planned) ? `${planned.code} ${planned.hint}` : planned.command;
    };
    expect(await refused({})).toMatch(/^tests\.not_found Looked for vitest, .*cargo/);
    expect(await refused({ runner: "karma" })).toMatch(/^input\.invalid Known: vitest, jest/);
    expect(await refused({ file: "b.test.ts" })).toMatch(/^not_found /);
    expect(await refused({ name: "a\nb" })).toMatch(/^input\.invalid /);
    expect(await refused({ scope: "changed" }, testFolder({ "go.mod": "" }))).toMatch(/^tests\.not_found /);
    const two = testFolder({ "a/go.mod": "", "b/Cargo.toml": "" });
    expect(await refused({}, two)).toMatch(/^tests\.not_found Name one of these as package: .*a \(go\), .*b \(cargo\)/);
  });
});

describe("changed files decide which tests run", () => {
  const repository = (files: Readonly<Record<string, string>>): string => {
    const root = testFolder(files);
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "first");
    return root;
  };
  const cases: readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string, string][] =
    [
      ["no change runs all tests", { "pytest.ini": "" }, {}, ".", "pytest"],
      [
        "a changed test runs alone",
        { "pytest.ini": "", "tests/test_a.py": "" },
        { "tests/test_a.py": "x" },
        ".",
        "pytest tests/test_a.py",
      ],
      ["a new test runs alone", { "pytest.ini": "" }, { "tests/test_b c.py": "x" }, ".", "pytest 'tests/test_b c.py'"],
      [
        "a changed source runs its tests",
        { "pytest.ini": "", "p/a.py": "", "tests/test_a.py": "" },
        { "p/a.py": "x" },
        ".",
        "pytest tests/test_a.py",
      ],
      [
        "a changed source without tests runs all tests",
        { "pytest.ini": "", "p/a.py": "" },
        { "p/a.py": "x" },
        ".",
        "pytest",
      ],
      [
        "a changed setting runs all tests",
        { "pytest.ini": "", "tests/test_a.py": "" },
        { "tests/test_a.py": "x", "conftest.py": "x" },
        ".",
        "pytest",
      ],
      [
        "a changed document does not count",
        { "pytest.ini": "", "tests/test_a.py": "" },
        { "tests/test_a.py": "x", "README.md": "x" },
        ".",
        "pytest tests/test_a.py",
      ],
      [
        "changed sources run the tests that import them",
        { "package.json": script("vitest run"), "src/a.ts": "", "src/b.ts": "" },
        { "src/a.ts": "x", "src/b.ts": "x" },
        ".",
        "npx --no-install vitest related --run src/a.ts src/b.ts",
      ],
      [
        "only the changed Go package runs",
        { "go.mod": "module x", "p/a.go": "", "q/b.go": "" },
        { "q/b.go": "x" },
        ".",
        "go test -v ./q",
      ],
      [
        "only the changed package runs",
        { "package.json": script("turbo test"), "packages/a/package.json": script("jest"), "packages/a/x.test.js": "" },
        { "packages/a/x.test.js": "1" },
        "packages/a",
        "npm test -- x.test.js",
      ],
    ];
  for (const [what, files, changes, where, command] of cases) {
    test(what, async () => {
      const root = repository(files);
      writeFiles(root, changes);
      const planned = await plan(root);
      expect(planned.command).toBe(command);
      expect(planned.cwd).toBe(join(root, where));
    });
  }
});
