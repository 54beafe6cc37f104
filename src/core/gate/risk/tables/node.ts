// Package managers and runtimes of JavaScript. A script of the project is known by its name only (task-names.ts).
import { unknown } from "../risk.ts";
import { runsInput } from "../run-text.ts";
import {
  any,
  asks,
  code,
  each,
  options,
  type Rule,
  risk,
  runs,
  safeWith,
  type Table,
  tasks,
  verbs,
  when,
} from "../spec.ts";
import { passed } from "./pass-through.ts";

const install = risk("install", "installs or changes packages");
const publish = risk("deploy", "publishes or changes what is published");
const account = risk("network", "signs in to a registry or changes its settings");
const fetched = risk("install", "fetches and runs a package that is not known");

// One list for each manager: an option that takes a value in one is a switch in another, and would hide the verb after it.
const COMMON = "--silent -s --quiet -q --color --no-color --verbose --offline --prefer-offline --if-present";
const NPM = `${COMMON} --prefix@ -C@ -w: --workspace: -ws --workspaces --include-workspace-root -iwr --loglevel: --no-progress --no-audit --no-fund --ignore-scripts --no-update-notifier -v`;
const PNPM = `${COMMON} -C@ --dir@ -r --recursive --filter: -F: --parallel --stream --aggregate-output --reporter# --loglevel: -w --workspace-root --bail --no-bail --sequential --resume-from: --fail-if-no-match --workspace-concurrency: --sort --no-sort --ignore-scripts`;
const YARN = `${COMMON} --cwd@ --no-progress --non-interactive --json -T --top-level -B --binaries-only`;
const BUN = `${COMMON} --cwd@ --bun --filter:`;
/** For places where no verb can hide. */
const GLOBALS = `${NPM} ${PNPM}`;

/** A script by its name. Its own options come only after "--". */
const script = tasks({ options: GLOBALS, bare: any, tail: passed });
const npmScript = tasks({ options: NPM, bare: any, tail: passed });
/** yarn, pnpm and bun pass options on without "--". */
const direct = code((args, id, starts) => {
  const at = args.findIndex((arg) => !arg.prefix.startsWith("-"));
  const [name, ...rest] = args.slice(Math.max(at, 0));
  if (at < 0 || !name?.literal) return unknown(id, "which script it is shows only when it runs");
  const before = starts.rule(safeWith(options(GLOBALS)), args.slice(0, at), id);
  const named = starts.rule(script, [name], id);
  const after = starts.rule(safeWith(new Map([...options(GLOBALS), ...passed]), { tail: passed }), rest, id);
  if (before.class !== "safe") return named.class === "risky" ? named : before;
  return named.class === "safe" ? after : named;
});
const test = safeWith(new Map([...options(GLOBALS), ...passed]), { tail: passed });
const scriptTest = safeWith(NPM, { tail: passed });

const readOnly: Readonly<Record<string, Rule>> = {
  "ls list la ll why explain": safeWith(
    `-0 -a --all -g --global --depth: --json --long -l --parseable -p --prod --production --dev -D -P --omit: --include: --only: --pattern: --only-projects ${GLOBALS}`,
    { words: "any" },
  ),
  outdated: safeWith(
    `-a --all --json --long -l --parseable -p -g --global --depth: --compatible --format# --no-table ${GLOBALS}`,
    { words: "any" },
  ),
  "root prefix bin licenses": safeWith("-g --global --json --prod --long"),
  help: safeWith("", { words: /^[a-z-]+$/ }),
};

/** npm audit --fix and yarn audit --groups. */
const audit = when(
  "--fix -f --force",
  install,
  verbs(
    { fix: install, signatures: safeWith("--json") },
    {
      options:
        "--json --audit-level: --production --prod --dev -D -P --omit: --include: --level: --groups: --ignore-registry-errors --summary --long -R --all --recursive --severity: --environment:",
      bare: any,
    },
  ),
);

const common: Readonly<Record<string, Rule>> = {
  ...readOnly,
  audit,
  "install i add ci clean-install install-test it remove rm uninstall un r update up upgrade dedupe prune link ln unlink rebuild import install-clean import-pnp upgrade-interactive patch patch-commit patch-remove self-update env setup fetch":
    install,
  "publish unpublish deprecate dist-tag owner access version release stage": publish,
  "login logout adduser token profile team org hook whoami star unstar trust": account,
  "config set get cache store plugin policies constraints pkg npm": asks("changes settings or what is stored"),
  "init create dlx": fetched,
  "view info show search v pack docs repo bugs home ping doctor diff fund edit explore":
    asks("asks the registry, or writes"),
};

/** What is not installed npx fetches by its name. These packages are the programs that they are called after. */
const NPX =
  "vitest jest mocha ava eslint prettier stylelint oxlint @biomejs/biome biome tsc vue-tsc svelte-check playwright cypress turbo nx lerna webpack vite rollup esbuild tsup next nuxt astro prisma knip cspell depcheck madge markdownlint markdownlint-cli2 commitlint publint size-limit karma react-scripts xo standard tsd ts-prune textlint secretlint html-validate parcel license-checker tap dependency-cruiser nuxi".split(
    " ",
  );
const npxTools = runs(
  "node",
  "--no-install --no --offline --quiet -q --prefer-offline",
  fetched,
  asks("starts a shell"),
);
const npx: Rule = code((args, id, starts) => {
  const verdict = starts.rule(npxTools, args, id);
  const tool = args.find((arg) => !arg.prefix.startsWith("-"));
  const stays = args.some((arg) => arg.literal && /^--(?:no-install|no|offline)$/.test(arg.text));
  if (verdict.class !== "safe" || stays || NPX.includes(tool?.text ?? "")) return verdict;
  return unknown(id, "fetches and runs the package when it is not installed");
});

