// Test runners, linters, type checkers and other command line tools of Python projects.
import { unknown } from "../risk.ts";
import {
  any,
  asks,
  code,
  each,
  needs,
  options,
  type Rule,
  risk,
  safeWith,
  type Table,
  tasks,
  verbs,
  when,
} from "../spec.ts";
import { type Arg, literal } from "../words.ts";

const install = risk("install", "installs or changes packages");
const publish = risk("deploy", "publishes");
const migrate = risk("migrate", "changes a database");
const writes = asks("writes files");
const stays = asks("stays and serves");

const pytest = safeWith(
  "-0 -k: -m: --markers -x --exitfirst --maxfail: --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --stepwise-skip --cache-show -v -vv -vvv --verbose -q -qq --quiet -s --capture: --tb: -l --showlocals --no-header --no-summary -r: -ra -rA -rs -rf -rx -rP -rfE --disable-warnings --color: --full-trace --collect-only --co --durations: --durations-min: -n: --numprocesses: --dist: --maxprocesses: --cov --cov-report# --cov-branch --cov-fail-under: --cov-append --no-cov --cov-context: --timeout: --timeout-method: --reruns: --reruns-delay: --asyncio-mode: --doctest-modules --doctest-glob: --ignore: --ignore-glob: --deselect: --strict --strict-markers --strict-config --runxfail --import-mode: --benchmark-skip --benchmark-only --benchmark-disable --benchmark-autosave --randomly-seed: --randomly-dont-reorganize --fixtures --setup-show --setup-plan --junitxml> --junit-xml> --continue-on-collection-errors --forked --count: --create-db --reuse-db --no-migrations --nomigrations --show-capture: -W: --pythonwarnings: --log-level: --log-cli-level: -h --hypothesis-show-statistics --hypothesis-seed: --hypothesis-profile: --no-cov-on-fail --rootdir@ --pyargs --testmon --slow --runslow --run-slow --integration --mypy --ruff --flake8 --nbval --headed=false --browser: --tracing: --dead-fixtures --random-order --instafail --failed --sugar --no-sugar --tb --suppress-no-test-exit-code --picked --lfnf: --cache-clear --html> --self-contained-html --json-report --alluredir> --exitfirst --ff",
  { words: "files" },
);
export const unittest = safeWith(
  "-0 -v --verbose -q --quiet -f --failfast -c --catch -b --buffer -k: -s@ --start-directory@ -p: --pattern: -t@ --top-level-directory@ --locals --durations:",
);
const ruffCheck = safeWith(
  "-0 --select: --ignore: --extend-select: --extend-ignore: --exclude: --extend-exclude: --config@ --output-format: --target-version: --line-length: --no-cache --statistics --show-files --show-settings --preview --no-preview --respect-gitignore --force-exclude -q --quiet -v --verbose -s --silent --exit-zero --exit-non-zero-on-fix --no-fix --diff --check --per-file-ignores: --isolated --unfixable: --fixable: -n -e --format: --show-source --color:",
);
const ruff = verbs(
  {
    check: when("--fix --unsafe-fixes --add-noqa --fix-only --watch -w -o --output-file", writes, ruffCheck),
    format: when("--check --diff", ruffCheck, writes),
    "rule linter config version": safeWith("--all --output-format:"),
    clean: risk("destructive", "deletes the cache"),
    "server analyze": stays,
  },
  {
    options: "-q --quiet -v --verbose --isolated --config@ --version -V",
    bare: any,
    other: when("--fix", writes, ruffCheck),
  },
);
const mypy = when(
  "--install-types --python-executable --any-exprs-report --html-report --xml-report --junit-xml --custom-typeshed-dir --shadow-file",
  asks("installs types, or writes reports"),
  safeWith(
    "-0 -p: --package: -m: --module: --strict --config-file@ --ignore-missing-imports --follow-imports: --no-incremental --incremental --show-error-codes --hide-error-codes --show-error-context --show-column-numbers --show-error-end --pretty --no-pretty --no-error-summary --color-output --no-color-output --python-version: --platform: --exclude: --explicit-package-bases --namespace-packages --no-namespace-packages --check-untyped-defs --disallow-untyped-defs --disallow-any-generics --disallow-untyped-calls --disallow-incomplete-defs --no-implicit-optional --warn-unused-ignores --warn-return-any --warn-unreachable --warn-redundant-casts --warn-unused-configs --no-warn-no-return --disable-error-code: --enable-error-code: --no-strict-optional --strict-optional --strict-equality --sqlite-cache --skip-cache-mtime-checks --non-interactive -v --verbose --stats --soft-error-limit: --fast-module-lookup --enable-incomplete-feature: --local-partial-types --no-site-packages --allow-redefinition --implicit-reexport --no-implicit-reexport --follow-untyped-imports -V --version",
  ),
);
const black = needs(
  "--check --diff",
  safeWith(
    "-0 --check --diff --color --no-color -q --quiet -v --verbose -l: --line-length: -t: --target-version: --exclude: --extend-exclude: --force-exclude: --include: --config@ --fast --safe -S --skip-string-normalization -C --preview --pyi --ipynb --required-version: -W: --workers:",
  ),
  "writes files",
);

