// Test runners of JavaScript projects, by command or through a runner such as npx.
import { any, asks, each, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const RUN =
  "-0 --run --watch=false -w=false --no-watch --coverage --coverage.enabled --coverage.provider# --coverage.reporter# --no-coverage --coverage.all --ui=false --silent --reporter# --reporters# --bail --retry: --shard: --project: --pool: --poolOptions.threads.singleThread --no-file-parallelism --no-isolate --isolate --globals --environment# --dom --passWithNoTests --allowOnly --dangerouslyIgnoreUnhandledErrors --changed --related -t: --testNamePattern: --testTimeout: --hookTimeout: --maxWorkers: --minWorkers: --maxConcurrency: --logHeapUsage --hideSkippedTests --no-color --color --typecheck --typecheck.only --config@ -c@ --root@ -r@ --dir@ --mode: --exclude: --sequence.shuffle --sequence.seed: --disable-console-intercept --no-cache --standalone=false --inspect=false --workspace@ --browser.headless --expandSnapshotDiff --no-threads --threads --single-thread";

const vitest = safeWith(RUN, { tail: "words" });

const jest = safeWith(
  "-0 --ci --coverage --collectCoverage --no-coverage --collectCoverageFrom: --coverageReporters# --coverageDirectory> --watchAll=false --watch=false --verbose --silent --bail -b -i --runInBand --maxWorkers: -w: --workerThreads -t: --testNamePattern: --testPathPattern: --testPathPatterns: --testPathIgnorePatterns: --testMatch: --testRegex: --onlyChanged -o --onlyFailures -f --changedSince: --findRelatedTests --listTests --showConfig --passWithNoTests --forceExit --detectOpenHandles --detectLeaks --logHeapUsage --no-cache --colors --color --no-color --config@ -c@ --rootDir@ --projects --selectProjects --ignoreProjects --reporters# --testTimeout: --shard: --randomize --seed: --expand -e --errorOnDeprecated --json --useStderr --env# --testEnvironment# --noStackTrace --lastCommit --openHandlesTimeout: --runTestsByPath --testLocationInResults --notify=false",
);

const mocha = safeWith(
  "-0 -R# --reporter# -g: --grep: -f: --fgrep: -i --invert -b --bail -t: --timeout: -s: --slow: --exit --recursive --forbid-only --forbid-pending --full-trace --check-leaks -c --color --no-color --colors --parallel -p -j: --jobs: --retries: --sort -S --extension: --ignore: --exclude: --spec: --dry-run --list-files --list-reporters --ui# -u# --config@ --package@ --async-only -A --allow-uncaught --fail-zero --inline-diffs --no-diff --delay",
);

export const nodeTests: Table = {
  vitest: verbs(
    { "run related list bench": vitest, watch: vitest, dev: vitest, init: asks("writes files") },
    { options: RUN, bare: vitest, other: vitest },
  ),
  jest: when("-u --updateSnapshot --watch --watchAll=true", asks("rewrites snapshots, or stays"), jest),
  mocha,
  ...each("_mocha", mocha),
  ava: safeWith(
    "-0 -v --verbose -s --serial -m: --match: -T: --timeout: --fail-fast -c: --concurrency: --no-worker-threads --color --no-color -t --tap --config@",
  ),
  tap: safeWith(
    "-R# --reporter# --timeout: -t: --bail -b --grep: -g: --only -O --jobs: -j: --disable-coverage --allow-incomplete-coverage --allow-empty-coverage --no-coverage --color --no-color",
  ),
  ...each(
    "tape jasmine uvu lab qunit japa wtr web-test-runner",
    safeWith(
      "-0 --parallel --filter: --random --seed: --reporter# --fail-fast --coverage --color --no-color -b --bail -t: --timeout: --config@ -c -v --verbose -p: --node-resolve --headless --ignore: -i: --only",
    ),
  ),
  karma: verbs({
    start: safeWith("--single-run --browsers: --no-auto-watch --reporters# --log-level: --no-colors --colors", {
      words: /\.[cm]?[jt]s$/,
    }),
    run: safeWith(""),
  }),
  playwright: verbs(
    {
      test: safeWith(
        "-0 --project: -g: --grep: --grep-invert: --reporter# --workers: -j: --headed=false --retries: --timeout: --shard: --list --max-failures: -x --repeat-each: --quiet --forbid-only --fully-parallel --pass-with-no-tests --global-timeout: --config@ -c@ --trace: --browser: --ignore-snapshots --no-deps --last-failed --only-changed --fail-on-flaky-tests --tsconfig@",
      ),
      "install install-deps uninstall": risk("install", "installs browsers"),
      "show-report codegen open show-trace screenshot pdf": asks("opens a window, or writes"),
      "merge-reports": asks("writes files"),
    },
    { options: "--version -V" },
  ),
  cypress: verbs(
    {
      run: safeWith(
        "-b: --browser: -e: --env: --headless --headed=false -s: --spec: --component --e2e -q --quiet --reporter# -C@ --config-file@ -P@ --project@ -p: --port:",
      ),
      "verify info version": any,
      "install cache": risk("install", "installs a browser"),
      open: asks("opens a window"),
    },
    { options: "-v --version" },
  ),
  ...each("c8 nyc", asks("runs another program")),
  ...each("wdio testcafe nightwatch detox storybook test-storybook", asks("needs more than the line says")),
  newman: risk("network", "calls another machine"),
  "cucumber-js": safeWith(
    "-0 --format# -f# --tags: -t: --dry-run --fail-fast --parallel: --retry: --name: -p: --profile: --strict --publish-quiet --order:",
  ),
  ...each("tsd size-limit bundlesize", safeWith("--json --silent --verbose")),
};