const inWorkspace = (rule: () => Rule): Rule =>
  code((args, id, starts) =>
    args[0]?.literal
      ? starts.rule(rule(), args.slice(1), id)
      : unknown(id, "which workspace it is shows only when it runs"),
  );

function yarnRule(): Rule {
  return verbs(
    {
      ...common,
      run: runs("node", YARN, direct),
      exec: runs("node", YARN, asks("runs a program that is not known")),
      "test t": test,
      workspace: inWorkspace(() => yarn),
      workspaces: verbs({
        run: direct,
        list: any,
        info: any,
        foreach: verbs(
          { run: direct },
          {
            options:
              "-A --all -p --parallel -v --verbose -t --topological -R --recursive -W --worktree --include: --exclude:",
          },
        ),
      }),
      node: asks("runs a script whose contents are not checked"),
    },
    { options: YARN, bare: install, other: runs("node", "", direct) },
  );
}
const yarn: Rule = yarnRule();

const pnpm: Rule = verbs(
  {
    ...common,
    "run run-script": direct,
    "test t tst": test,
    exec: runs("node", PNPM, asks("runs a program that is not known")),
    "start restart stop dev": asks("stays"),
  },
  { options: PNPM, other: runs("node", "", direct), bare: safeWith("-v --version") },
);

/** `node --test` runs tests; `node file` runs anything. */
const nodeRule: Rule = code((args, id, starts) => {
  if (args.length === 1 && /^(?:-v|--version|-h|--help)$/.test(args[0]?.text ?? "")) return starts.rule(any, [], id);
  if (args.some((arg) => /^(?:-e|-p|-pe|--eval|--print)$/.test(arg.prefix)))
    return unknown(id, "runs code from the line");
  // After a script, --test would be an argument of that script.
  const word = args.findIndex((arg) => !arg.prefix.startsWith("-"));
  const own = word < 0 ? args : args.slice(0, word);
  const tests = own.some((arg) => arg.literal && /^(?:--test|--check|-c)$/.test(arg.text));
  if (args.length === 0 || args[0]?.text === "-")
    return starts.input === "terminal"
      ? unknown(id, "interactive program: what matters is what gets typed into it")
      : runsInput(id, starts);
  if (!tests) return unknown(id, "runs a script whose contents are not checked");
  return starts.rule(
    safeWith(
      "-0 --test --check -c --test-only --test-name-pattern: --test-skip-pattern: --test-reporter# --test-concurrency: --test-timeout: --test-isolation: --test-force-exit --test-shard: --experimental-test-coverage --experimental-strip-types --experimental-transform-types --experimental-test-module-mocks --experimental-test-snapshots --experimental-vm-modules --enable-source-maps --no-warnings --trace-warnings --test-coverage-include: --test-coverage-exclude: --expose-gc --disable-warning:",
    ),
    args,
    id,
  );
});

export const node: Table = {
  npm: verbs(
    {
      ...common,
      "test t tst": scriptTest,
      "run run-script rum urn": npmScript,
      exec: npx,
      "x init create innit": fetched,
      "start restart stop": asks("stays"),
    },
    { options: NPM, bare: safeWith("-v --version") },
  ),
  npx,
  pnpm,
  pnpx: fetched,
  yarn,
  yarnpkg: yarn,
  bunx: npx,
  bun: verbs(
    {
      ...common,
      test,
      build: safeWith("--target: --format: --minify --sourcemap --splitting --outdir> --production", {}),
      run: runs("node", BUN, direct),
      x: npx,
      pm: verbs({ ls: safeWith("--all -a"), bin: any, hash: any }),
      "create init c upgrade": fetched,
    },
    { options: `${BUN} -v --version --revision`, bare: safeWith("-v --version --revision") },
  ),
  node: nodeRule,
  nodejs: nodeRule,
  deno: verbs(
    {
      "test bench": safeWith(
        "-0 -A --allow-read --allow-env --allow-net --allow-all -q --quiet --filter: --fail-fast --parallel --coverage --doc --no-check --check --ignore: --shuffle --reporter# --trace-leaks --no-run --permit-no-files -R -E --config@ -c@",
      ),
      lint: safeWith(
        "-q --quiet --rules --json --compact --ignore: --rules-tags: --rules-exclude: --rules-include: --config@ -c@",
      ),
      check: safeWith("-q --quiet --all --doc --doc-only --config@ -c@"),
      fmt: when("--check", safeWith("--check -q --ignore: --ext: --config@ -c@"), asks("writes files")),
      "info types doc": safeWith("--json -q", { words: /^(?!https?:)/ }),
      task: direct,
      "install add remove uninstall upgrade cache publish deploy jupyter compile outdated": install,
    },
    { bare: asks("interactive program: what matters is what gets typed into it"), options: "-q --quiet -V --version" },
  ),
  corepack: install,
  ...each(
    "nvm fnm volta n nodenv",
    verbs({ "ls list current which": safeWith("") }, { other: install, options: "-v --version" }),
  ),
  ...each("create-react-app create-next-app create-vite degit npm-check-updates ncu", fetched),
};

/** They run TypeScript as node runs JavaScript. */
export const nodeRunners: Table = {
  ...each(
    "tsx ts-node ts-node-esm babel-node esr vite-node jiti swc-node zx",
    code((args, id, starts) =>
      args.length === 0 && starts.input !== "terminal"
        ? runsInput(id, starts)
        : unknown(id, "runs a script whose contents are not checked"),
    ),
  ),
};
