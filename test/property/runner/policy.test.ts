import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FLAKY_FILES_MAX,
  filesToRetry,
  isRetryable,
  judge,
  RETRIED_FILES_MAX,
  type RunReport,
} from "../../../scripts/test/policy.mjs";

const PROCESS_FILES = [1, 2, 3, 4, 5, 6].map((n) => `test/surface/run/file-${n}.test.ts`);
const PURE_FILE = "test/sim/session.test.ts";

/** A report of a run in which these files failed and these passed. */
function run(failed: readonly string[], passed: readonly string[] = [], more: Partial<RunReport> = {}): RunReport {
  const failures = [{ test: "a test", error: "Error: seed 7" }];
  const files = [
    ...failed.map((file) => ({ file, passed: ["another test"], failures })),
    ...passed.map((file) => ({ file, passed: ["a test", "another test"], failures: [] })),
  ];
  return { exitCode: failed.length > 0 ? 1 : 0, interrupted: false, unhandledErrors: [], files, ...more };
}

it.each([
  ["test/surface/run/blocks.test.ts", true],
  ["test/surface/mcp/approvals-in-forms.test.ts", true],
  ["test/surface/box-office.test.ts", true],
  ["test/contract/pty/native.test.ts", true],
  ["test/fault/restart.test.ts", true],
  ["test/e2e/sharing.test.ts", true],
  ["test/property/gate/table-laws.test.ts", false],
  ["test/sim/fleet/streams.test.ts", false],
  ["test/golden/screens.test.ts", false],
  ["test/contract/sandbox/box.test.ts", false],
  ["test/surface/who/inside.test.ts", false],
  ["test/surface/gate/levels.test.ts", false],
  ["test/surface/box/lines.test.ts", false],
  ["test/surface/redact/cut.test.ts", false],
  ["test/e2e/approvals.test.ts", false],
  ["test/e2e/approvals/forms.test.ts", false],
  ["../elsewhere/some.test.ts", false],
])("isRetryable(%j) is %j", (file, expected) => {
  expect(isRetryable(file)).toBe(expected);
});

describe("filesToRetry", () => {
  it("lists up to four failing files that start processes", () => {
    const files = PROCESS_FILES.slice(0, RETRIED_FILES_MAX);
    expect(filesToRetry(run(files, [PURE_FILE]))).toEqual(files);
  });

  it.each([
    ["no file failed", run([], PROCESS_FILES)],
    ["a failing file may not be retried", run(["test/surface/run/file-1.test.ts", PURE_FILE])],
    ["too many files failed", run(PROCESS_FILES.slice(0, RETRIED_FILES_MAX + 1))],
    ["the run was interrupted", run(PROCESS_FILES.slice(0, 1), [], { interrupted: true })],
    ["there are unhandled errors", run(PROCESS_FILES.slice(0, 1), [], { unhandledErrors: ["Error: late"] })],
  ])("is empty when %s", (_, report) => {
    expect(filesToRetry(report)).toEqual([]);
  });
});

describe("judge", () => {
  const [file = "", other = ""] = PROCESS_FILES;

  it("passes a run without failures", () => {
    expect(judge(run([], PROCESS_FILES), null)).toEqual({ exitCode: 0, reasons: [], flaky: [], failed: [] });
  });

  it("passes a run with one flaky file and reports its first failure", () => {
    const { exitCode, flaky, failed } = judge(run([file], [other]), run([], [file]));
    expect(exitCode).toBe(0);
    expect(flaky.map((report) => [report.file, report.failures])).toEqual([
      [file, [{ test: "a test", error: "Error: seed 7" }]],
    ]);
    expect(failed).toEqual([]);
  });

  it.each([
    ["a file fails again", run([file]), run([file])],
    ["a file is missing from the retry", run([file]), run([], [other])],
    ["all tests of the retry were skipped", run([file]), run([], [], { files: [{ file, passed: [], failures: [] }] })],
    ["two files are flaky", run([file, other]), run([], [file, other])],
    ["one of two files fails again", run([file, other]), run([other], [file])],
    ["a failing file was not retried", run([PURE_FILE]), null],
    ["there are unhandled errors", run([], [file], { exitCode: 1, unhandledErrors: ["Error: late"] }), null],
    ["the retry has unhandled errors", run([file]), run([], [file], { exitCode: 1, unhandledErrors: ["Error: late"] })],
    ["the run was interrupted", run([], [file], { interrupted: true, exitCode: 130 }), null],
    ["vitest failed without running tests", run([], [], { exitCode: 1 }), null],
    ["vitest failed in the retry though its tests passed", run([file]), run([], [file], { exitCode: 1 })],
  ])("fails the run when %s, and says why", (_, first, second) => {
    const { exitCode, reasons } = judge(first, second);
    expect(exitCode).toBe(1);
    expect(reasons).not.toEqual([]);
  });

  it("passes exactly when every failing file passed on retry and few enough are flaky", () => {
    const outcome = fc.record({ file: fc.constantFrom(...PROCESS_FILES, PURE_FILE), passesOnRetry: fc.boolean() });
    const outcomes = fc.uniqueArray(outcome, { selector: (entry) => entry.file });
    fc.assert(
      fc.property(outcomes, (failing) => {
        const first = run(failing.map((entry) => entry.file));
        const retried = failing.filter((entry) => filesToRetry(first).includes(entry.file));
        const passed = retried.filter((entry) => entry.passesOnRetry).map((entry) => entry.file);
        const again = retried.filter((entry) => !entry.passesOnRetry).map((entry) => entry.file);
        const { exitCode, flaky, failed } = judge(first, retried.length > 0 ? run(again, passed) : null);
        expect(flaky.map((report) => report.file).sort()).toEqual([...passed].sort());
        expect(flaky.length + failed.length).toBe(failing.length);
        expect(exitCode === 0).toBe(failed.length === 0 && flaky.length <= FLAKY_FILES_MAX);
      }),
    );
  });
});
