// All tables as one, and which programs a path may name.

import type { Group, Rule, Table } from "./spec.ts";
import { build } from "./tables/build.ts";
import { builtins } from "./tables/builtins.ts";
import { cloud } from "./tables/cloud.ts";
import { containers } from "./tables/containers.ts";
import { database } from "./tables/database.ts";
import { dotnet } from "./tables/dotnet.ts";
import { files } from "./tables/files.ts";
import { finders } from "./tables/finders.ts";
import { functional } from "./tables/functional.ts";
import { git } from "./tables/git.ts";
import { go } from "./tables/go.ts";
import { hubs } from "./tables/hubs.ts";
import { interpreters } from "./tables/interpreters.ts";
import { jvm } from "./tables/jvm.ts";
import { linters } from "./tables/linters.ts";
import { mobile } from "./tables/mobile.ts";
import { network } from "./tables/network.ts";
import { node, nodeRunners } from "./tables/node.ts";
import { nodeLint } from "./tables/node-lint.ts";
import { nodeTests } from "./tables/node-tests.ts";
import { nodeTools } from "./tables/node-tools.ts";
import { packages } from "./tables/packages.ts";
import { php, phpTools } from "./tables/php.ts";
import { privilege } from "./tables/privilege.ts";
import { python } from "./tables/python.ts";
import { pythonTools } from "./tables/python-tools.ts";
import { readOnly } from "./tables/read-only.ts";
import { ruby, rubyTools } from "./tables/ruby.ts";
import { rust } from "./tables/rust.ts";
import { system } from "./tables/system.ts";
import { textTools } from "./tables/text.ts";
import { wrappers } from "./tables/wrappers.ts";
import type { Arg } from "./words.ts";

const mapOf = (...tables: readonly Table[]): ReadonlyMap<string, Rule> =>
  new Map(tables.flatMap((table) => Object.entries(table)));

export const knownPrograms: ReadonlyMap<string, Rule> = mapOf(
  readOnly,
  textTools,
  finders,
  files,
  builtins,
  wrappers,
  interpreters,
  git,
  hubs,
  node,
  nodeRunners,
  nodeTests,
  nodeLint,
  nodeTools,
  python,
  pythonTools,
  rust,
  go,
  jvm,
  dotnet,
  ruby,
  rubyTools,
  php,
  phpTools,
  build,
  functional,
  mobile,
  linters,
  containers,
  cloud,
  database,
  packages,
  system,
  network,
  privilege,
);

/** Tools that are started by the whole name of their package. */
const scoped: Table = nodeLint.biome ? { "@biomejs/biome": nodeLint.biome } : {};

/** Programs that a runner of the project's own tools may start. */
export const groups: Readonly<Record<Group, ReadonlyMap<string, Rule>>> = {
  node: mapOf(nodeTests, nodeLint, nodeTools, nodeRunners, scoped),
  python: mapOf(pythonTools),
  ruby: mapOf(rubyTools),
  php: mapOf(phpTools),
};

export const NETWORK: ReadonlySet<string> = new Set(Object.keys(network));

/** Tools of the project by their folder. */
const FOLDERS: readonly (readonly [RegExp, Group])[] = [
  [/^(?:\.\/)?node_modules\/\.bin\/([\w.-]+)$/, "node"],
  [/^(?:\.\/)?vendor\/bin\/([\w.-]+)$/, "php"],
  [/^(?:\.\/)?\.?venv\/bin\/([\w.-]+)$/, "python"],
  [/^(?:\.\/)?bin\/(rails|rake|rspec|rubocop|brakeman|bundle|standardrb)$/, "ruby"],
  [/^(?:\.\/)?bin\/(phpunit|phpstan|console|simple-phpunit)$/, "php"],
];

export interface Located {
  /** Without its trusted folder. */
  readonly name: string;
  readonly rule: Rule | undefined;
  readonly id: string;
  readonly why: string;
  /** It starts the program in its arguments and does nothing else. */
  readonly passes: boolean;
}

const PASSES = new Set(["xargs", "eval", "sh", "bash", "dash", "zsh", "ksh"]);

export function locate(written: string): Located {
  const wrapper = /^\.\/(gradlew|mvnw)$/.exec(written)?.[1];
  const name = wrapper ?? /^(?:\/usr)?\/bin\/([\w.+[-]+)$/.exec(written)?.[1] ?? written;
  if (!name.includes("/")) {
    const rule = knownPrograms.get(name);
    const passes = PASSES.has(name);
    return { name, rule, id: "name.unknown", why: "not a program that is known to be safe", passes };
  }
  for (const [pattern, group] of FOLDERS) {
    const tool = pattern.exec(name)?.[1];
    const rule = tool === undefined ? undefined : groups[group].get(tool);
    if (tool !== undefined && rule) return { name: tool, rule, id: tool, why: "", passes: false };
  }
  const manage = /^(?:\.\/)?manage\.py$/.test(name) ? groups.python.get("manage.py") : undefined;
  if (manage) return { name: "manage.py", rule: manage, id: "manage.py", why: "", passes: false };
  return {
    name,
    rule: undefined,
    id: "name.path",
    why: "a program named by its path, outside the system's folders",
    passes: false,
  };
}

/** A program asked only for its version or help, unless it would understand that as something else. */
export function asksForHelp({ name, rule }: Located, args: readonly Arg[]): boolean {
  if (args.length !== 1 || !/^--(?:version|help)$/.test(args[0]?.text ?? "") || !rule) return false;
  if (rule.form === "wraps" || /^(?:\.|source|eval|exec|trap|xargs|command|builtin)$/.test(name)) return false;
  return rule.form !== "risky" || (rule.kind !== "destructive" && rule.kind !== "privilege");
}
