// Repeats tests beside a busy core and reports every test that did not pass each time: `npm run flaky [folder or file …]`.
// Every round of every file is appended to .cache/flaky.jsonl, so that evidence adds up over several days;
// `npm run flaky -- --report` shows it for the current content of each test file.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";
import { underLoad } from "./test/burners.mjs";
import { abortOnSignals, ROOT, runVitest } from "./test/vitest.mjs";

const ROUNDS = 10;
/** A file that has not changed in a month has passed in many runs already. */
const SETTLED_ROUNDS = 3;
const SETTLED = "1 month ago";
/** One of the two cores of a small CI machine. */
const BUSY_CORES = 1;
/** An error with its diagnostics; the history of months has to stay readable. */
const ERROR_CHARS_MAX = 8_000;
const HISTORY = join(ROOT, ".cache/flaky.jsonl");

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, report: { type: "boolean", default: false } },
});
const rounds = options.rounds === undefined ? undefined : Number(options.rounds);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
  console.error(`Not a number of rounds: "${options.rounds}". Example: npm run flaky -- --rounds 20 test/e2e`);
  process.exit(2);
}
const files = await testFiles();
if (files.length === 0) {
  console.error(`No test files match: ${filters.join(" ")}`);
  process.exit(2);
}
const versions = versionsOf(files);
process.exitCode = options.report ? report() : await repeat();

/** The test files that vitest.config.ts selects, narrowed by the filters. */
async function testFiles() {
  const vitest = await createVitest("test", { watch: false, reporters: [] });
  try {
    const specifications = await vitest.globTestSpecifications(filters);
    return specifications.map(({ moduleId }) => moduleId.slice(ROOT.length)).sort();
  } finally {
    await vitest.close();
  }
}

function git(args, input) {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", input, maxBuffer: 1 << 28 });
}

/** The hash of the content of each file: a result counts for a file until the file changes. */
function versionsOf(paths) {
  const hashes = git(["hash-object", "--stdin-paths"], paths.join("\n")).trim().split("\n");
  return new Map(paths.map((path, i) => [path, hashes[i]]));
}

function roundsOfEachFile() {
  const committed = git(["log", `--since=${SETTLED}`, "--name-only", "--format=", "--", "test"]).split("\n");
  const uncommitted = git(["status", "--porcelain", "--untracked-files=all", "--", "test"])
    .split("\n")
    .map((line) => line.slice(3));
  const changed = new Set([...committed, ...uncommitted]);
  return new Map(files.map((file) => [file, rounds ?? (changed.has(file) ? ROUNDS : SETTLED_ROUNDS)]));
}

/** Returns the exit code. */
async function repeat() {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const commit = git(["rev-parse", "HEAD"]).trim();
  const signal = abortOnSignals();
  const roundsOf = roundsOfEachFile();
  const total = Math.max(...roundsOf.values());
  const results = [];
  const brokenRounds = [];

  for (let round = 1; round <= total && !signal.aborted; round += 1) {
    const selected = files.filter((file) => roundsOf.get(file) >= round);
    const startedAt = new Date();
    const run = await underLoad(BUSY_CORES, () => runVitest(selected, { signal, quiet: true }));
    // Filters match parts of paths, so that vitest may have run more files than were selected.
    const reports = run.interrupted ? [] : run.files.filter(({ file }) => selected.includes(file));
    for (const { file, passed, failures } of reports) {
      // An unhandled error may belong to any file of its round, so that none of them has proved anything.
      if (failures.length === 0 && run.unhandledErrors.length > 0) continue;
      const errors = failures.map(({ test, error }) => ({ test, error: error.slice(0, ERROR_CHARS_MAX) }));
      const result = { at: startedAt.toISOString(), commit, file, version: versions.get(file), passed: passed.length };
      results.push({ ...result, failures: errors });
      appendFileSync(HISTORY, `${JSON.stringify({ ...result, failures: errors })}\n`);
    }
    const failed = reports.filter(({ failures }) => failures.length > 0);
    const isBroken = run.exitCode !== 0 && failed.length === 0 && !signal.aborted;
    if (isBroken) brokenRounds.push({ round, errors: run.unhandledErrors, exitCode: run.exitCode });
    const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
    const names = failed.map(({ file }) => file).join(", ");
    console.log(`Round ${round} of ${total}: ${reports.length} files in ${seconds} s${names && `, failed: ${names}`}`);
  }

  printFlaky(results);
  for (const { round, errors, exitCode } of brokenRounds)
    console.log(`\nRound ${round} failed outside of any test (exit code ${exitCode}).\n${errors.join("\n")}`);
  if (signal.aborted) return 130;
  return brokenRounds.length > 0 || results.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

function printFlaky(results) {
  const byTest = new Map();
  for (const { file, failures } of results)
    for (const { test, error } of failures) {
      const key = `${file}: ${test}`;
      const entry = byTest.get(key) ?? { file, errors: [] };
      entry.errors.push(error);
      byTest.set(key, entry);
    }
  const tests = results.reduce((sum, { passed }) => sum + passed, 0);
  if (byTest.size === 0) console.log(`\nEach test passed each time (${tests} results of ${files.length} files).`);
  for (const [key, { file, errors }] of byTest) {
    const runs = results.filter((result) => result.file === file).length;
    console.log(`\n${key}\n  failed ${errors.length} of ${runs} times${seedsIn(errors)}`);
    // The same error in each round is printed once.
    for (const error of new Set(errors)) console.log(error.replace(/^/gm, "    "));
  }
}

/** Property tests and the simulator print the seed that reproduces their failure. */
function seedsIn(errors) {
  const seeds = new Set(
    errors.flatMap((error) => [...error.matchAll(/\bseed\b[^\w-]{0,3}(-?\d+)/gi)].map(([, seed]) => seed)),
  );
  return seeds.size > 0 ? `, seed ${[...seeds].join(", ")}` : "";
}

/** Rounds of the current version of each file, from all runs so far. Returns the exit code. */
function report() {
  const lines = existsSync(HISTORY) ? readFileSync(HISTORY, "utf8").trim().split("\n") : [];
  const records = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  let unproved = 0;
  let failing = 0;
  for (const file of files) {
    const current = records.filter((record) => record.file === file && record.version === versions.get(file));
    const failed = current.filter(({ failures }) => failures.length > 0).length;
    if (current.length === 0) unproved += 1;
    if (failed > 0) failing += 1;
    const passed = `${current.length - failed} of ${current.length}`.padStart(9);
    console.log(`${passed} rounds passed  ${file}${failed > 0 ? `  (failed ${failed})` : ""}`);
  }
  console.log(
    `\n${files.length} files, ${unproved} without a round of their current version, ${failing} with failures.`,
  );
  return failing > 0 ? 1 : 0;
}
