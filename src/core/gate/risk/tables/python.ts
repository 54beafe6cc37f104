// Python: interpreters and package managers.
import { unknown } from "../risk.ts";
import { runsInput } from "../run-text.ts";
import { any, asks, code, each, needs, type Rule, risk, runs, safeWith, type Table, verbs } from "../spec.ts";
import { taskVerdict } from "../task-names.ts";

import { django, pythonTools, unittest } from "./python-tools.ts";

const install = risk("install", "installs or changes packages");
const publish = risk("deploy", "publishes");

const MODULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    "pytest ruff mypy black isort flake8 pylint coverage tox nox bandit pydocstyle pycodestyle pyflakes vulture codespell yamllint pyright alembic"
      .split(" ")
      .map((name) => [name, pythonTools[name] ?? asks("not known")]),
  ),
  unittest,
  ...each("compileall py_compile tabnanny", safeWith("-q -f -v")),
  "json.tool": safeWith("--sort-keys --indent: --compact --json-lines --no-ensure-ascii", { wordsMax: 1 }),
  ...each("platform site sysconfig this", safeWith("--user-site --user-base")),
  ...each("pip ensurepip", pipRule()),
  ...each("http.server smtpd SimpleHTTPServer", risk("network", "serves to the network")),
  ...each("venv virtualenv", install),
  ...each("twine", publish),
  build: asks("installs what it builds with"),
};

/** python -m module is judged by the module. We do not analyse scripts and code on the line. */
const interpreter: Rule = code((args, id, starts) => {
  const first = args.findIndex((arg) => !arg.literal || !/^-(?:[uBOsEIdqvb]|OO|X|W\w*)$/.test(arg.text));
  const [option, name, ...rest] = first < 0 ? [] : args.slice(first);
  if (!option || option.text === "-") {
    if (args.length > 0 && !option) return unknown(id, "interactive program: what matters is what gets typed into it");
    return starts.input === "terminal"
      ? unknown(id, "interactive program: what matters is what gets typed into it")
      : runsInput(id, starts);
  }
  if (option.process) return runsInput(id, { ...starts, input: "pipe" });
  if (args.length === 1 && /^(?:-V|--version|-VV)$/.test(option.text)) return starts.rule(any, [], id);
  if (option.literal && option.text === "-m" && name?.literal) {
    const rule = MODULES[name.text];
    return rule
      ? starts.rule(rule, rest, `${id}.${name.text}`)
      : unknown(`${id}.module`, `the module ${name.text} is not known to be safe`);
  }
  if (option.literal && /(?:^|\/)manage\.py$/.test(option.text) && name)
    return starts.rule(django(), args.slice(first + 1), "manage.py");
  if (option.literal && /^(?:\.\/)?setup\.py$/.test(option.text))
    return starts.rule(setupPy, args.slice(first + 1), "setup.py");
  return unknown(id, option.text === "-c" ? "runs code from the line" : "runs a script whose contents are not checked");
});

const setupPy = verbs({
  "test check build sdist bdist_wheel build_ext --version --name": safeWith("-s -r -q --inplace"),
  "install develop": install,
  "upload register": publish,
});

function pipRule(): Rule {
  return verbs(
    {
      "list freeze show check inspect help debug": safeWith(
        "-0 -o --outdated -u --uptodate -e --editable -l --local --user --format: --not-required --exclude-editable --include-editable --exclude: -f --files -v --verbose --path@ --all -q --disable-pip-version-check --pre",
        { words: "files" },
      ),
      "install uninstall download wheel lock sync": install,
      "cache config": verbs(
        { "list dir info get debug": safeWith("") },
        { other: risk("destructive", "changes settings or the cache") },
      ),
      "search index hash": asks("asks the registry"),
    },
    { options: "-q -v --quiet --verbose --disable-pip-version-check --no-color --isolated --version -V --no-input" },
  );
}

