// What a name says about a task of the project: a package script, a make target, a rake task. A task runs the project's
// own code by intent; its name is all that is known, so only names of tests, checks and builds count as safe.
import type { RiskKind } from "../../../protocol/ops/gate.ts";
import { type PartRisk, risky, safe, unknown } from "./risk.ts";

/** Anywhere in the name. */
const VERBS: readonly (readonly [RiskKind, RegExp])[] = [
  ["migrate", /^(?:migrat\w*|rollback|seed|seeds|seeding)$/],
  ["deploy", /^(?:deploy\w*|publish\w*|promote|ship|push|upload|destroy|provision|rollout)$/],
  ["install", /^(?:install\w*|uninstall\w*|bootstrap|upgrade|postinstall|preinstall)$/],
  ["destructive", /^(?:clean\w*|clobber|purge|prune|reset|wipe|nuke|remove|delete|drop|rm|truncate|kill)$/],
  ["network", /^(?:fetch|download|pull|crawl|scrape|tunnel)$/],
  ["privilege", /^(?:sudo|root|chmod|chown|login|logout|secrets?|credentials?)$/],
];

/** Only as the first word: "db:setup", but not "test:db". */
const NOUNS: readonly (readonly [RiskKind, RegExp])[] = [
  ["migrate", /^(?:db|database|schema|prisma|knex|typeorm|sequelize|drizzle|alembic|fixtures)$/],
  [
    "deploy",
    /^(?:release\w*|up|down|apply|prod|production|staging|live|tag|bump|version|semantic|terraform|helm|k8s)$/,
  ],
  ["install", /^(?:setup|init|deps|dependencies|vendor|prepare|restore|sync)$/],
  ["destructive", /^(?:distclean|mrproper|realclean|undo|stop)$/],
];

/** They write into the workspace or keep running. "build:dev" and "build:server" build. */
const ASKS =
  /^(?:fix\w*|write|update\w*|snapshots?|autofix|format|fmt|prettify|generate|gen|codegen|serve|serves|start|run|exec|shell|repl|console|open|and|then|apply|edit|rename|rewrite|bless|accept|record|new|create|send|notify|export|import|sign|release\w*|setup|up|down)$/;

const FIRST =
  /^(?:tests?|testing|spec|specs|unit|units|integration|e2e|smoke|coverage|cov|lint|lints|linter|linting|eslint|stylelint|tslint|typecheck|typechecks|typescript|types|tsc|typing|check|checks|checking|verify|validate|validation|build|builds|compile|all|ci|qa|vet|clippy|mypy|pytest|jest|vitest|flake8|pylint|rubocop|rspec|phpstan|phpunit|psalm|audit|quality|static|analyze|analyse|analysis|assemble|bundle|doctest|doctests|cypress|playwright|unittest|unittests|dialyzer|credo|shellcheck|help|list|status|info)$/;

/** Two words with one meaning: "format:check" only checks. */
const CHECKS =
  /^(?:format|fmt|prettier|formatting|type|black|isort|rustfmt|gofmt|code|style|lint|ruff|deps?|spell|license|size|bundle|dead|unused)[:._-]?(?:check|checks|checked|diff|verify|test|lint|style|types)$/i;
const PREFIXED =
  /^(?:check|verify|lint|test|ci|run)[:._-]?(?:format|fmt|formatting|prettier|style|types?|typecheck|deps|licenses?|all|tests?|lint|build|checks?)$/i;

export function taskVerdict(name: string, id: string): PartRisk {
  const rule = `${id}.${name.replace(/[^\w-]+/g, "-").slice(0, 40)}`;
  const other = unknown(rule, `${name} is not the name of a test, a check or a build`);
  // make -j 4
  if (/^\d+$/.test(name) || CHECKS.test(name) || PREFIXED.test(name)) return safe(rule);
  const tokens = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const [first = ""] = tokens;
  for (const [kind, words] of VERBS) {
    if (tokens.some((token) => words.test(token))) return risky(rule, kind, `a task named ${name}`);
  }
  for (const [kind, words] of NOUNS) {
    if (words.test(first)) return risky(rule, kind, `a task named ${name}`);
  }
  if (!/^[A-Za-z][\w:.-]*$/.test(name)) return other;
  if (tokens.some((token) => ASKS.test(token))) {
    return unknown(rule, `a task named ${name} may write into the workspace or stay`);
  }
  return FIRST.test(first) ? safe(rule) : other;
}
