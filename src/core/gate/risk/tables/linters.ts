// Linters of scripts, configuration, containers, infrastructure, schemas and prose that belong to no single language.
import { any, asks, each, needs, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const writes = asks("writes into the workspace");

export const linters: Table = {
  // No argument makes it write or start anything.
  shellcheck: any,
  shfmt: when(
    "-w --write",
    writes,
    needs(
      "-d --diff -l --list",
      safeWith("-0 -d --diff -l --list -s --simplify -i: --indent: -ln: -bn -ci -sr -kp -fn -p"),
      "prints or writes what it formats",
    ),
  ),
  bats: safeWith(
    "-0 -r --recursive -t --tap -p --pretty -f: --filter: -j: --jobs: --print-output-on-failure -T --timing -c --count --filter-tags: --filter-status: -F# --formatter# --verbose-run -x --trace --abort --no-tempdir-cleanup",
  ),
  hadolint: safeWith(
    "-f# --format# --ignore: -t: --failure-threshold: -c@ --config@ --no-color --no-fail --strict-labels --trusted-registry: -V",
  ),
  ...each("dockerfilelint dockle", safeWith("--json -o#")),
  actionlint: when(
    "-shellcheck -pyflakes -init-config",
    asks("starts a program"),
    safeWith("-color -no-color -oneline -verbose -ignore: -format: -config-file@ -debug"),
  ),
  zizmor: safeWith("--offline --format# --min-severity: --persona: -q --no-progress"),
  "ansible-lint": when(
    "--fix --write",
    writes,
    safeWith(
      "-0 -q -v -p --parseable --strict --offline --profile: -x: --skip-list: -t: --tags: -w: --warn-list: --exclude: -f# --format# -c@ --nocolor --force-color -L -T",
    ),
  ),
  "ansible-playbook": when(
    "--syntax-check --list-tasks --list-hosts",
    safeWith("--syntax-check --list-tasks --list-hosts -i@"),
    risk("deploy", "changes machines"),
  ),
  "ansible-inventory": safeWith("--list --graph --host: -i@ -y"),
  ...each("ansible ansible-pull ansible-galaxy ansible-console", risk("deploy", "changes machines")),
  "ansible-vault": risk("privilege", "shows or changes secrets"),
  ...each(
    "buf",
    verbs(
      {
        lint: safeWith("--error-format: --path: --config@ --exclude-path:"),
        breaking: safeWith("--against: --error-format: --path: --config@ --exclude-path:", { words: "any" }),
        build: safeWith("--path: --error-format: --exclude-path:"),
        format: when(
          "-w --write",
          writes,
          needs("-d --diff --exit-code", safeWith("-d --diff --exit-code"), "prints what it formats"),
        ),
        "ls-files": safeWith(""),
        generate: writes,
        "push registry mod dep": risk("deploy", "publishes"),
      },
      { options: "--version --debug" },
    ),
  ),
  protolint: safeWith("-fix=false -reporter# -config_path@", { words: /^(?:lint|list|version|[\w./-]+)$/ }),
  sqlfluff: verbs({
    "lint parse": safeWith(
      "-0 --dialect: -d: --templater: -t: --rules: -r: --exclude-rules: -e: --format# -f# --nofail -v -n --config@ --ignore: --processes: -p: --disable-progress-bar --disregard-sqlfluffignores",
    ),
    "fix format": writes,
    "version rules dialects": any,
  }),
  ...each("squawk sqlcheck pgsanity", safeWith("--exclude: --reporter#")),
  ...each(
    "tflint",
    when(
      "--init --fix",
      asks("installs plugins, or writes"),
      safeWith(
        "--recursive --format# -f# --config@ --chdir@ --no-color --minimum-failure-severity: --filter: --enable-rule: --disable-rule: --only: --force",
      ),
    ),
  ),
  ...each(
    "tfsec checkov terrascan kics",
    when(
      "--download-external-modules --soft-update --external-checks-git --external-modules-download-path --output-file-path --out",
      asks("fetches modules, or writes"),
      safeWith(
        "-0 -d@ --directory@ -f@ --framework: --quiet --compact --check: -c: --skip-check: --soft-fail --no-color --minimum-severity: -m: --exclude: --tfvars-file@ -o# --output# --format# --config-file@ -s",
        { words: "files" },
      ),
    ),
  ),
  trivy: verbs(
    {
      "fs config filesystem": safeWith(
        "-0 --severity: --exit-code: --scanners: --ignore-unfixed --format# -f# --quiet -q --skip-dirs: --skip-files: --offline-scan --no-progress --skip-db-update",
      ),
      "image repo k8s": risk("network", "fetches images"),
    },
    { options: "-q --version" },
  ),
  ...each(
    "kubeval kubeconform kube-linter kube-score datree conftest pluto polaris",
    verbs(
      {
        "lint score test verify detect-files": safeWith(
          "--config@ --format# -o# --exit-code --ignore-test: -p@ --policy@ -d@ --fail-on-warn",
          { words: "files" },
        ),
      },
      {
        other: safeWith(
          "-strict -summary -ignore-missing-schemas -output# -kubernetes-version: -verbose -skip: --strict --ignore-missing-schemas",
        ),
        options:
          "-strict -summary -ignore-missing-schemas -output# -kubernetes-version: -verbose -skip: --strict --ignore-missing-schemas",
      },
    ),
  ),
  ...each(
    "gitleaks trufflehog detect-secrets",
    verbs(
      {
        "detect protect git dir scan filesystem": safeWith(
          "-0 --source@ -s@ -v --verbose --no-git --redact --no-banner --staged --log-level: --config@ -c@ --exit-code: --no-verification --all-files --baseline@ --only-verified --no-update",
          { words: "files" },
        ),
        version: any,
      },
      { options: "-v --verbose --no-banner --redact --version" },
    ),
  ),
  semgrep: when(
    "--autofix -a -o --output --publish --dangerously-allow-arbitrary-code-execution-from-rules",
    writes,
    asks("fetches rules"),
  ),
  ...each(
    "vint taplo dotenv-linter editorconfig-checker ec eclint xmlstarlet proselint write-good pa11y-ci typos",
    verbs(
      {
        "lint check val": safeWith("--config@ -q --quiet --verbose", { words: "files" }),
        "fmt format": needs("--check --diff", safeWith("--check --diff --config@"), "writes into the workspace"),
        fix: writes,
      },
      {
        other: when(
          "-w --write-changes --fix",
          writes,
          safeWith(
            "-0 --config@ -q --quiet -v --verbose --format# --hidden --exclude: --diff --color: --no-color -exclude: -disable-indentation",
          ),
        ),
        bare: any,
        options:
          "-0 --config@ -q --quiet -v --verbose --format# --hidden --exclude: --color: --no-color -exclude: -disable-indentation --diff",
      },
    ),
  ),
  dprint: verbs({
    check: safeWith("--config@ -c@ --incremental --list-different --allow-no-files"),
    fmt: writes,
    "license output-file-paths output-resolved-config": any,
  }),
  treefmt: needs("--fail-on-change --ci", writes, "writes into the workspace"),
  lychee: risk("network", "asks other machines"),
  ...each("codecov codeclimate sonar-scanner snyk fossa coveralls", asks("sends to a host")),
  ...each("goss inspec testinfra container-structure-test molecule terratest", asks("runs against machines")),

  ...each("mdformat", needs("--check", safeWith("--check --wrap: --number"), "writes into the workspace")),
  reuse: verbs({ lint: safeWith("-q -j -p -l --lines --json"), spdx: any }, { other: writes }),
  addlicense: needs("-check", safeWith("-check -c: -l: -f@ -ignore: -v -y:"), "writes into the workspace"),
};
