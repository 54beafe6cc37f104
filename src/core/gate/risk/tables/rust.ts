// Rust: cargo and its helpers.
import { unknown } from "../risk.ts";
import { any, asks, code, each, needs, options, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const SELECT =
  "-0 -p: --package: --workspace --all --exclude: --lib --bins --bin: --examples --example: --tests --test: --benches --bench: --all-targets --features: -F: --all-features --no-default-features --release -r --profile: --target: --target-dir> --manifest-path@ --message-format: -v -vv --verbose -q --quiet --color: --locked --offline --frozen -j: --jobs: --keep-going --no-fail-fast --doc --no-run --timings --future-incompat-report --ignore-rust-version --no-deps --document-private-items --unit-graph";
const TESTS =
  "-0 --nocapture --no-capture --test-threads: --ignored --include-ignored --exact --skip: --show-output -q --quiet --list --format: --color: --report-time --shuffle --shuffle-seed: --bench";
const LINTS = "-0 -D: -W: -A: -F: --deny: --warn: --allow: --forbid: --cap-lints: --no-deps";

const install = risk("install", "installs or changes packages");
const publish = risk("deploy", "publishes");
const writes = asks("writes files");

const fmt = safeWith("--all --check -p: --package: -v -q --verbose --quiet --manifest-path@ --message-format: -l", {
  words: "none",
  tail: options("--check -l --color: --edition:"),
});

const cargo: Rule = verbs(
  {
    "check c build b": safeWith(SELECT),
    "test t bench": safeWith(`${SELECT} --nocapture`, { tail: options(TESTS) }),
    nextest: verbs({
      "run r list": safeWith(
        `${SELECT} --no-capture --nocapture -E: --filter-expr: --retries: --test-threads: --fail-fast --success-output: --failure-output: --status-level: --final-status-level: --partition: --run-ignored: --show-progress: --no-tests: -P: --max-fail: --hide-progress-bar --cargo-quiet`,
        { tail: options(TESTS) },
      ),
      "show-config": any,
    }),
    clippy: when("--fix", writes, safeWith(`${SELECT} --no-deps`, { tail: options(LINTS) })),
    fmt: code((args, id, starts) => {
      const checks = args.some((arg) => arg.literal && arg.text === "--check");
      return checks ? starts.rule(fmt, args, id) : unknown(id, "writes files");
    }),
    "doc d": when("--open", asks("opens a window"), safeWith(SELECT)),
    "tree metadata pkgid locate-project read-manifest verify-project version help": safeWith(
      `${SELECT} -e: --edges: -i: --invert: --prune: --depth: --prefix: --no-dedupe -d --duplicates --charset: -f: --format: --format-version: --filter-platform: --workspace`,
      { words: "any" },
    ),
    "audit deny outdated machete udeps geiger bloat semver-checks msrv spellcheck about license": verbs(
      {
        "check list advisories licenses bans sources verify show": safeWith(
          "-0 --all-features --hide-inclusion-graph --workspace -d -q --json --locked --offline --target: --config@ --deny:",
        ),
      },
      {
        bare: any,
        options:
          "-0 --all-features --workspace -R -d: --depth: --json -q --quiet --no-fetch --stale --ignore: --deny: --color: --with-metadata --all-targets --release --crates --root-deps-only",
        other: asks("not known"),
      },
    ),

    "llvm-cov tarpaulin": when(
      "--open --clean",
      asks("opens a window, or deletes"),
      safeWith(
        `${SELECT} --html --lcov --json --text --summary-only --output-path> --output-dir> --ignore-filename-regex: --fail-under-lines: --branch --out: --engine: --skip-clean --timeout: --fail-under: --exclude-files: --include-tests --ignore-tests --no-report --workspace --codecov --cobertura -o#`,
        { words: /^(?:nextest|report|test)$/, tail: options(TESTS) },
      ),
    ),
    expand: asks("not known"),
    miri: verbs({ test: safeWith(SELECT, { tail: options(TESTS) }) }),
    "install uninstall add remove rm update fetch vendor generate-lockfile upgrade binstall install-update": install,
    "publish yank owner login logout release dist": publish,
    package: needs("--list -l", safeWith(`${SELECT} --list -l --allow-dirty`), "writes packages"),
    clean: risk("destructive", "deletes what was built"),
    fix: writes,
    "new init": writes,
    "run r": asks("runs the project's program"),
    watch: asks("stays"),
    search: asks("asks the registry"),
    "sqlx diesel": verbs({ prepare: asks("writes files") }, { other: risk("migrate", "changes a database") }),

    sort: needs("--check -c", safeWith("--check -c -w --workspace --grouped"), "writes files"),
  },
  {
    options: "-q --quiet -v --verbose --color: --locked --offline --frozen --list --version -V",
    other: asks("not a subcommand known to be safe"),
    bare: safeWith("--list --version -V -v"),
  },
);

export const rust: Table = {
  cargo: toolchain(cargo),
  "cargo-clippy": asks("not known"),
  rustc: needs(
    "--version -V -vV --print --explain",
    safeWith("--version -V -vV -v --verbose --print# --explain:", { words: "none" }),
    "compiles to a place of its own",
  ),
  rustfmt: needs(
    "--check",
    safeWith("--check --edition: --color: -l --files-with-diff -q -v --config-path@ --config: --style-edition:"),
    "writes files",
  ),
  rustdoc: asks("writes what it makes"),
  rustup: verbs(
    {
      show: safeWith("-v", { words: /^(?:active-toolchain|home|profile)$/ }),
      "which check": safeWith("--toolchain:"),
      "toolchain target component": verbs({ list: safeWith("-v --installed --toolchain: -q") }, { other: install }),
      run: asks("runs a program that is not known"),
    },
    { other: install, options: "-v -q --version -V" },
  ),
  ...each(
    "trunk wasm-pack cross maturin",
    verbs({
      "test build check": safeWith(
        "--release --dev --target: --node --chrome --firefox --headless -q -v --workspace --all-features --no-default-features --features: -p:",
        { tail: options(TESTS) },
      ),
      "publish upload login": publish,
      develop: install,
    }),
  ),
  ...each(
    "diesel sqlx sea-orm-cli refinery",
    verbs(
      {
        "print-schema": any,
        migration: verbs(
          { "list info pending status": safeWith("") },
          { other: risk("migrate", "changes a database") },
        ),
      },
      { other: risk("migrate", "changes a database") },
    ),
  ),
};

/** `cargo +nightly test`: the toolchain is a word in front. */
function toolchain(rule: Rule): Rule {
  return {
    form: "code",
    judge: (args, id, starts) =>
      starts.rule(
        rule,
        /^\+(?:stable|beta|nightly|\d[\w.-]*|nightly-[\w-]+)$/.test(args[0]?.text ?? "") ? args.slice(1) : args,
        id,
      ),
  };
}
