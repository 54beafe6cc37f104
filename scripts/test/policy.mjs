// The decisions of `npm test`: which failing files are retried, and what two runs mean together. Pure functions, so that
// test/property/runner can check them without starting vitest.

/** Vitest workers. One more than a small machine has cores: tests spend much of their time waiting for real programs. */
export const WORKERS = 3;

/** More failing files than this point to a defect or a broken machine. A retry would only delay the message. */
export const RETRIED_FILES_MAX = 4;

/** One flaky file is tolerated, so that an unrelated change is not blocked. Two in a run have to be looked at. */
export const FLAKY_FILES_MAX = 1;

/** Tests of these folders either start no process, so that a failure is never a matter of timing, or guard a security boundary. */
const NEVER_RETRIED = [
  "test/property/",
  "test/sim/",
  "test/golden/",
  "test/contract/sandbox/",
  "test/surface/who/",
  "test/surface/gate/",
  "test/surface/box/",
  "test/surface/redact/",
  "test/e2e/approvals",
];

/** Expects a path relative to the repository, with forward slashes. */
export function isRetryable(file) {
  return file.startsWith("test/") && !NEVER_RETRIED.some((prefix) => file.startsWith(prefix));
}

const failedFiles = (report) => report.files.filter(({ failures }) => failures.length > 0);

/** Nothing is retried when the outcome is already certain: a retry could not turn such a run into a success. */
export function filesToRetry(first) {
  if (first.interrupted || first.unhandledErrors.length > 0) return [];
  const files = failedFiles(first).map(({ file }) => file);
  return files.length <= RETRIED_FILES_MAX && files.every(isRetryable) ? files : [];
}

/**
 * Combines the first run with the retry, which is null if there was none. `flaky` and `failed` list entries of the first
 * report; `reasons` says in sentences why the run failed.
 */
export function judge(first, second) {
  const failing = failedFiles(first);
  const passedOnRetry = ({ file }) => {
    const result = second?.files.find((retried) => retried.file === file);
    return result !== undefined && result.failures.length === 0 && result.passed.length > 0;
  };
  const flaky = failing.filter(passedOnRetry);
  const failed = failing.filter((file) => !passedOnRetry(file));

  const reasons = [];
  const reports = second ? [first, second] : [first];
  if (reports.some(({ interrupted }) => interrupted)) reasons.push("The run was interrupted.");
  const unhandled = reports.flatMap(({ unhandledErrors }) => unhandledErrors);
  if (unhandled.length > 0) reasons.push(`${count(unhandled.length, "unhandled error")} outside of any test.`);
  if (failed.length > 0) reasons.push(`${count(failed.length, "test file")} failed.`);
  if (flaky.length > FLAKY_FILES_MAX)
    reasons.push(`${flaky.length} files are flaky; at most ${FLAKY_FILES_MAX} may be.`);
  // For example: no test file matches, or vitest.config.ts does not load.
  if (reasons.length === 0 && failing.length === 0 && first.exitCode !== 0)
    reasons.push(`vitest exited with code ${first.exitCode}.`);
  // A retry may also end badly after all of its tests passed.
  if (reasons.length === 0 && second && second.exitCode !== 0)
    reasons.push(`vitest exited with code ${second.exitCode} in the retry.`);

  return { exitCode: reasons.length > 0 ? 1 : 0, reasons, flaky, failed };
}

/** "1 file", "2 files". */
export function count(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
