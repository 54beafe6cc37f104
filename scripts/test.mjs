// `npm test` after the build: runs the tests once, and repeats a failing file under the same load before it calls the run failed.
// scripts/test/policy.mjs decides which files may be repeated and what the results mean. Arguments are passed to vitest.
import { parseCLI } from "vitest/node";
import { underLoad } from "./test/burners.mjs";
import { count, filesToRetry, judge, WORKERS } from "./test/policy.mjs";
import { abortOnSignals, runVitest } from "./test/vitest.mjs";

const args = process.argv.slice(2);
const signal = abortOnSignals();

const first = await runVitest(args, { signal });
const files = filesToRetry(first);
let second = null;
if (files.length > 0 && !signal.aborted) {
  console.log(`\nRetrying ${files.join(", ")} under the same load …`);
  // One file at a time, each beside as much work as the other workers had in the first run.
  second = await underLoad(WORKERS - 1, () =>
    runVitest([...withoutFilters(args), "--maxWorkers=1", ...files], { signal }),
  );
}

const { exitCode, reasons, flaky, failed } = judge(first, second);
if (flaky.length > 0) {
  console.log("\nFLAKY (failed, then passed under the same load)");
  printFailures(flaky);
}
if (failed.length > 0) {
  console.log("\nFAILED");
  for (const { file, failures } of failed) for (const { test } of failures) console.log(`  ${file}: ${test}`);
}
console.log();
if (exitCode !== 0) console.log(`FAILED: ${reasons.join(" ")}`);
else {
  const passed = first.files.filter(({ failures }) => failures.length === 0).concat(second?.files ?? []);
  const tests = passed.reduce((sum, file) => sum + file.passed.length, 0);
  const note = flaky.length > 0 ? ` ${flaky[0].file} is flaky; "npm run flaky ${flaky[0].file}" repeats it.` : "";
  console.log(`PASSED: ${count(tests, "test")} in ${count(passed.length, "file")}.${note}`);
}
process.exitCode = signal.aborted ? 130 : exitCode;

/** The options that the caller gave, without the file filters of the first run. */
function withoutFilters(given) {
  const { filter } = parseCLI(["vitest", "run", ...given], { allowUnknownOptions: true });
  return given.filter((arg) => !filter.includes(arg));
}

function printFailures(reports) {
  for (const { file, failures } of reports)
    for (const { test, error } of failures) {
      console.log(`  ${file}: ${test}`);
      console.log(error.replace(/^/gm, "    "));
    }
}
