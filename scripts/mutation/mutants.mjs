// npm run mutants: how many of 330 seeded faults the tests notice, per area.
//
//   npm run mutants -- sample                 draws the sample (only when there is none: ids must not change)
//   npm run mutants -- [run] [--only AREA]    runs what has no result yet in --results FILE
//   npm run mutants -- table                  prints the table of --results FILE
//
// Works in a copy of the tree (--work FOLDER, kept, so that a run can be resumed): instruments it, builds it once, runs all
// tests once to learn which mutant is reached by which test file, then asks the cheapest tests about each mutant.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AREAS, MUTANTS_PER_AREA } from "./areas.mjs";
import { mutatedScript, shellMutantsOf } from "./shell-mutants.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
const SAMPLE = join(HERE, "sample.json");
const SEED = 20_261_119;
const ORIGINAL_CHARS_MAX = 160;
const FILES_MAX = 12;
/** Of one mutant. More would not fit 330 of them into 100 minutes. */
const MUTANT_MS = 60_000;
/** By the durations of the coverage run: leaves room for start-up and for the slowness of a hang. */
const CANDIDATES_MS = 35_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: "string", default: join(tmpdir(), "duetty-mutation") },
    results: { type: "string", default: join(HERE, "results.json") },
    only: { type: "string" },
    again: { type: "string" },
    jobs: { type: "string", default: "2" },
  },
});
const work = resolve(options.work);
const tree = join(work, "tree");

const readJson = (file, missing) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : missing);
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** mulberry32: the same sample on every machine. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(pool, count, next) {
  const rest = [...pool];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(next() * rest.length), 1)[0],
  );
}

const shortened = (text) => (text.length > ORIGINAL_CHARS_MAX ? `${text.slice(0, ORIGINAL_CHARS_MAX)}…` : text);

function installInstrumenter() {
  if (existsSync(join(HERE, "node_modules"))) return;
  const npm = spawnSync("npm", ["ci", "--loglevel=error"], { cwd: HERE, stdio: "inherit" });
  if (npm.status !== 0) throw new Error("npm ci failed in scripts/mutation");
}

async function sample() {
  if (existsSync(SAMPLE)) throw new Error(`${SAMPLE} exists; delete it to draw other mutants`);
  const { mutantsOf, sourcesOf } = await import("./instrument.mjs");
  const chosen = [];
  for (const [name, area] of Object.entries(AREAS)) {
    const next = random(SEED + chosen.length);
    const fromShell = draw(shellMutantsOf(ROOT, area.shells ?? []), area.shellMutants ?? 0, next);
    const fromSources = draw(await mutantsOf(ROOT, sourcesOf(ROOT, area)), MUTANTS_PER_AREA - fromShell.length, next);
    const mutants = [...fromSources, ...fromShell].map(({ location, ...mutant }, index) => ({
      id: `${name}-${String(index + 1).padStart(2, "0")}`,
      ...mutant,
      // For people; the digest identifies it.
      original: mutant.isShell ? mutant.original : shortened(mutant.original),
    }));
    chosen.push(...mutants);
    console.log(`${name}: ${mutants.length}`);
  }
  writeJson(SAMPLE, chosen);
}

/** The sampled mutants where they are in the sources of today. */
async function located() {
  const { isSame, mutantsOf } = await import("./instrument.mjs");
  const wanted = readJson(SAMPLE);
  const files = [...new Set(wanted.map(({ file }) => file))].filter((file) => existsSync(join(ROOT, file)));
  const scripts = files.filter((file) => !file.endsWith(".ts"));
  const today = [
    ...(await mutantsOf(
      ROOT,
      files.filter((file) => file.endsWith(".ts")),
    )),
    ...shellMutantsOf(ROOT, scripts),
  ];
  const sampled = wanted.map((mutant) => {
    const same = today.find((other) => isSame(mutant, other));
    return same ? { ...mutant, line: same.line, location: same.location } : { ...mutant, isGone: true };
  });
  const gone = sampled.filter(({ isGone }) => isGone);
  if (gone.length > 0) console.warn(`no longer in the sources: ${gone.map(({ id }) => id).join(" ")}`);
  return sampled.filter(({ isGone }) => !isGone);
}

