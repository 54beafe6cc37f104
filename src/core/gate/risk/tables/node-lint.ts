// Linters and type checkers of JavaScript projects. They only read; those that can write do so only by unlisted options.
import { any, asks, each, needs, type Rule, safeWith, type Table, verbs, when } from "../spec.ts";

const writes = asks("writes files");
const eslint = safeWith(
  "-0 --ext: -c@ --config@ --no-eslintrc --no-config-lookup --max-warnings: --quiet -f# --format# --color --no-color --cache --cache-strategy: --ignore-pattern: --ignore-path@ --no-ignore --no-inline-config --report-unused-disable-directives --report-unused-disable-directives-severity: --no-error-on-unmatched-pattern --exit-on-fatal-error --no-warn-ignored --debug --env: --rule: --global: --print-config --env-info --pass-on-no-patterns --stats --concurrency: --flag: --inspect-config=false",
);
const TSC =
  "-0 -p@ --project@ --noEmit --pretty --strict --skipLibCheck --listFiles --listFilesOnly --listEmittedFiles --showConfig --explainFiles --diagnostics --extendedDiagnostics --traceResolution --incremental --noErrorTruncation --noUnusedLocals --noUnusedParameters --target: -t: --module: -m: --moduleResolution: --jsx: --lib: --types: --allowJs --checkJs --esModuleInterop --resolveJsonModule --isolatedModules --noImplicitAny --strictNullChecks --exactOptionalPropertyTypes --noUncheckedIndexedAccess --allowImportingTsExtensions --verbatimModuleSyntax --emitDeclarationOnly --declaration -d --sourceMap --build -b --verbose -v --dry --force -f --version --all --stopBuildOnErrors --noCheck --assumeChangesOnlyAffectDirectDependencies --singleThreaded --checkers: --builders:";