const pytestRule: Rule = when(
  "--snapshot-update --update-snapshots --inline-snapshot --force-regen --pdb --trace --cov-config",
  asks("rewrites snapshots, or stays"),
  pytest,
);

/** "-p no:cacheprovider" only switches a plugin off; any other -p loads one. */
function withoutOff(args: readonly Arg[]): readonly Arg[] {
  const off = (arg: Arg | undefined) => arg?.literal === true && /^no:[\w.-]+$/.test(arg.text);
  return args.filter((arg, i) => !(arg.text === "-p" && off(args[i + 1])) && !(args[i - 1]?.text === "-p" && off(arg)));
}

export const pythonTools: Table = {
  ...each(
    "pytest py.test",
    code((args, id, starts) => starts.rule(pytestRule, withoutOff(args), id)),
  ),
  ruff,
  mypy,
  ...each("dmypy", verbs({ "run check status": mypy }, { other: asks("stays") })),
  black,
  ...each(
    "isort",
    needs(
      "--check --check-only -c --diff",
      safeWith(
        "-0 --check --check-only -c --diff --profile: -q --quiet -v --settings-path@ --sp@ --skip: --skip-glob: -l: --line-length: --color --filter-files --gitignore --show-files",
      ),
      "writes files",
    ),
  ),
  ...each(
    "flake8 pflake8 pycodestyle pydocstyle pyflakes pylama",
    safeWith(
      "-0 --max-line-length: --max-complexity: --select: --ignore: --extend-ignore: --extend-select: --exclude: --extend-exclude: --filename: --per-file-ignores: --count --statistics --show-source --format: --config@ --isolated -q --quiet -v --verbose -j: --jobs: --exit-zero --benchmark --color: --convention: --add-ignore: --match: --first --repeat --diff",
    ),
  ),
  pylint: safeWith(
    "-0 -E --errors-only -j: --jobs: --disable: --enable: -d: -e: --rcfile@ --output-format# -f# -r: --reports: -s: --score: --fail-under: --fail-on: --ignore: --ignore-patterns: --ignore-paths: --recursive: --msg-template: --max-line-length: --persistent: --exit-zero --py-version: --list-msgs --list-enabled --good-names: --verbose -v",
  ),
  ...each(
    "pyright basedpyright ty pyre",
    verbs(
      {
        check: safeWith(
          "-0 --project@ -p@ --output-format: --error: --warn: --ignore: -v -q --quiet --python-version: --exit-zero --color:",
        ),
      },
      {
        other: safeWith(
          "-0 -p@ --project@ --outputjson --level: --warnings --stats --verbose --skipunannotated --pythonversion: --pythonplatform: --dependencies --threads",
        ),
        bare: any,
        options:
          "-0 -p@ --project@ --outputjson --level: --warnings --stats --verbose --skipunannotated --pythonversion: --pythonplatform: --dependencies --threads --noninteractive",
      },
    ),
  ),
  ...each(
    "bandit",
    safeWith(
      "-0 -r --recursive -a: -n: -c@ -p: -t: -s: -l -ll -lll --level -i -ii -iii -f# --format# -v --verbose -q --quiet --silent -x: --exclude: -b@ --baseline@ --ini@ --exit-zero --severity-level: --confidence-level:",
    ),
  ),
  ...each(
    "vulture radon xenon interrogate codespell pydoctest darglint doc8 pyroma deptry vermin refurb yamllint curlylint import-linter lint-imports",
    when(
      "-w --write-changes -i --in-place --fix --reformat",
      writes,
      safeWith(
        "-0 --min-confidence: --exclude: --ignore-names: --sort-by-size -a -s -nc --average -n: --max-absolute: --max-modules: --max-average: --fail-under: -f# --format# -v -vv -q --quiet -c@ --config@ -d: --config-data: -s --strict --no-warnings --list-files --skip: -S: --ignore-words-list: -L: --check-filenames --check-hidden --config-file@ --extend-exclude: --known-first-party: --max-line-length: --verbose --no-cache",
        { words: "files" },
      ),
    ),
  ),
  ...each(
    "tox nox",
    when(
      "--recreate -r --notest --installpkg --force-dep --devenv --discover",
      install,
      safeWith(
        "-0 -e: -s: -k: -t: -p: --parallel -q -v -vv -l --list -a --showconfig --skip-missing-interpreters: --session: --sessions: --keywords: --tags: -R --reuse-existing-virtualenvs --no-install --skip-pkg-install --result-json> --verbose --no-venv --colors: --color: -c@",
        { tail: "words" },
      ),
    ),
  ),
  ...each(
    "hatch",
    verbs(
      {
        test: safeWith("-0 -a --all -c --cover -p --parallel -r --randomize -v -q --python: -py: -i: --include:", {
          tail: "words",
        }),
        version: safeWith("", { words: "none" }),
        "env-show dep": verbs({ show: any }),
        fmt: needs("--check", safeWith("--check -l --linter -f --formatter --preview"), "writes files"),
        build: safeWith("-t: --target: -c"),
        publish: publish,
        run: hatchRun(),
      },
      { options: "-v -q -e: --env:" },
    ),
  ),
  coverage: verbs({
    run: coverageRun(),
    "report debug": safeWith(
      "-0 -m --show-missing --skip-covered --skip-empty --fail-under: --include: --omit: --precision: --sort: --format: -i --rcfile@",
    ),
    "html xml json lcov": safeWith(
      "-0 -d> -o> -i --include: --omit: --fail-under: --skip-covered --skip-empty --show-contexts --rcfile@ -q",
    ),
    combine: safeWith("--keep -a --append -q"),
    erase: risk("destructive", "deletes what was measured"),
  }),
  ...each("manage.py", django()),
  "django-admin": django(),
  ...each(
    "alembic",
    verbs(
      { "current history heads branches show check": safeWith("-v --verbose -i --indicate-current -r: --rev-range:") },
      { options: "-c@ --config@ -n:", other: migrate },
    ),
  ),
  ...each(
    "flask",
    verbs(
      {
        "routes --version": safeWith("--sort: -s: --all-methods"),
        db: verbs({ "current history heads show check": safeWith("-v --verbose") }, { other: migrate }),
        run: stays,
        shell: asks("interactive program: what matters is what gets typed into it"),
      },
      { options: "-A@ --app@ --debug" },
    ),
  ),
  ...each(
    "sphinx-build mkdocs pdoc jupyter-book",
    verbs(
      {
        build: safeWith("-s --strict -q --quiet -v -f@", { words: "none" }),
        serve: risk("network", "serves to the network"),
        "gh-deploy": publish,
      },
      { other: asks("writes where it is told") },
    ),
  ),
  "pip-audit": safeWith(
    "-r@ -l --local -f# --format# -s: --strict -S --desc --progress-spinner: -v --skip-editable --no-deps --disable-pip",
  ),
  ...each(
    "safety",
    verbs({ "check scan": safeWith("--full-report --json --short-report -r@ --file@ --output# --ignore: -i:") }),
  ),
  ...each(
    "pre-commit",
    verbs({
      run: asks("may rewrite files"),
      "install uninstall autoupdate install-hooks": risk("install", "changes hooks of the repository"),
      "validate-config validate-manifest": safeWith(""),
      "clean gc": risk("destructive", "deletes the cache"),
    }),
  ),
  ...each("twine", verbs({ check: safeWith("--strict") }, { other: publish })),
  ...each(
    "behave lettuce",
    safeWith(
      "-0 --tags: -t: --name: -n: --dry-run -d --format# -f# --no-capture --stop -k --no-skipped --summary --no-color -q -v",
      {},
    ),
  ),
  ...each("locust uvicorn gunicorn hypercorn daphne celery jupyter ipython bpython streamlit fastapi gradio", stays),
};

