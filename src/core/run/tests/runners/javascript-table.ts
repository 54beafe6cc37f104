// The JavaScript runners, each with its differences.
import type { Folder } from "../folder.ts";
import { pathWord } from "../shell-words.ts";
import { jsIsTest, jsTestsOf } from "./conventions.ts";
import { JS_SOURCES, type JsSpec, jsRunner } from "./javascript.ts";
import { execBin, inWorkspace, packageOf, runScript, toolOf } from "./package.ts";
import { escapeRegex, type Runner } from "./runner.ts";
import { binIs } from "./script.ts";

const WATCH = /(?:^|\s)(?:--watch(?:All)?(?:=true)?|-w|--ui|watch|dev)(?=\s|$)/;
/** People write test names below suites with " > " between them. The runners join them with a space. */
const flat = (name: string): string => name.split(" > ").join(" ");
const never = /^\b$/;

const vitest: JsSpec = {
  name: "vitest",
  bin: binIs("vitest"),
  start: (tool) => [...execBin(tool, "vitest"), "run"],
  configs: /^vitest\.(?:config|workspace)\.[cm]?[jt]s$/,
  packages: ["vitest"],
  subcommands: new Set(["run", "watch", "dev"]),
  valued: new Set([
    "--config",
    "-c",
    "--root",
    "-r",
    "--dir",
    "--project",
    "--reporter",
    "--environment",
    "--pool",
    "--mode",
  ]),
  watch: WATCH,
  once: { unless: /(?:^|\s)(?:run|--run|--no-watch|--watch=false)(?=\s|$)/, add: ["--run"] },
  isTest: jsIsTest,
  name_words: (name) => [`--testNamePattern=${escapeRegex(flat(name))}`],
  related: (files) => ({ subcommand: ["related", "--run"], words: files }),
  options_first: false,
};

const jest: JsSpec = {
  name: "jest",
  bin: binIs("jest"),
  start: (tool) => execBin(tool, "jest"),
  configs: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
  packages: ["jest"],
  subcommands: new Set(),
  valued: new Set([
    "--config",
    "-c",
    "--maxWorkers",
    "--testTimeout",
    "--rootDir",
    "--env",
    "--selectProjects",
    "--reporters",
  ]),
  // For Jest -w is the number of workers.
  watch: /(?:^|\s)--watch(?:All)?(?:=true)?(?=\s|$)/,
  once: { unless: never, add: [] },
  isTest: jsIsTest,
  name_words: (name) => [`--testNamePattern=${escapeRegex(flat(name))}`],
  related: (files) => ({ subcommand: [], words: ["--findRelatedTests", ...files] }),
  options_first: false,
};

const mocha: JsSpec = {
  name: "mocha",
  bin: binIs("mocha", "_mocha"),
  start: (tool) => execBin(tool, "mocha"),
  configs: /^\.mocharc\.(?:[cm]?js|json|jsonc|ya?ml)$/,
  packages: ["mocha"],
  subcommands: new Set(),
  valued: new Set([
    "--require",
    "-r",
    "--import",
    "--config",
    "--extension",
    "--timeout",
    "-t",
    "--reporter",
    "-R",
    "--ui",
    "-u",
    "--file",
    "--spec",
    "--node-option",
    "-n",
  ]),
  watch: WATCH,
  once: { unless: never, add: [] },
  isTest: (path) => jsIsTest(path) || /(?:^|\/)tests?\/.*\.[cm]?[jt]sx?$/.test(path),
  name_words: (name) => [`--fgrep=${flat(name)}`],
  options_first: false,
};

const nodeTest: JsSpec = {
  name: "node",
  bin: (words) => (words.includes("--test") ? words.indexOf("node") + 1 : 0),
  start: () => ["node", "--test"],
  configs: never,
  packages: [],
  subcommands: new Set(),
  valued: new Set([
    "--import",
    "--require",
    "-r",
    "--loader",
    "--experimental-loader",
    "--test-reporter",
    "--test-concurrency",
    "--env-file",
    "-C",
    "--conditions",
  ]),
  watch: /(?:^|\s)--watch(?=\s|$)/,
  once: { unless: /(?:^|\s)--test(?=\s|$)/, add: ["--test"] },
  isTest: (path) => jsIsTest(path) || /(?:^|\/)(?:test\/.*|test|test-[^/]*)\.[cm]?[jt]s$/.test(path),
  // It matches each test's own name, without the names of its suites.
  name_words: (name) => [`--test-name-pattern=${escapeRegex(name.split(" > ").at(-1) ?? name)}`],
  options_first: true,
};