const uv = verbs(
  {
    run: code((args, id, starts) =>
      args.some((arg) => /^--(?:with|script|isolated|index|default-index|python|upgrade|reinstall)/.test(arg.prefix))
        ? starts.rule(install, args, id)
        : starts.rule(projectRun, args, id),
    ),
    pip: verbs(
      { "list freeze show check tree": safeWith("-0 -o --outdated --format: -q -v --strict --depth: --invert -e") },
      { other: install },
    ),
    tree: safeWith("-0 --depth: --no-dedupe --invert --package: --frozen --locked --no-dev --universal"),
    version: safeWith("--short --output-format:", { words: "none" }),
    python: verbs({ "list find dir": safeWith("--only-installed --all-versions --offline") }, { other: install }),
    lock: needs("--check --locked", safeWith("--check --locked -q --offline"), "changes what would be installed"),
    build: safeWith("--sdist --wheel --package: --all-packages -q -v --no-build-isolation"),
    "sync add remove venv tool self init cache": install,
    publish,
    "x tool-run": install,
    format: needs("--check --diff", safeWith("--check --diff"), "writes files"),
  },
  {
    options:
      "-q -v --quiet --verbose --offline --no-progress --directory@ --project@ --color: --frozen --no-config --no-cache --version -V",
  },
);

const projectRun: Rule = code((args, id, starts) => {
  if (args[0]?.literal && args[0].text === "-m") return starts.rule(interpreter, args, "python");
  const inner: Rule = runs(
    "python",
    "--no-sync --frozen --locked --offline -q --quiet -v --verbose --extra: --all-extras --group: --dev --no-dev --package: --directory@ --project@ --active --all-packages --exact --only-group:",
    pythonOr(interpreter),
    asks("runs what the project says"),
  );
  return starts.rule(inner, args, id);
});

/** `poetry run python -m pytest`, and unknown scripts. */
function pythonOr(python: Rule): Rule {
  return code((args, id, starts) => {
    const [name, ...rest] = args;
    if (/^(?:python[\d.]*|pypy3?)$/.test(name?.text ?? "")) return starts.rule(python, rest, "python");
    // A script of the project, known by its name only.
    if (name?.literal && rest.length === 0) return taskVerdict(name.text, id);
    return unknown(id, "runs a script whose contents are not checked");
  });
}

export const python: Table = {
  ...each(
    "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 py",
    interpreter,
  ),
  ...each("pip pip2 pip3 pip3.11 pip3.12 pip3.13", pipRule()),
  uv,
  uvx: install,
  pipx: verbs({ "list environment": safeWith("--json --short --include-injected") }, { other: install }),
  poetry: verbs(
    {
      run: projectRun,
      "show check version about": safeWith(
        "-0 -t --tree -o --outdated -l --latest -T --top-level --only: --with: --without: --lock --strict --all -a --short -s -i --why --no-dev",
        { words: /^(?!major$|minor$|patch$|premajor|preminor|prepatch|prerelease|\d)[\w.[\]-]+$/ },
      ),
      env: verbs({ "info list": safeWith("-p --path --full-path -e --executable") }, { other: install }),
      build: safeWith("-f: --format: -n --no-interaction"),
      "install add remove update lock sync self init new": install,
      publish,
      "config cache source": risk("destructive", "changes settings or the cache"),
      shell: asks("interactive program: what matters is what gets typed into it"),
    },
    {
      options:
        "-n --no-interaction -q --quiet -v -vv -vvv --no-ansi --ansi --no-plugins -C@ --directory@ -P@ --project@ --version -V",
    },
  ),
  pipenv: verbs(
    {
      run: projectRun,
      "graph check --venv --where": safeWith("--json --bare --reverse"),
      verify: any,
      "install uninstall update lock sync clean upgrade": install,
      shell: asks("interactive program: what matters is what gets typed into it"),
    },
    { options: "--bare --quiet --verbose --version" },
  ),
  pdm: verbs(
    {
      run: projectRun,
      "list info show": safeWith("--tree --json --graph --env --python --where --packages --fields: --freeze"),
      "install add remove update lock sync": install,
      publish,
      build: safeWith("--no-sdist --no-wheel"),
    },
    { options: "-q -v --version -V" },
  ),
  rye: verbs(
    {
      run: projectRun,
      "test lint show list version": safeWith("-v -q -a --all"),
      fmt: needs("--check", safeWith("--check"), "writes files"),
    },
    { other: install },
  ),
  ...each(
    "conda mamba micromamba",
    verbs(
      {
        "list info": safeWith("-n: --name: --json -e --envs -e --export --all -a"),
        env: verbs(
          { list: safeWith("--json"), export: safeWith("-n: --no-builds --from-history") },
          { other: install },
        ),
        run: asks("runs a program that is not known"),
        config: verbs({}, { options: "--show", other: risk("destructive", "changes settings") }),
      },
      { other: install, options: "--version -V" },
    ),
  ),
  ...each(
    "easy_install virtualenv pyenv",
    verbs({ "versions version which root commands": safeWith("--bare") }, { other: install }),
  ),
};
