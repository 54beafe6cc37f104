// Go and its linters.
import { asks, each, options, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const BUILD =
  "-0 -v -x=false -race -msan -asan -cover -covermode: -coverpkg: -tags: -p: -a -n -trimpath -mod: -buildvcs: -buildmode: -work";
const TEST = `${BUILD} -run: -skip: -bench: -benchmem -benchtime: -count: -cpu: -failfast -short -timeout: -parallel: -shuffle: -list: -json -vet: -fullpath -coverprofile> -fuzz: -fuzztime: -test.v`;
const install = risk("install", "installs or changes packages");
const writes = asks("writes files");

export const go: Table = {
  go: verbs({
    build: when(
      "-o -toolexec -exec -overlay -modfile -C",
      asks("writes elsewhere, or starts a program"),
      safeWith(BUILD),
    ),
    test: when(
      "-exec -toolexec -o -overlay -modfile -c -C -cpuprofile -memprofile -args",
      asks("writes elsewhere, or starts a program"),
      safeWith(TEST),
    ),
    vet: when(
      "-vettool -toolexec",
      asks("starts a program"),
      safeWith(`${BUILD} -json -c: -all -printf -shadow -composites -copylocks -unusedresult`),
    ),
    list: when(
      "-toolexec -exec",
      asks("starts a program"),
      safeWith(`${BUILD} -m -u -f: -json -deps -test -e -find -versions -compiled -export=false -retracted`, {
        words: "any",
      }),
    ),
    "version help doc": safeWith("-m -v -all -short -src -u -c -cmd", { words: "any" }),
    env: when("-w -u", risk("destructive", "changes settings"), safeWith("-json -changed", { words: /^[A-Z_]+$/ })),
    mod: verbs({
      "graph verify why": safeWith("-m -v -vendor", { words: "any" }),
      "tidy download vendor edit init": install,
    }),
    work: verbs({ "sync use init edit vendor": writes }),
    "get install": install,
    clean: risk("destructive", "deletes what was built"),
    "fmt fix generate": writes,
    "run tool": asks("runs a program that is not looked into"),
    telemetry: asks("changes settings"),
  }),
  gofmt: when("-w -cpuprofile", writes, safeWith("-l -d -e -s -r:")),
  ...each(
    "goimports gofumpt gci golines",
    when("-w --write -write write", writes, safeWith("-l -d -e -v -local: -extra -m: --list-files --dry-run")),
  ),
  "golangci-lint": verbs(
    {
      run: when(
        "--fix -o --out-path --output.text.path",
        writes,
        safeWith(
          "-0 -v --verbose --timeout: -E: --enable: -D: --disable: --enable-only: --disable-all --enable-all -c@ --config@ --no-config --new --new-from-rev: --new-from-merge-base: --tests --build-tags: --out-format# --color: --max-issues-per-linter: --max-same-issues: --issues-exit-code: -j: --concurrency: --fast --fast-only --presets: -p: --skip-dirs: --exclude: --modules-download-mode: --allow-parallel-runners --allow-serial-runners --print-issued-lines --sort-results --show-stats --default:",
        ),
      ),
      fmt: when("--diff -d", safeWith("--diff -d -c@ --config@ -E: --enable:"), writes),
      "linters version help config": safeWith("--json --short --format:", { words: /^(?:path|verify|linters|run)$/ }),
      "cache migrate custom": asks("changes settings"),
    },
    { options: "-v --verbose --color: --version" },
  ),
  ...each(
    "staticcheck errcheck ineffassign govulncheck gosec revive gocyclo deadcode golint",
    when(
      "-w -fix -o -out",
      writes,
      safeWith(
        "-0 -checks: -tests -tags: -go: -f: -show: -json -mode: -test -scan: -fmt: -exclude: -exclude-dir: -severity: -confidence: -quiet -no-fail -config@ -formatter# -set_exit_status -over: -avg -top: -ignoretests -blank -asserts -ignore: -error -locale: -generated -filter: -format: -explain: -fail",
      ),
    ),
  ),
  gotestsum: safeWith(
    "-0 -f: --format: --no-color --hide-summary: --rerun-fails --packages: --junitfile> --jsonfile> --max-fails: --format-icons: --no-summary:",
    { tail: options(TEST) },
  ),
  ginkgo: when(
    "-watch watch",
    asks("stays"),
    safeWith(
      `-0 -r -v -vv -p --procs: --race --cover --trace --focus: --skip: --label-filter: --fail-fast --randomize-all --randomize-suites --keep-going --dry-run --timeout: --no-color --succinct --tags: --repeat: --until-it-fails=false --flake-attempts: --poll-progress-after: --coverprofile> --silence-skips ${TEST}`,
    ),
  ),
  ...each("gopls dlv air mockgen wire sqlc goreleaser ko", asks("writes, stays or deploys")),
  ...each("goose golang-migrate tern", risk("migrate", "changes a database")),
};
