// Linters of scripts, configuration, containers and infrastructure that belong to no single language. Only common ones that
// read files of the workspace and nothing else; the others are asked, because nobody has looked at all their options.
import { asks, each, needs, reads, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const writes = asks("writes files");
const checks = (allowed: string) => needs(allowed, safeWith(`${allowed} --config@ -q`), "writes files");

export const linters: Table = {
  shellcheck: reads,
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
    "-0 -r --recursive -t --tap -p --pretty -f: --filter: -j: --jobs: --print-output-on-failure -T --timing -c --count --filter-tags: --verbose-run -x --trace",
  ),
  hadolint: safeWith("-f# --format# --ignore: -t: --failure-threshold: -c@ --config@ --no-color --no-fail -V"),
  actionlint: when(
    "-shellcheck -pyflakes -init-config",
    asks("starts a program"),
    safeWith("-color -no-color -oneline -verbose -ignore: -format: -config-file@ -debug"),
  ),
  "ansible-lint": when(
    "--fix --write",
    writes,
    safeWith("-0 -q -v -p --parseable --strict --offline --profile: -x: --skip-list: -t: --tags: --exclude: --nocolor"),
  ),
  "ansible-playbook": when("--syntax-check", safeWith("--syntax-check -i@"), risk("deploy", "changes machines")),
  ...each("ansible ansible-pull ansible-galaxy ansible-console ansible-inventory", risk("deploy", "changes machines")),
  "ansible-vault": risk("privilege", "shows or changes secrets"),
  buf: verbs({
    lint: safeWith("--error-format# --path@ --config@ --exclude-path@"),
    "push registry mod dep": risk("deploy", "publishes"),
  }),
  sqlfluff: verbs({
    "lint parse": safeWith("-0 --dialect: -d: --rules: -r: --exclude-rules: -e: --format# -f# --nofail -v -n"),
    "fix format": writes,
  }),
  tflint: when(
    "--init --fix",
    asks("installs plugins, or writes"),
    safeWith("--recursive --format# -f# --config@ --no-color --minimum-failure-severity: --filter:"),
  ),
  ...each(
    "tfsec checkov gitleaks kubeconform kubeval kube-linter trivy",
    verbs(
      { "image repo k8s": risk("network", "fetches images") },
      { other: asks("not known well enough"), bare: asks("not known well enough") },
    ),
  ),
  ...each("typos editorconfig-checker", when("-w --write-changes --fix", writes, safeWith("-q --format# --hidden"))),
  taplo: verbs({ "lint check": safeWith("--config@"), "fmt format": checks("--check --diff") }),
  dprint: verbs({ check: safeWith("--config@ -c@ --list-different --allow-no-files"), fmt: writes }),
  ...each("mdformat", checks("--check")),
  lychee: risk("network", "asks other machines"),
  ...each("semgrep codecov codeclimate sonar-scanner snyk fossa coveralls", asks("sends to a host")),
};
