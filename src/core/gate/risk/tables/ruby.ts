// Ruby: test runners, linters, bundler, rails.

import { unknown } from "../risk.ts";
import { runsInput } from "../run-text.ts";
import { any, asks, code, each, type Rule, risk, runs, safeWith, type Table, tasks, verbs, when } from "../spec.ts";

const install = risk("install", "installs or changes packages");
const writes = asks("writes files");

const rspec = safeWith(
  "-0 -f# --format# -e: --example: -t: --tag: -P: --pattern: --exclude-pattern: --fail-fast --no-fail-fast --next-failure --only-failures -n --order: --seed: -p --profile --no-profile --color --no-color --force-color --dry-run -b --backtrace -w --warnings --bisect=false -I@ --default-path@ --failure-exit-code: -fd -fp -fdoc",
);
const rubocop = when(
  "-a -A --auto-correct --autocorrect --autocorrect-all --auto-correct-all -x --fix-layout --safe-auto-correct --auto-gen-config --init --regenerate-todo -o --out --require -r --disable-uncorrectable --start-server",
  writes,
  safeWith(
    "-0 -L --list-target-files -f# --format# -c@ --config@ --only: --except: -D --display-cop-names --no-display-cop-names -E --extra-details -S --display-style-guide -F --fail-fast -l --lint --parallel -P --no-parallel --fail-level: --cache: --force-exclusion --force-default-config --show-cops --color --no-color --display-only-fail-level-offenses --only-recognized-file-types -d --debug --no-server",
  ),
);
const rake: Rule = tasks({
  options:
    "-T --tasks -P --prereqs -D -q --quiet -s --silent -t --trace -n --dry-run -m --multitask -v --verbose -A --all -W",
  extra: {
    "db:version db:migrate:status": any,
    "spec test default routes stats notes about middleware": any,
    "spec:models spec:controllers spec:system spec:requests": any,
  },
  bare: code((args, id, starts) =>
    args.some((arg) => /^(?:-T|--tasks|-P|-D|-AT|-W)$/.test(arg.text))
      ? starts.rule(any, [], id)
      : unknown(id, "runs a task that is not named"),
  ),
});
const rails: Rule = verbs(
  {
    "test test:system test:all test:models test:controllers test:integration t spec": safeWith(
      "-0 -v --verbose -n: --name: -f --fail-fast -b --backtrace -s: --seed: -d --defer-output -c --color -w --warnings -p --profile -e:",
    ),
    "routes stats notes about version middleware initializers": safeWith(
      "-c: --controller: -g: --grep: -E --expanded --unused --tag -t -a --annotations:",
    ),
    "db:version db:migrate:status zeitwerk:check": any,
    "console c server s runner r dbconsole db": asks("stays, or runs code"),
    "generate g destroy d new app:update": writes,
    "assets:precompile": asks("writes files"),
    "credentials:edit credentials:show secrets:edit secrets:show encrypted:edit": risk(
      "privilege",
      "shows or changes secrets",
    ),
  },
  { other: rake, options: "-v --version", bare: safeWith("-v") },
);

export const rubyTools: Table = {
  rspec,
  ...each("rubocop", rubocop),
  ...each(
    "standardrb",
    when("--fix --fix-unsafely --generate-todo", writes, safeWith("-f# --format# --no-fix --parallel")),
  ),
  rake,
  rails,
  ...each("minitest m", safeWith("-0 -n: -v -s:")),
  ...each(
    "brakeman",
    safeWith(
      "-0 -q --quiet -z --no-exit-on-warn --exit-on-warn --no-pager -f# --format# -w: --confidence-level: -A --run-all-checks --no-progress --color --no-color -p@ --path@ --except: --only-files: --skip-files: --summary --no-summary",
    ),
  ),
  ...each(
    "reek flay flog fasterer erb_lint erblint slim-lint haml-lint sorbet steep bundle-audit bundler-audit cucumber mdl i18n-tasks",
    when(
      "-a --autocorrect --fix --autogen",
      writes,
      verbs(
        {
          "check tc stats health missing unused": safeWith(
            "-0 --ignore: -v -q --update=false --jobs: -j: --lint-all --format# --config@ -c@ --tags: -t: --dry-run",
          ),
        },
        {
          other: safeWith("-0 --lint-all --format# -f# --config@ -c@ --tags: -t: --dry-run -q"),
          bare: any,
          options: "-0 --lint-all --format# -f# --config@ -c@ --tags: -t: -q",
        },
      ),
    ),
  ),
  srb: verbs({ tc: safeWith("--ignore: -q"), "init rbi": writes }),
  ...each("parallel_rspec parallel_test", safeWith("-n: --type: -o: --verbose")),
  ...each("cap capistrano mina kamal", risk("deploy", "deploys")),
  ...each(
    "annotate guard puma unicorn sidekiq foreman overmind irb pry jekyll middleman bridgetown",
    asks("writes, or stays"),
  ),
};

export const ruby: Table = {
  bundle: verbs(
    {
      exec: runs("ruby", "--keep-file-descriptors", asks("runs a program that is not known")),
      "list show info check outdated platform licenses version": safeWith(
        "-0 --paths --name-only --only-group: --without-group: --group: --parseable --porcelain --strict --only-explicit --filter-major --filter-minor --filter-patch --dry-run --path --ruby --local",
        { words: "any" },
      ),
      "install update add remove lock package cache pristine plugin inject init binstubs": install,
      clean: risk("destructive", "deletes packages"),
      config: verbs({ "list get": safeWith("") }, { bare: any, other: risk("destructive", "changes settings") }),
      audit: safeWith("-v -q --ignore:", { words: /^check$/ }),
      "open console gem doctor": asks("writes, or opens an editor"),
    },
    { options: "--no-color --verbose -V --version", bare: install },
  ),
  gem: verbs(
    {
      "list environment env which contents dependency specification info": safeWith(
        "-l --local -d --details -a --all -i -q --versions --no-versions",
        { words: "any" },
      ),
      outdated: safeWith(""),
      "push yank owner signin signout": risk("deploy", "publishes"),
      build: asks("writes packages"),
    },
    { other: install, options: "-v --version" },
  ),
  ruby: code((args, id, starts) => {
    const texts = args.map((arg) => arg.text);
    if (texts.length === 1 && /^(?:-v|--version)$/.test(texts[0] ?? "")) return starts.rule(any, [], id);
    if (texts[0] === "-c" && args.length > 1) return starts.rule(safeWith(""), args.slice(1), `${id}.check`);
    if (texts.length === 0 || texts[0] === "-")
      return starts.input === "terminal"
        ? unknown(id, "interactive program: what matters is what gets typed into it")
        : runsInput(id, starts);
    const tests = args.filter((arg) => !arg.prefix.startsWith("-"));
    const suite =
      tests.length > 0 &&
      tests.every(
        (arg) =>
          arg.literal && /^(?:test|spec)\/[\w./-]+_(?:test|spec)\.rb$/.test(arg.text) && !arg.text.includes(".."),
      );
    const plain = args.every(
      (arg) => !arg.prefix.startsWith("-") || /^-(?:Itest|Ilib|Ilib:test|Ispec|w|W\d?)$/.test(arg.text),
    );
    return suite && plain
      ? starts.rule(any, [], `${id}.test`)
      : unknown(id, "runs a script whose contents are not checked");
  }),
  ...each("rbenv rvm chruby", verbs({ "versions version list which root": safeWith("--bare") }, { other: install })),
  ...each("pod", verbs({ "env list": safeWith(""), outdated: any, "lib-lint": any }, { other: install })),
  ...each("fastlane", asks("deploys or tests, by what the project says")),
};