export function django(): Rule {
  return verbs(
    {
      test: safeWith(
        "-0 -v: --verbosity: --failfast --parallel --keepdb -k: --tag: --exclude-tag: --settings: --noinput --no-input -b --buffer --debug-sql --shuffle --timing --reverse -r -p: --pattern: --traceback",
      ),
      check: safeWith("--deploy --tag: -t: --fail-level: --settings: --database: --list-tags"),
      "showmigrations version help diffsettings": safeWith("-l --list -p --plan --settings: --database: -v: --all"),
      makemigrations: needs(
        "--check --dry-run",
        safeWith("--check --dry-run --settings: -v: --noinput"),
        "writes files",
      ),
      "migrate flush loaddata sqlflush dbshell squashmigrations reset_db sqlsequencereset createcachetable": migrate,
      "createsuperuser changepassword": risk("privilege", "changes who may sign in"),
      "runserver shell shell_plus": stays,
      collectstatic: writes,
    },
    { options: "" },
  );
}

function hatchRun(): Rule {
  return code((args, id, starts) => {
    const name = args[0]?.literal ? args[0].text : "";
    const task = name.includes(":") ? name.slice(name.indexOf(":") + 1) : name;
    const inner = starts.tool("python", task);
    if (inner) return starts.rule(inner, args.slice(1), task);
    return args.length === 1
      ? starts.rule(tasks({}), [literal(task)], id)
      : unknown(id, "runs a script whose contents are not checked");
  });
}

/** coverage run -m pytest */
function coverageRun(): Rule {
  return code((args, id, starts) => {
    const at = args.findIndex((arg) => arg.literal && arg.text === "-m");
    if (at < 0) return unknown(id, "runs a script whose contents are not checked");
    const before = starts.rule(
      safeWith(
        options(
          "-a --append --branch -p --parallel-mode --source: --omit: --include: --rcfile@ --concurrency: --timid --context:",
        ),
        { words: "none" },
      ),
      args.slice(0, at),
      id,
    );
    const name = args[at + 1]?.literal ? (args[at + 1]?.text ?? "") : "";
    const rule = name === "unittest" ? unittest : starts.tool("python", name);
    if (before.class !== "safe" || !rule) return unknown(id, "runs a module that is not known");
    return starts.rule(rule, args.slice(at + 2), id);
  });
}