const playwright: JsSpec = {
  name: "playwright",
  bin: (words) => {
    const at = binIs("playwright")(words);
    return at > 0 && words[at] === "test" ? at : 0;
  },
  start: (tool) => [...execBin(tool, "playwright"), "test"],
  configs: /^playwright\.config\.[cm]?[jt]s$/,
  packages: ["@playwright/test"],
  subcommands: new Set(["test"]),
  valued: new Set([
    "--config",
    "-c",
    "--project",
    "--reporter",
    "--workers",
    "-j",
    "--timeout",
    "--grep",
    "-g",
    "--retries",
  ]),
  watch: /(?:^|\s)(?:--ui|--debug|--headed)(?=\s|$)/,
  // After a failure the runner would serve the HTML report and wait.
  once: { unless: /--reporter/, add: ["--reporter=list"] },
  isTest: jsIsTest,
  name_words: (name) => [`--grep=${escapeRegex(flat(name))}`],
  options_first: false,
};

const ava: JsSpec = {
  name: "ava",
  bin: binIs("ava"),
  start: (tool) => execBin(tool, "ava"),
  configs: /^ava\.config\.[cm]?js$/,
  packages: ["ava"],
  subcommands: new Set(),
  valued: new Set(["--config", "--match", "-m", "--timeout", "-T", "--concurrency", "-c"]),
  watch: WATCH,
  once: { unless: never, add: [] },
  isTest: (path) => jsIsTest(path) || /(?:^|\/)(?:test|test-[^/]*|tests?\/.*)\.[cm]?[jt]s$/.test(path),
  name_words: (name) => [`--match=*${name}*`],
  options_first: false,
};

const tap: JsSpec = {
  name: "tap",
  bin: binIs("tap"),
  start: (tool) => execBin(tool, "tap"),
  configs: /^\.taprc$/,
  packages: ["tap"],
  subcommands: new Set(["run"]),
  valued: new Set(["--reporter", "-R", "--jobs", "-j", "--timeout", "-t", "-r", "--require"]),
  watch: WATCH,
  once: { unless: never, add: [] },
  isTest: (path) => jsIsTest(path) || /(?:^|\/)(?:test|tests?\/.*)\.[cm]?[jt]s$/.test(path),
  name_words: (name) => [`--grep=${escapeRegex(name)}`],
  options_first: false,
};

/** A script named test that calls none of the above. It runs as it is, and we recognise its output by its form. */
const script: Runner = {
  name: "npm",
  sources: JS_SOURCES,
  async find(folder) {
    const test = (await packageOf(folder))?.scripts.test;
    if (test === undefined || /no test specified/.test(test)) return undefined;
    return { why: `package.json has a test script: ${test.slice(0, 100)}`, rank: 1 };
  },
  async all(folder) {
    const test = (await packageOf(folder))?.scripts.test ?? "";
    const run = runScript(await toolOf(folder), "test");
    // Some would keep watching on a terminal. All of them know CI.
    return /watch|react-scripts|\bng test/.test(test) ? ["CI=true", ...run] : run;
  },
  inPackage: async (folder, name) => inWorkspace(await toolOf(folder), name),
};

const bunTest: Runner = {
  name: "bun",
  sources: JS_SOURCES,
  async find(folder: Folder) {
    const test = (await packageOf(folder))?.scripts.test;
    if (test !== undefined && /(?:^|\s)bun test(?:\s|$)/.test(test))
      return { why: 'script "test" of package.json calls bun test', rank: 0 };
    const bare = test === undefined && (await folder.has("bunfig.toml", "bun.lock", "bun.lockb"));
    return bare ? { why: "a bun project without a test script", rank: 2 } : undefined;
  },
  all: async () => ["bun", "test"],
  isTest: jsIsTest,
  testsOf: jsTestsOf,
  files: async (_, files) => ["bun", "test", ...files.map((file) => (file.startsWith("/") ? file : `./${file}`))],
  named: async (_, name, files) => [
    "bun",
    "test",
    `--test-name-pattern=${escapeRegex(flat(name))}`,
    ...files.map(pathWord),
  ],
};

const deno: Runner = {
  name: "deno",
  sources: JS_SOURCES,
  find: async (folder) =>
    (await folder.has("deno.json", "deno.jsonc")) ? { why: "deno.json is there", rank: 1 } : undefined,
  all: async (folder) =>
    /"test"\s*:/.test((await folder.read("deno.json")) ?? "")
      ? ["deno", "task", "test"]
      : ["deno", "test", "--allow-all"],
  isTest: jsIsTest,
  testsOf: (path) => [path.replace(/\.([jt]sx?)$/, "_test.$1"), ...jsTestsOf(path)],
  files: async (_, files) => ["deno", "test", "--allow-all", ...files.map(pathWord)],
  named: async (_, name, files) => ["deno", "test", "--allow-all", `--filter=${name}`, ...files.map(pathWord)],
};

export const JAVASCRIPT: readonly Runner[] = [
  ...[vitest, jest, mocha, nodeTest, ava, tap, playwright].map(jsRunner),
  bunTest,
  deno,
];
export const SCRIPT = script;
