// Elixir, Erlang, Haskell, OCaml, Swift, Perl, R, Julia, Lua, Nix and others.
import { any, asks, each, needs, type Rule, risk, safeWith, type Table, tasks, verbs, when } from "../spec.ts";

const install = risk("install", "installs or changes packages");
const publish = risk("deploy", "publishes");
const migrate = risk("migrate", "changes a database");
const writes = asks("writes files");
const stays = asks("stays, or runs code");

const mix: Rule = verbs(
  {
    "test coveralls espec": safeWith(
      "-0 --trace --stale --failed --only: --exclude: --include: --max-failures: --seed: --cover --color --no-color --slowest: --warnings-as-errors --force --no-start --partitions: --max-cases: --no-compile --all-warnings --exit-status: --formatter: --listen-on-stdin=false --repeat-until-failure: --umbrella",
    ),
    compile: safeWith(
      "-0 --warnings-as-errors --force --all-warnings --no-deps-check --profile: --return-errors --no-optional-deps",
    ),
    format: needs(
      "--check-formatted --dry-run",
      safeWith("--check-formatted --dry-run --check-equivalent --no-exit --dot-formatter@"),
      "writes files",
    ),
    credo: safeWith(
      "-0 --strict --all -a --format: --min-priority: --only: --ignore: --files-included: --files-excluded: --mute-exit-status -A --no-color --verbose --checks:",
      { words: /^(?:list|suggest|explain|info|diff|[\w./:*-]+)$/ },
    ),
    dialyzer: safeWith(
      "--format: --quiet --no-check --ignore-exit-status --halt-exit-status --no-compile --list-unused-filters --plt=false",
    ),
    "xref deps.tree app.tree deps hex.outdated hex.audit help sobelow phx.routes ecto.migrations doctor deps.audit compile.elixir docs inch":
      when(
        "--web",
        stays,
        safeWith(
          "-0 --format: --only: --exclude: --label: --all --source: --sink: --fail-above: --exit --skip --config --verbose --strict --private --router -i --threshold:",
          { words: "any" },
        ),
      ),
    "deps.get deps.update deps.clean deps.unlock deps.compile local.hex local.rebar archive.install escript.install igniter.install setup":
      install,
    "hex.publish hex.retire hex.owner release": publish,
    "ecto.migrate ecto.rollback ecto.drop ecto.create ecto.reset ecto.setup ecto.load ecto.dump ash.migrate": migrate,
    "phx.server run phx.new new phx.gen.html phx.gen.auth ecto.gen.migration": stays,
    clean: risk("destructive", "deletes what was built"),
  },
  { other: tasks({}), bare: asks("runs a task that is not named"), options: "--version" },
);

const prove = safeWith(
  "-0 -l --lib -b --blib -r --recurse -v --verbose -j: --jobs: -f --failures -s --shuffle -q --quiet -Q --QUIET -c --color --nocolor -o --comments --timer -w -W --trap --merge --state=failed --state=save -lv -lr -lvr -vl -rl -T -t --directives",
);

