// The checks of a workspace, from its own files: scripts, targets, tools. Pure except for reads through the Workspace
// port. Refuses: to guess what no file names, and to offer checks that watch, fix or deploy.
import type { Check } from "../../protocol/ops/page.ts";
import { isFault } from "../base/fault.ts";
import { Folder } from "./tests/folder.ts";
import { planTests } from "./tests/plan.ts";
import { packageOf, runScript, toolOf } from "./tests/runners/package.ts";
import { shellLine } from "./tests/shell-words.ts";
import type { Workspace } from "./tests/workspace.ts";

/** Names that projects give these scripts, the usual one first. */
const SCRIPTS: readonly (readonly [Check["name"], readonly string[]])[] = [
  ["lint", ["lint", "check:lint", "eslint"]],
  ["types", ["typecheck", "type-check", "check:types", "check-types", "types", "tsc"]],
  ["build", ["build", "compile"]],
  ["format", ["format:check", "check:format", "prettier:check"]],
];
const TARGETS: readonly (readonly [Check["name"], string])[] = [
  ["lint", "lint"],
  ["types", "typecheck"],
  ["build", "build"],
];

export async function checksOf(ws: Workspace): Promise<Check[]> {
  const folder = new Folder(ws, ws.root);
  const found = [
    await tests(ws),
    ...(await scripts(folder)),
    ...(await targets(folder)),
    ...(await cargo(folder)),
    ...(await go(folder)),
    ...(await python(folder)),
  ].filter((check) => check !== undefined);
  // The first one that names a check wins. A project's own scripts come before its language's tools.
  return found.filter(({ name }, i) => found.findIndex((other) => other.name === name) === i);
}

async function tests(ws: Workspace): Promise<Check | undefined> {
  const plan = await planTests(ws, { scope: "all" });
  if (isFault(plan) || plan.cwd !== ws.root) return undefined;
  return { name: "test", command: plan.command, why: plan.why[0] ?? plan.runner };
}

async function scripts(folder: Folder): Promise<Check[]> {
  const manifest = await packageOf(folder);
  if (!manifest) return [];
  const tool = await toolOf(folder);
  return SCRIPTS.flatMap(([name, known]) => {
    const script = known.find((one) => manifest.scripts[one] !== undefined);
    if (script === undefined) return [];
    return [{ name, command: shellLine(runScript(tool, script)), why: `package.json: ${script}` }];
  });
}

async function targets(folder: Folder): Promise<Check[]> {
  const text = (await folder.read("Makefile")) ?? "";
  return TARGETS.flatMap(([name, target]) =>
    new RegExp(`^${target}\\s*:(?!=)`, "m").test(text)
      ? [{ name, command: `make ${target}`, why: `Makefile: ${target}` }]
      : [],
  );
}

async function cargo(folder: Folder): Promise<Check[]> {
  if (!(await folder.has("Cargo.toml"))) return [];
  const why = "Cargo.toml";
  return [
    { name: "lint", command: "cargo clippy", why },
    { name: "types", command: "cargo check", why },
    { name: "build", command: "cargo build", why },
    { name: "format", command: "cargo fmt --check", why },
  ];
}

async function go(folder: Folder): Promise<Check[]> {
  if (!(await folder.has("go.mod"))) return [];
  const why = "go.mod";
  return [
    { name: "lint", command: "go vet ./...", why },
    { name: "build", command: "go build ./...", why },
  ];
}

async function python(folder: Folder): Promise<Check[]> {
  const text = (await folder.read("pyproject.toml")) ?? "";
  const why = "pyproject.toml";
  const has = (tool: string) => text.includes(`[tool.${tool}`);
  return [
    ...(has("ruff") ? [{ name: "lint" as const, command: "ruff check .", why }] : []),
    ...(has("mypy") ? [{ name: "types" as const, command: "mypy .", why }] : []),
    ...(has("black") ? [{ name: "format" as const, command: "black --check .", why }] : []),
  ];
}