export const nodeLint: Table = {
  eslint: when(
    "--fix --fix-dry-run --fix-type --init -o --output-file --resolve-plugins-relative-to --rulesdir --plugin --parser",
    writes,
    eslint,
  ),
  ...each("eslint_d", when("--fix --fix-to-stdout", writes, eslint)),
  tslint: when(
    "--fix",
    writes,
    safeWith("-p@ --project@ -c@ --config@ -t# --format# -e: --exclude: --force --quiet --type-check"),
  ),
  oxlint: when(
    "--fix --fix-suggestions --fix-dangerously",
    writes,
    safeWith(
      "-0 -D: -A: -W: --deny: --allow: --warn: --quiet --max-warnings: --deny-warnings --tsconfig@ -c@ --config@ -f# --format# --import-plugin --react-perf-plugin --jsx-a11y-plugin --nextjs-plugin --vitest-plugin --promise-plugin --node-plugin --jest-plugin --threads: --rules --ignore-pattern: --ignore-path@ --no-ignore --type-aware --silent",
    ),
  ),
  prettier: when(
    "-w --write",
    writes,
    needs(
      "--check -c -l --list-different",
      safeWith(
        "-0 --check -c -l --list-different --config@ --ignore-path@ --log-level: --loglevel: --no-config --no-editorconfig --ignore-unknown -u --cache --cache-strategy: --no-error-on-unmatched-pattern --color --no-color --parser# --single-quote --no-semi --tab-width: --print-width: --trailing-comma: --with-node-modules --config-precedence: --end-of-line:",
      ),
      "prints or writes what it formats",
    ),
  ),
  stylelint: when(
    "--fix --output-file -o --init",
    writes,
    safeWith(
      "-0 --config@ --ignore-path@ --ignore-pattern: --max-warnings: --mw: -f# --formatter# --quiet -q --color --no-color --cache --allow-empty-input --aei --report-needless-disables --rd --syntax# -s# --custom-syntax# --ip: --risd --report-invalid-scope-disables --print-config --report-descriptionless-disables",
    ),
  ),
  biome: verbs(
    {
      "check lint ci format": when(
        "--write --fix --apply --apply-unsafe --unsafe -w",
        writes,
        safeWith(
          "-0 --max-diagnostics: --diagnostic-level: --error-on-warnings --no-errors-on-unmatched --files-ignore-unknown --config-path@ --reporter# --colors: --verbose --changed --since: --staged --only: --skip: --vcs-enabled: --formatter-enabled: --linter-enabled: --organize-imports-enabled: --assist-enabled: --log-level: --use-server=false --formatter: --linter: --threads:",
        ),
      ),
      "version rage explain": safeWith(""),
      "init migrate start stop lsp-proxy upgrade": writes,
    },
    { options: "--version -V" },
  ),
  ...each(
    "xo standard ts-standard semistandard neostandard",
    when(
      "--fix --init",
      writes,
      safeWith(
        "-v --verbose --quiet --space --semicolon --prettier --global: --env: --ignore: --ext: --reporter# --stdin",
      ),
    ),
  ),
  ...each(
    "tsc vue-tsc tsgo svelte-check astro-check ttsc tspc glint",
    when(
      "-w --watch --init --outFile --outDir --outdir --declarationDir --generateTrace --generateCpuProfile --clean --plugins --tsBuildInfoFile --rootDir",
      writes,
      safeWith(
        `${TSC} --tsconfig@ --output# --threshold: --fail-on-warnings --fail-on-hints --ignore: --compiler-warnings: --workspace@ --no-tsconfig --strictTemplates`,
      ),
    ),
  ),
  ...each(
    "attw publint",
    safeWith("--pack=false --strict --level: --format: --ignore-rules: --profile: --quiet -q", { words: /^\.?$/ }),
  ),
  knip: when(
    "--fix --fix-type --allow-remove-files --format",
    writes,
    safeWith(
      "-0 --production -p --strict --include: --exclude: --dependencies --exports --files --reporter# -c@ --config@ -t@ --tsConfig@ -n --no-progress --no-exit-code --max-issues: --workspace: -W: --cache --debug --no-gitignore --no-config-hints --treat-config-hints-as-errors --isolate-workspaces",
    ),
  ),
  ...each(
    "depcheck madge dpdm dependency-cruiser depcruise ts-prune unimported ls-lint jscpd",
    safeWith(
      "--json --ignores: --ignore-patterns: --skip-missing --circular -c --extensions: --ts-config@ --warning --no-color --orphans --leaves --summary --validate --config@ -p@ --error -e --include-only: --exclude: -x: --output-type: -T: --threshold: --min-lines: --min-tokens: --silent --no-spinner --no-warning --no-tree",
    ),
  ),
  ...each(
    "markdownlint markdownlint-cli2",
    when(
      "-f --fix -o --output -r --rules",
      writes,
      safeWith(
        "-c@ --config@ -i: --ignore: -p@ --ignore-path@ -q --quiet -j --json -d --dot --enable: --disable: --no-globs",
        { words: "any" },
      ),
    ),
  ),
  ...each(
    "cspell",
    verbs(
      { lint: cspell(), check: cspell(), trace: safeWith("") },
      {
        other: cspell(),
        options:
          "--no-progress --quiet --no-summary -c@ --config@ --words-only -u --unique --gitignore --dot --no-must-find-files --show-suggestions --show-context --locale: --language-id: -e: --exclude: --file: --color --no-color --fail-fast --relative --cache",
        bare: cspell(),
      },
    ),
  ),
  ...each(
    "commitlint",
    safeWith(
      "-f: --from: -t: --to: -e --edit --last -l --verbose -V -x# --extends# -g@ --config@ -q --quiet -s --strict --print-config",
    ),
  ),
  htmlhint: safeWith("-c@ --config@ -f# --format# --nocolor --warn -i: --ignore: -r:"),
  ...each(
    "html-validate v8r jsonlint secretlint alex textlint",
    safeWith("-q --quiet -c@ --config@ -f# --formatter# --maskSecrets --ext: --max-warnings:"),
  ),
  "sort-package-json": needs("--check -c", safeWith("--check -c --quiet -q"), "writes files"),
  syncpack: verbs(
    {
      "list lint list-mismatches lint-semver-ranges": safeWith(
        "--types: --source: --filter: --config@ --specs: --dev --prod --peer --indent: -t: -s: -f:",
      ),
    },
    { other: writes },
  ),
  manypkg: verbs({ check: any }, { other: writes }),
};

function cspell(): Rule {
  return safeWith(
    "--no-progress --quiet --no-summary -c@ --config@ --words-only -u --unique --gitignore --dot --no-must-find-files --show-suggestions --show-context --locale: --language-id: -e: --exclude: --file: --color --no-color --fail-fast --relative --cache",
  );
}