export const functional: Table = {
  mix,
  ...each(
    "rebar3 rebar",
    verbs(
      {
        "ct eunit proper dialyzer xref compile lint check tree deps": safeWith(
          "-v --verbose --suite: --case: --module: --dir: --cover -c --readable",
        ),
        as: asks("not known"),
        "upgrade get-deps update": install,
        hex: publish,
        clean: risk("destructive", "deletes what was built"),
      },
      { other: asks("not a subcommand known to be safe") },
    ),
  ),
  ...each("erlc escript runghc utop R gnuplot crystal", safeWith("--version -v -V", { words: "none" })),
  elixirc: writes,
  gleam: verbs({
    "test check build": safeWith("--target: -t: --warnings-as-errors --no-print-progress"),
    format: needs("--check", safeWith("--check"), "writes files"),
    "add remove update deps": install,
    publish,
    run: stays,
  }),
  cabal: verbs(
    {
      "build v2-build new-build test v2-test new-test check bench haddock list-bin": safeWith(
        "-0 --enable-tests --enable-benchmarks --test-show-details: -j -v0 -v1 -O0 --offline",
        { words: "files" },
      ),
      outdated: safeWith(""),
      "install update get fetch freeze": install,
      upload: publish,
      "run repl exec": stays,
      clean: risk("destructive", "deletes what was built"),
    },
    { options: "--version" },
  ),
  stack: verbs(
    {
      "build test bench haddock": when(
        "--exec --copy-bins --install-ghc --file-watch --watch",
        install,
        safeWith(
          "-0 --fast --pedantic --test --no-run-tests -j: --flag: --coverage --bench --no-run-benchmarks --haddock --no-haddock-deps --keep-going --stack-yaml@ --dry-run",
          {},
        ),
      ),
      "ls path list query": safeWith("--local-install-root --project-root", { words: "any" }),
      "install setup upgrade update unpack": install,
      upload: publish,
      "exec run ghci repl runghc": stays,
      clean: risk("destructive", "deletes what was built"),
    },
    { options: "--stack-yaml@ --silent --version" },
  ),
  ...each(
    "hlint weeder stan",
    when(
      "--refactor --refactor-options",
      writes,
      safeWith("-0 --ignore: --hint@ -h@ --json --no-exit-code -j --color --only:"),
    ),
  ),
  ...each("ormolu fourmolu stylish-haskell brittany", writes),
  dune: verbs(
    {
      "build b": when(
        "--auto-promote --watch -w",
        writes,
        safeWith(
          "-0 @all @check @runtest @fmt @lint @doc --profile: --release --display: --root@ -j: --force -f --no-buffer",
          { words: /^(?:@(?:all|check|runtest|lint|doc|default|fmt)|[\w./-]+)$/ },
        ),
      ),
      "test runtest": when(
        "--auto-promote -w --watch",
        writes,
        safeWith("-f --force --no-buffer --profile: --display: -j:"),
      ),
      "describe external-lib-deps --version": safeWith("--missing --lang:", { words: "any" }),
      "promote fmt format": writes,
      "exec utop": stays,
      "install pkg": install,
      clean: risk("destructive", "deletes what was built"),
    },
    { options: "--version" },
  ),
  opam: install,
  swift: verbs(
    {
      build: safeWith(
        "-0 -c: --configuration: --target: --product: -v --verbose -q --quiet --build-tests --package-path@ -j: --show-bin-path --arch:",
      ),
      test: safeWith(
        "-0 --filter: --skip: --parallel --enable-code-coverage -v --verbose -q --quiet -l --list-tests -c: --configuration: --package-path@ --num-workers: --enable-test-discovery --disable-xctest --enable-swift-testing",
      ),
      package: verbs(
        {
          "describe show-dependencies dump-package tools-version": safeWith("--type: --format: -v"),
          "resolve update edit init": install,
          "clean reset purge-cache": risk("destructive", "deletes what was built"),
          "diagnose-api-breaking-changes": safeWith(""),
        },
        { other: asks("runs a plugin") },
      ),
      run: stays,
      "--version": any,
      format: verbs({ lint: safeWith("-r --recursive -s --strict -p --parallel --configuration@") }, { other: writes }),
    },
    { options: "--version" },
  ),
  swiftlint: verbs(
    {
      lint: when(
        "--fix --autocorrect --format",
        writes,
        safeWith("--strict --quiet --config@ --reporter# --no-cache --path@ --lenient --progress"),
      ),
      rules: any,
      version: any,
      analyze: safeWith("--strict --quiet --compiler-log-path@ --config@"),
    },
    { options: "--strict --quiet --config@ --reporter#", bare: any, other: writes },
  ),
  prove,
  perltidy: writes,
  ...each("cpan cpanm cpm carton luarocks nimble shards quicklisp raco", install),
  nim: verbs({ check: safeWith(""), "c compile cpp js": asks("writes what it builds") }),
  busted: safeWith("-0 -v --verbose -o# --output# -t: --tags: --exclude-tags: -p: --pattern: --filter:"),
  luacheck: safeWith("-0 --std: --globals: --ignore: --only: --no-color --codes -q --quiet --config@ --formatter#"),
  ...each("elm-test", safeWith("--fuzz: --seed: --report:")),
  ...each("purs spago elm elm-review", asks("writes, or fetches")),
  nix: verbs(
    {
      "develop shell run profile store": install,
      flake: verbs({ "update lock init clone": install }),
      "--version": any,
    },
    { options: "--version", other: asks("may fetch what it builds") },
  ),
  ...each("nix-shell nix-env nix-channel nix-collect-garbage home-manager nixos-rebuild darwin-rebuild guix", install),
};
