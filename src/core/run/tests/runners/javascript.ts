// Runners of a package.json: found in its scripts, its dependencies or by their configuration. The project's own script
// is used wherever arguments reach the runner through it, so that its preparations run. Otherwise we call the runner itself.
import type { Folder } from "../folder.ts";
import { pathWord } from "../shell-words.ts";
import { jsTestsOf } from "./conventions.ts";
import { inWorkspace, packageOf, runScript, type Tool, toolOf } from "./package.ts";
import type { Found, Runner, Words } from "./runner.ts";
import { type Call, callOf, flagsAndTargets } from "./script.ts";

export interface JsSpec {
  readonly name: string;
  readonly bin: (words: readonly string[]) => number;
  /** The program and subcommand to start when no script does. */
  readonly start: (tool: Tool) => Words;
  readonly configs: RegExp;
  readonly packages: readonly string[];
  readonly subcommands: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  readonly watch: RegExp;
  /** The argument that makes it end by itself, for scripts that lack it. */
  readonly once: { readonly unless: RegExp; readonly add: Words };
  readonly isTest: (path: string) => boolean;
  readonly name_words: (name: string) => Words;
  readonly related?: (files: Words) => { readonly subcommand: Words; readonly words: Words };
  /** Options after a target would count as targets. */
  readonly options_first: boolean;
}

export const JS_SOURCES = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;

interface Setup {
  readonly tool: Tool;
  readonly call: Call | undefined;
  readonly flags: Words;
  readonly targets: Words;
}

export function jsRunner(spec: JsSpec): Runner {
  const runner: Runner = {
    name: spec.name,
    sources: JS_SOURCES,
    find: (folder) => find(spec, folder),
    all: async (folder) => line(spec, await setup(spec, folder), [], []),
    isTest: spec.isTest,
    testsOf: jsTestsOf,
    files: async (folder, files) => line(spec, await setup(spec, folder), [], files.map(pathWord)),
    named: async (folder, name, files) =>
      line(spec, await setup(spec, folder), spec.name_words(name), files.map(pathWord)),
    inPackage: async (folder, name) => inWorkspace(await toolOf(folder), name),
  };
  const { related } = spec;
  if (related === undefined) return runner;
  return {
    ...runner,
    related: async (folder, files) => {
      const { tool, call, flags } = await setup(spec, folder);
      const { subcommand, words } = related(files.map(pathWord));
      const own = flags.filter((flag) => !spec.watch.test(flag) && flag !== "--run");
      return [
        ...(call?.env ?? []),
        ...spec.start(tool).slice(0, subcommand.length > 0 ? -1 : undefined),
        ...subcommand,
        ...own,
        ...words,
      ];
    },
  };
}

async function find(spec: JsSpec, folder: Folder): Promise<Found | undefined> {
  const pkg = await packageOf(folder);
  if (pkg === undefined) return undefined;
  const call = await callIn(spec, folder);
  if (call !== undefined) {
    const why = `script "${call.script}" of package.json calls ${spec.name}`;
    return { why, rank: callOf(pkg.scripts, "test", spec.bin) === undefined ? 1 : 0 };
  }
  const config = (await folder.names()).find((name) => spec.configs.test(name));
  if (config !== undefined) return { why: `${config} is there`, rank: 1 };
  const needed = spec.packages.find((name) => pkg.dependencies.has(name));
  return needed === undefined ? undefined : { why: `package.json depends on ${needed}`, rank: 2 };
}

/** The script named test if it calls the runner, otherwise the first script that does. */
async function callIn(spec: JsSpec, folder: Folder): Promise<Call | undefined> {
  const scripts = (await packageOf(folder))?.scripts ?? {};
  const names = Object.keys(scripts).filter((name) => !/watch|coverage|debug|update|bench|ui$/.test(name));
  const ordered = ["test", ...names.filter((name) => name.startsWith("test")), ...names];
  for (const name of ordered) {
    const call = callOf(scripts, name, spec.bin);
    if (call !== undefined) return call;
  }
  return undefined;
}

async function setup(spec: JsSpec, folder: Folder): Promise<Setup> {
  const call = await callIn(spec, folder);
  const args = call?.args ?? [];
  const { flags, targets } = flagsAndTargets(spec.subcommands.has(args[0] ?? "") ? args.slice(1) : args, spec.valued);
  return { tool: await toolOf(folder), call, flags, targets };
}

function line(spec: JsSpec, { tool, call, flags, targets }: Setup, options: Words, files: Words): Words {
  const given = call?.args.join(" ") ?? "";
  const watches = spec.watch.test(given);
  const narrow = options.length + files.length > 0;
  // Targets of the script and targets of ours would both run.
  const clash = targets.length > 0 && (files.length > 0 || (spec.options_first && options.length > 0));
  if (call !== undefined && !watches && (call.opaque || (!clash && (call.last || !narrow)))) {
    const once = spec.once.unless.test(given) || !call.last ? [] : spec.once.add;
    return runScript(tool, call.script, [...once, ...options, ...files]);
  }
  const own = flags.filter((flag) => !spec.watch.test(flag) && !spec.once.add.includes(flag));
  const start = spec.start(tool);
  return [...(call?.env ?? []), ...start, ...own, ...options, ...(files.length > 0 ? files : targets)];
}
