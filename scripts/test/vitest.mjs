// Runs vitest as a child process and returns its results. The run can be cancelled: `cancel` lets the current tests clean up.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
const REPORTER = fileURLToPath(new URL("reporter.mjs", import.meta.url));

/** Longer than most tests take. A test that hangs must not keep an interrupted run alive. */
const CANCEL_MS = 60_000;

/** `quiet` suppresses the progress on the terminal. Resolves with a RunReport (policy.d.mts). */
export async function runVitest(args, { signal, quiet = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "duetty-report-"));
  const file = join(folder, "report.json");
  const reporters = [quiet ? [] : "--reporter=default", `--reporter=${REPORTER}`].flat();
  try {
    const exitCode = await run([VITEST, "run", ...reporters, ...args], { TEST_REPORT: file }, signal);
    return { interrupted: signal?.aborted ?? false, unhandledErrors: [], files: [], ...readReport(file), exitCode };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** No report is written when vitest ends before it runs tests, for example because of an unknown option. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return {};
  }
}

/**
 * A process group of its own keeps the terminal's Ctrl+C from vitest and its workers: only the caller gets it, and cancels.
 */
function run(args, env, signal) {
  const stdio = ["ignore", "inherit", "inherit", "ipc"];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio, detached: true });
  return new Promise((resolve, reject) => {
    let timer;
    const cancel = () => {
      child.send("cancel", () => undefined);
      timer = setTimeout(() => killGroup(child.pid), CANCEL_MS);
    };
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    const kill = () => killGroup(child.pid);
    process.on("exit", kill);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      process.off("exit", kill);
      resolve(code ?? 1);
    });
  });
}

/** The group may be gone already. */
function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** npm forwards the signal that the terminal has already sent to its whole process group. */
const SAME_SIGNAL_MS = 1_000;

/** Aborts at the first SIGINT, SIGTERM or SIGHUP. The second one ends this process at once, and with it the run. */
export function abortOnSignals() {
  const controller = new AbortController();
  let abortedAt = 0;
  const onSignal = () => {
    if (controller.signal.aborted) {
      if (Date.now() - abortedAt > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    abortedAt = Date.now();
    console.error("\nCancelling the current tests. Press Ctrl+C again to end them without cleaning up.");
    controller.abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, onSignal);
  return controller.signal;
}
