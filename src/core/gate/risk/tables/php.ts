// PHP: composer, artisan, test runners and static analysis.
import { unknown } from "../risk.ts";
import { runsInput } from "../run-text.ts";
import {
  any,
  asks,
  code,
  each,
  needs,
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
const migrate = risk("migrate", "changes a database");
const writes = asks("writes files");

const phpunit = when(
  "--coverage-html --coverage-xml --log-junit --generate-configuration --migrate-configuration --generate-baseline --bootstrap --prepend --include-path",
  asks("writes, or loads a file of the line"),
  safeWith(
    "-0 --filter: --group: --exclude-group: --testsuite: --exclude-testsuite: -c@ --configuration@ --stop-on-failure --stop-on-error --stop-on-defect --colors --no-coverage --coverage-text --testdox -v --verbose --debug --list-tests --list-suites --list-groups --order-by: --random-order --random-order-seed: --do-not-cache-result --no-configuration --no-progress --no-output --fail-on-warning --fail-on-risky --strict-coverage --display-deprecations --display-warnings --display-notices --teamcity --process-isolation --repeat: --parallel --processes: -p: --functional --runner# --min: --compact --bail --retry --todos --type-coverage --coverage --ci --profile --dirty --covers: --uses:",
  ),
);
const phpstan = verbs(
  {
    "analyse analyze": when(
      "--generate-baseline -b --fix --pro --autoload-file -a",
      writes,
      safeWith(
        "-0 -l: --level: -c@ --configuration@ --memory-limit: --no-progress --error-format# --debug -v -vvv --xdebug --no-interaction -n --no-ansi --ansi -q --quiet --no-result-cache",
      ),
    ),
    "clear-result-cache worker": asks("does more than read"),
    "diagnose list": any,
  },
  { bare: any, options: "-V --version" },
);
const artisan: Rule = verbs(
  {
    test: phpunit,
    "route:list about list env migrate:status event:list schedule:list model:show channel:list": safeWith(
      "--json --path: --except-vendor --method: --name: -v --compact --columns: --sort: --only: --env: --no-ansi",
    ),
    "migrate migrate:fresh migrate:refresh migrate:reset migrate:rollback migrate:install db:seed db:wipe schema:dump":
      migrate,
    "serve tinker queue:work queue:listen horizon schedule:work octane:start reverb:start": asks("stays, or runs code"),
    "down up": risk("deploy", "takes the application down or up"),
    "optimize optimize:clear cache:clear config:clear route:clear view:clear config:cache route:cache view:cache storage:link key:generate":
      asks("changes what is stored"),
  },
  { options: "-V --version -n --no-ansi -q --env" },
);

export const phpTools: Table = {
  phpunit,
  ...each("simple-phpunit paratest pest", phpunit),
  phpstan,
  ...each(
    "psalm psalm.phar",
    when(
      "--alter --set-baseline --update-baseline --init --plugin --generate-json-map --root --taint-graph --report --fix",
      writes,
      safeWith(
        "-0 -c@ --config@ --no-cache --no-progress --show-info --threads: --stats --output-format# --no-diff --memory-limit: --find-unused-code --taint-analysis --diff --no-suggestions --php-version: --error-level: --monochrome",
      ),
    ),
  ),
  ...each(
    "phpcs",
    safeWith(
      "-0 -n -s -p -v -q -i -e -w --standard=PSR12 --standard=PSR2 --standard=PSR1 --standard=Squiz --standard=PEAR --standard=phpcs.xml --extensions: --ignore: --report# --colors --no-colors --parallel: --severity: --error-severity: --warning-severity: --cache --no-cache --sniffs: --exclude: --encoding: --tab-width: -ps",
    ),
  ),
  phpcbf: writes,
  "php-cs-fixer": verbs({
    fix: needs(
      "--dry-run",
      safeWith(
        "--dry-run --diff -v -vv -vvv --config@ --rules: --allow-risky: --using-cache: --format# --show-progress: --stop-on-violation --path-mode: --no-ansi -n --no-interaction",
      ),
      "writes files",
    ),
    check: safeWith(
      "--diff -v -vv -vvv --config@ --rules: --allow-risky: --using-cache: --format# --show-progress: --stop-on-violation",
    ),
    "list-files describe list": safeWith("--config@"),
  }),
  ...each(
    "rector ecs pint",
    code((args, id, starts) => {
      const dry =
        args.some((arg) => /^(?:--dry-run|-n|--test)$/.test(arg.text)) ||
        (id === "ecs" && !args.some((arg) => arg.text === "--fix"));
      return dry
        ? starts.rule(
            safeWith(
              "--dry-run -n --test -v --config@ -c@ --no-progress-bar --output-format# --no-diffs --clear-cache=false --memory-limit: --preset: --dirty --diff: -q",
            ),
            args,
            id,
          )
        : unknown(id, "writes files");
    }),
  ),
  ...each(
    "phpmd phploc phpcpd deptrac infection phpmetrics composer-unused composer-require-checker parallel-lint phpinsights behat codecept phpspec",
    asks("not known well enough"),
  ),
  artisan,
  ...each(
    "console doctrine",
    verbs(
      {
        "debug:router debug:container debug:config lint:yaml lint:twig lint:container lint:xliff about list router:match doctrine:migrations:status doctrine:schema:validate orm:validate-schema":
          safeWith("--env: -v --format: --show-controllers --skip-sync", { words: "any" }),
        "cache:clear cache:warmup": asks("changes what is stored"),
      },
      { other: consoleOther(), options: "--env -n --no-debug -V --version" },
    ),
  ),
  ...each("phinx", verbs({ "status list test": safeWith("-e: -c@") }, { other: migrate })),
  ...each("sail valet homestead", asks("starts containers")),
  ...each("envoy deployer dep vapor", risk("deploy", "deploys")),
};

function consoleOther(): Rule {
  return code((args, id, starts) =>
    args.some((arg) => /doctrine|schema|migrat|orm:/.test(arg.text))
      ? starts.rule(migrate, args, id)
      : unknown(id, "not a subcommand known to be safe"),
  );
}

export const php: Table = {
  php: code((args, id, starts) => {
    const [first, ...rest] = args;
    if (!first)
      return starts.input === "terminal"
        ? unknown(id, "interactive program: what matters is what gets typed into it")
        : runsInput(id, starts);
    if (first.process) return runsInput(id, starts);
    if (args.length === 1 && /^(?:-v|--version|-m|-i|--ini)$/.test(first.text)) return starts.rule(any, [], id);
    if (first.literal && (first.text === "-l" || first.text === "--syntax-check"))
      return starts.rule(safeWith("", { words: "files" }), rest, `${id}.check`);
    if (first.literal && /^(?:\.\/)?artisan$/.test(first.text)) return starts.rule(artisan, rest, "artisan");
    if (first.literal && /^(?:\.\/)?bin\/console$/.test(first.text))
      return starts.rule(phpTools.console ?? asks("not known"), rest, "console");
    const tool = first.literal ? /^(?:\.\/)?vendor\/bin\/([\w.-]+)$/.exec(first.text)?.[1] : undefined;
    const rule = tool === undefined ? undefined : starts.tool("php", tool);
    return rule ? starts.rule(rule, rest, tool ?? id) : unknown(id, "runs a script or code of the line");
  }),
  composer: verbs(
    {
      "validate show info outdated licenses check-platform-reqs depends why why-not prohibits audit status diagnose suggests fund about list":
        safeWith(
          "-0 --strict --no-check-all --no-check-lock --no-check-publish --with-dependencies --tree -t --latest -l --direct -D --minor-only -m --installed -i --platform -p --format# -f# --no-dev --locked --all --recursive -r --name-only -N --path -P --self -s --outdated -o --abandoned: --no-ansi -n --no-interaction -q -v -vv -vvv",
          { words: "any" },
        ),
      "install update require remove global create-project reinstall bump self-update upgrade i u r": install,
      "run-script run": tasks({ options: "--timeout: --no-dev --dev -l --list", bare: any }),
      exec: runs("php", "-l", asks("runs a program that is not known")),
      "dump-autoload dumpautoload": asks("writes files"),
      "config init archive clear-cache": risk("destructive", "changes settings or the cache"),
      "test tests phpunit phpstan lint cs-check check analyse analyze stan psalm ci qa": safeWith(passed, {
        tail: passed,
      }),
    },
    {
      options:
        "-n --no-interaction -q --quiet -v -vv -vvv --no-ansi --ansi -d@ --working-dir@ --no-plugins --no-scripts -V --version --profile",
      other: tasks({}),
    },
  ),
  ...each(
    "symfony",
    verbs(
      { "check:requirements check:security version list": any, console: asks("see php") },
      { other: asks("starts servers, or deploys") },
    ),
  ),
  wp: asks("changes a site"),
  pecl: install,
  ...each("pear phive", install),
};
