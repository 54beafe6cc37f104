// A vitest reporter that writes the result of a run as JSON to the file named by TEST_REPORT. Unlike vitest's own JSON
// reporter it includes unhandled errors, errors of hooks, and whether the run was interrupted.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** Frames of vitest and other packages say nothing about the test. */
const FOREIGN_FRAMES = /\n +at .*(?:node_modules|node:internal|<anonymous>\)).*/g;
const textOf = ({ stack, message }) => (stack ?? message ?? "unknown error").replace(FOREIGN_FRAMES, "");

export default class RunReporter {
  onInit(vitest) {
    this.vitest = vitest;
    // scripts/test/vitest.mjs asks for the end with a message, or by its own death. Cancelling ends the running tests and
    // lets their hooks shut the daemons down; a signal would leave these behind.
    const cancel = () => {
      process.exitCode = 130;
      vitest.cancelCurrentRun("keyboard-input");
    };
    process.once("message", cancel);
    process.once("disconnect", cancel);
    process.channel?.unref();
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    const files = modules.map((module) => fileReport(module, this.vitest.config.root));
    const report = { interrupted: reason === "interrupted", unhandledErrors: unhandledErrors.map(textOf), files };
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}

function fileReport(module, root) {
  const tests = [...module.children.allTests()];
  const failures = [];
  const add = (test, errors) => {
    if (errors.length > 0) failures.push({ test, error: errors.map(textOf).join("\n\n") });
  };
  add("(file)", module.errors());
  for (const suite of module.children.allSuites()) add(`${suite.fullName} (hooks)`, suite.errors());
  for (const test of tests)
    if (test.result().state === "failed") add(test.fullName, test.result().errors ?? [{ message: "failed" }]);
  if (failures.length === 0 && module.state() === "failed") failures.push({ test: "(file)", error: "failed" });

  const passed = tests.filter((test) => test.result().state === "passed").map((test) => test.fullName);
  return { file: relative(root, module.moduleId), passed, failures };
}
