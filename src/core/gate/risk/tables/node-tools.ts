// Builders, task runners and other command-line tools of JavaScript projects. Those that write are asked; those that
// migrate, release or fetch are risky.
import { any, asks, code, each, options, type Rule, risk, safeWith, type Table, tasks, verbs, when } from "../spec.ts";
import { literal } from "../words.ts";
import { passed } from "./pass-through.ts";

const writes = asks("writes files");
const migrate = risk("migrate", "changes a database");
const deploy = risk("deploy", "deploys or publishes");
const stays = asks("stays and serves");

/** Builders write where the project says. Other places are asked. */
const BUILD =
  "-0 --mode: -m: --prod --production --minify --sourcemap --sourceMap --watch=false --config@ -c@ --format: -f: --dts --clean=false --target: --platform: --bundle --no-lint --debug --profile --silent --verbose --stats --env: --configuration: --no-progress --progress --color --no-color --base: --ssr --logLevel: -l: --emptyOutDir=false --turbo --turbopack --no-mangling --analyze=false --quiet -q --no-source-maps --no-scope-hoist --no-cache -p@ --tsconfig@ --project: --experimental-app-only --splitting --treeshake --no-splitting";
const build = safeWith(BUILD);

const MANY = options(
  "--filter: -F: --scope: --since: --no-bail --stream --parallel --concurrency:  --no-cache --force --dry --dry-run --output-logs: --log-order: --affected --continue --only --verbosity: --ui: --graph=false --no-daemon -t --target --targets --all --projects: -p: --skip-nx-cache --skipNxCache --base: --head: --exclude: --configuration: -c: --prod --verbose --outputStyle: --output-style: --nxBail --ci --coverage --codeCoverage --no-sort --ignore: --include-dependencies --include-dependents --runner: --prefix --no-prefix --skip-remote-cache --remote-only=false",
);
/** turbo run test lint, nx run-many -t test: the tasks are words, or the values of an option. */
const many: Rule = code((args, id, starts) => {
  const named = args.flatMap((arg) => {
    const value = /^(?:-t|--targets?)=?(.+)$/.exec(arg.text)?.[1];
    return value?.split(",").map(literal) ?? [arg];
  });
  return starts.rule(
    { form: "tasks", options: MANY, bare: asks("runs a task that is not named"), extra: new Map(), tail: passed },
    named,
    id,
  );
});
/** nx test app: the task, then whose. */
const nxTask = safeWith(
  new Map([
    ...options(
      "--skip-nx-cache --skipNxCache --configuration: -c: --prod --production --verbose --watch=false --codeCoverage --coverage --ci --runInBand --testFile: --output-style: --outputStyle: --parallel --batch --dev=false",
    ),
    ...passed,
  ]),
  { tail: passed },
);