/** Copies the tree, instruments and builds it, and learns which tests reach which mutant. */
async function prepare() {
  const state = join(work, "state.json");
  if (existsSync(state)) return readJson(state);
  const { place } = await import("./instrument.mjs");
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const files = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const file of files.stdout.split("\0").filter((name) => name !== "" && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(tree, file));
  for (const modules of ["node_modules", "test/peers/node_modules"])
    spawnSync("cp", ["-al", join(ROOT, modules), join(tree, modules)], { stdio: "inherit" });
  const sampled = await located();
  const switches = await place(
    tree,
    sampled.filter(({ isShell }) => !isShell),
  );
  // A mutated function may have another inferred type: its callers would not compile.
  for (const name of readdirSync(join(tree, "src"), { recursive: true }).filter((file) => file.endsWith(".ts"))) {
    const file = join(tree, "src", name);
    writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, "utf8")}`);
  }
  console.log(`building ${sampled.length} mutants …`);
  const built = spawnSync("npm", ["run", "build"], { cwd: tree, encoding: "utf8", maxBuffer: 1 << 26 });
  if (built.status !== 0) throw new Error(`${built.stdout}${built.stderr}`);
  const coverage = join(work, "coverage");
  rmSync(coverage, { recursive: true, force: true });
  mkdirSync(coverage);
  const report = join(work, "report.json");
  console.log("running all tests once …");
  const env = { ...process.env, MUTANT_COVERAGE: coverage };
  const args = [
    "vitest",
    "run",
    "--config",
    "scripts/mutation/vitest.config.ts",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  await new Promise((done) => spawn("npx", args, { cwd: tree, env, stdio: "ignore" }).once("exit", done));
  const tests = readJson(report).testResults.map(({ name, status, startTime, endTime }) => {
    const file = name.slice(tree.length + 1);
    const reached = join(coverage, file.replaceAll("/", "__"));
    const ids = existsSync(reached)
      ? readFileSync(reached, "utf8")
          .split("\n")
          .filter((id) => id !== "")
      : [];
    return { file, status, ms: endTime - startTime, reached: [...new Set(ids)] };
  });
  const mutants = sampled.map((mutant) => ({ ...mutant, switch: switches.get(mutant.id) }));
  const prepared = { mutants, tests };
  writeJson(state, prepared);
  return prepared;
}

function candidatesOf(mutant, tests) {
  const area = AREAS[mutant.id.slice(0, mutant.id.lastIndexOf("-"))];
  const preferred = mutant.isShell ? area.shellTests : area.tests;
  const reaching = tests.filter(
    ({ status, file, reached }) =>
      status === "passed" &&
      (mutant.isShell ? preferred.some((prefix) => file.startsWith(prefix)) : reached.includes(mutant.switch)),
  );
  const rank = ({ file }) => {
    const index = preferred.findIndex((prefix) => file.startsWith(prefix));
    return index < 0 ? preferred.length : index;
  };
  const byRelevance = reaching.sort(
    (a, b) => Math.min(1, rank(a) / preferred.length) - Math.min(1, rank(b) / preferred.length) || a.ms - b.ms,
  );
  const near = byRelevance.filter((test) => rank(test) < preferred.length).sort((a, b) => a.ms - b.ms);
  const far = byRelevance.filter((test) => rank(test) === preferred.length).sort((a, b) => a.ms - b.ms);
  const chosen = [];
  let ms = 0;
  for (const test of [...near, ...far]) {
    if (chosen.length === FILES_MAX) break;
    if (chosen.length > 0 && ms + test.ms > CANDIDATES_MS) continue;
    chosen.push(test);
    ms += test.ms;
  }
  return { reaching: reaching.length, chosen: chosen.sort((a, b) => a.ms - b.ms).map(({ file }) => file) };
}

/** Runs these test files with or without a mutant. */
async function runTests(folder, files, mutant) {
  const scratch = mkdtempSync(join(tmpdir(), "dm-"));
  const report = join(scratch, "report.json");
  const env = { ...process.env, TMPDIR: scratch, MUTATION_FILES: files.join(" "), MUTATION_RUN: scratch };
  delete env.MUTANT_COVERAGE;
  if (mutant && !mutant.isShell) env.MUTANT = mutant.switch;
  const args = ["vitest.mjs", "run", ...files, "--config", "scripts/mutation/vitest.config.ts", "--reporter=json"];
  args[0] = join(folder, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [...args, `--outputFile=${report}`], { cwd: folder, env, stdio: "ignore" });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endProcesses(scratch);
  }, MUTANT_MS);
  const code = await new Promise((done) => child.once("exit", done));
  clearTimeout(timer);
  endProcesses(scratch);
  const results = readJson(report, { testResults: [] }).testResults;
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  if (isOver) return { outcome: "timeout" };
  if (code === 0) return { outcome: "passed" };
  const failed = results.find(({ status }) => status === "failed");
  return failed ? { outcome: "failed", file: failed.name.slice(folder.length + 1) } : { outcome: "failed" };
}

/** Only what this run started: they all have its folder in their environment. */
function endProcesses(mark) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, "utf8").includes(`MUTATION_RUN=${mark}`))
        process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or is not ours.
    }
  }
}

async function verdictOf(folder, mutant, tests) {
  const { reaching, chosen } = candidatesOf(mutant, tests);
  if (chosen.length === 0) return { status: "not covered" };
  const started = Date.now();
  const first = await runTests(folder, chosen, mutant);
  const ms = () => Date.now() - started;
  if (first.outcome === "passed") return { status: "survived", files: chosen.length, reaching, ms: ms() };
  // A flake is no kill: the same tests must pass without the mutant.
  if (mutant.isShell) restoreScript(folder, mutant);
  const again = await runTests(folder, first.file ? [first.file] : chosen);
  if (again.outcome === "passed") {
    const by = first.file ?? (first.outcome === "timeout" ? "timeout" : "crash");
    return { status: "killed", by, ms: ms() };
  }
  return {
    status: "survived",
    why: `without it: ${again.outcome} ${first.file ?? ""}`,
    files: chosen.length,
    ms: ms(),
  };
}

function writeScript(folder, { file }, content) {
  // The copies of the tree share files: a new one, not the same one changed.
  unlinkSync(join(folder, file));
  writeFileSync(join(folder, file), content, { mode: 0o755 });
}
const restoreScript = (folder, mutant) => writeScript(folder, mutant, readFileSync(join(tree, mutant.file), "utf8"));

async function run() {
  mkdirSync(work, { recursive: true });
  const { mutants, tests } = await prepare();
  const results = readJson(options.results, {});
  const isWanted = ({ id }) =>
    (!options.only || id.startsWith(`${options.only}-`)) &&
    (!results[id] || (options.again && results[id].status === options.again));
  const queue = mutants.filter(isWanted);
  console.log(`${queue.length} mutants to run`);
  const job = async (number) => {
    const folder = join(work, `job-${number}`);
    rmSync(folder, { recursive: true, force: true });
    spawnSync("cp", ["-al", tree, folder], { stdio: "inherit" });
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      if (mutant.isShell)
        writeScript(folder, mutant, mutatedScript(readFileSync(join(tree, mutant.file), "utf8"), mutant));
      const verdict = await verdictOf(folder, mutant, tests);
      if (mutant.isShell) restoreScript(folder, mutant);
      results[mutant.id] = verdict;
      writeJson(options.results, results);
      console.log(`${mutant.id} ${verdict.status} ${verdict.by ?? ""} ${verdict.ms ?? ""} (${queue.length} left)`);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, (_, number) => job(number)));
  table();
}

function table() {
  const results = readJson(options.results, {});
  const sampled = readJson(SAMPLE);
  console.log(
    "| area | killed | survived | not covered | equivalent | no result |\n| --- | --- | --- | --- | --- | --- |",
  );
  const row = (name, mutants) => {
    const count = (status) =>
      mutants.filter(({ id, equivalent }) => !equivalent && results[id]?.status === status).length;
    const equivalent = mutants.filter((mutant) => mutant.equivalent).length;
    const open = mutants.filter(({ id, equivalent }) => !equivalent && !results[id]).length;
    console.log(
      `| ${name} | ${count("killed")} | ${count("survived")} | ${count("not covered")} | ${equivalent} | ${open} |`,
    );
  };
  for (const name of Object.keys(AREAS))
    row(
      name,
      sampled.filter(({ id }) => id.startsWith(`${name}-`)),
    );
  row("all", sampled);
}

const verbs = { sample, run, table };
const verb = verbs[positionals[0] ?? "run"];
if (!verb) throw new Error(`unknown verb ${positionals[0]}; one of ${Object.keys(verbs).join(", ")}`);
installInstrumenter();
await verb();