export const nodeTools: Table = {
  ...each(
    "npm-run-all run-s run-p npm-run-all2",
    tasks({
      options:
        "-s -p -l -n -c --silent --parallel -S -P --sequential --serial --continue-on-error --print-label --print-name --aggregate-output --race --max-parallel:",
    }),
  ),
  nx: verbs(
    {
      "test lint build typecheck type-check e2e check vite:test tsc component-test compile": nxTask,
      "run-many affected": many,
      run: safeWith(passed, {
        words: /^[\w@/.-]+:(?:test|lint|build|typecheck|type-check|e2e|check|compile)(?::[\w.-]+)?$/,
      }),
      "affected:test affected:lint affected:build print-affected format:check show report list": safeWith(
        new Map([
          ...options(
            "--base: --head: --all --parallel --projects: --files: --uncommitted --untracked --json --plain --affected --with-target: --type: --web=false",
          ),
          ...passed,
        ]),
      ),
      graph: stays,
      "format:write format migrate": writes,
      "generate g init add import": writes,
      release: deploy,
      reset: risk("destructive", "deletes the cache"),
      "serve watch daemon connect": stays,
    },
    { options: "--version --verbose" },
  ),
  turbo: verbs(
    {
      run: many,
      "ls query": safeWith("--affected --output:"),
      "prune login logout link unlink gen generate": writes,
      watch: stays,
    },
    { options: "--version", other: many },
  ),
  lerna: verbs(
    {
      "list ls la ll changed diff": safeWith(
        "--json -a --all -l --long --since: --scope: --toposort --graph --loglevel:",
      ),
      run: many,
      "publish version": deploy,
      "bootstrap add link import init": risk("install", "installs packages"),
      exec: asks("runs a program that is not known"),
      clean: risk("destructive", "deletes packages"),
    },
    { options: "--loglevel:" },
  ),
  ...each(
    "rush",
    verbs(
      {
        "build test rebuild lint check list": safeWith(
          "-v --verbose -t: --to: -f: --from: -o: --only: --to-except: -p: --parallelism: --changed-projects-only --detailed --json",
        ),
      },
      { other: risk("install", "installs or publishes packages") },
    ),
  ),
  wireit: asks("runs a script that is not known"),
  vite: verbs({ build, "preview dev serve optimize": stays }, { bare: stays, options: "-c@ --config@" }),
  ...each(
    "next nuxt nuxi gatsby astro remix ng svelte-kit react-scripts vue-cli-service quasar docusaurus vitepress umi rsbuild modern rslib rspack waku redwood",
    verbs(
      {
        build,
        "lint test check typecheck info export sync": safeWith(
          new Map([
            ...options(
              `${BUILD} --dir@ --strict --max-warnings: --quiet --no-cache --watchAll=false --no-fix --minimumSeverity: --code-coverage --browsers: --include:`,
            ),
            ...passed,
          ]),
        ),
        "dev start serve preview develop s": stays,
        "telemetry add generate g new update init": writes,
        deploy: risk("deploy", "deploys"),
        eject: risk("destructive", "rewrites the project"),
      },
      { options: "--version -v" },
    ),
  ),
  ...each(
    "webpack rollup tsup tsdown unbuild pkgroll microbundle bunchee",
    when(
      "-w --watch --serve --plugin -p --onSuccess --on-success",
      stays,
      verbs({ build, "serve watch s w dev": stays, bundle: build }, { other: build, bare: build, options: BUILD }),
    ),
  ),
  parcel: verbs({ build, "serve watch": stays }),
  esbuild: when(
    "--serve --watch --servedir",
    stays,
    safeWith(
      "--bundle --minify --sourcemap --format: --platform: --target: --outdir> --outfile> --external: --loader: --define: --splitting --tree-shaking --log-level: --analyze --packages: --metafile> --jsx: --tsconfig@",
    ),
  ),
  ...each("swc babel sass postcss tailwindcss lessc pug", asks("writes what it builds")),
  prisma: verbs(
    {
      "validate version": safeWith("--schema@"),
      "format generate": asks("writes files"),
      "migrate db": verbs(
        { "status diff": safeWith("--schema@ --from-schema-datamodel@ --to-schema-datamodel@ --exit-code --script") },
        { other: migrate, bare: migrate },
      ),
      "studio dev": stays,
      init: writes,
    },
    { options: "--version -v" },
  ),
  ...each(
    "knex sequelize sequelize-cli typeorm drizzle-kit mikro-orm node-pg-migrate db-migrate umzug migrate-mongo graphile-migrate atlas kysely",
    verbs(
      {
        "migrate:list migrate:status migrate:currentVersion db:migrate:status check":
          safeWith("--env: --config@ --knexfile@"),
      },
      { other: migrate, bare: migrate },
    ),
  ),
  ...each(
    "semantic-release release-it np standard-version lerna-lite gh-pages surge vsce ovsx electron-builder auto release-please",
    deploy,
  ),
  changeset: verbs(
    { status: safeWith("--verbose --since: --output=false"), "publish tag": deploy, "version add init pre": writes },
    { bare: writes },
  ),
  ...each("rimraf del del-cli trash-cli", risk("destructive", "deletes files")),
  ...each(
    "http-server serve json-server live-server browser-sync ngrok localtunnel lt",
    risk("network", "serves to the network"),
  ),
  ...each(
    "husky lint-staged patch-package npm-check degit plop hygen graphql-codegen openapi-generator-cli openapi-typescript nodemon concurrently pm2 ts-migrate jscodeshift codemod cross-env dotenv-cli dotenvx env-cmd",
    asks("writes, stays, or starts something else"),
  ),
  redocly: verbs({ lint: safeWith("--format# --max-problems: --config@ --extends#"), stats: safeWith("--format#") }),
  spectral: verbs({
    lint: safeWith(
      "-r@ --ruleset@ -f# --format# -F: --fail-severity: -q --quiet -v --verbose -D --display-only-failures",
    ),
  }),
  ...each("graphql-inspector graphql-schema-linter", asks("may ask the network")),
  "npm-packlist": any,
  "license-checker": safeWith(
    "--summary --production --json --onlyAllow: --failOn: --excludePrivatePackages --csv --start@ --direct: --development --exclude: --unknown",
  ),
};
