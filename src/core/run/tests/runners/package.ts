// package.json and the tool that runs its scripts: npm, pnpm, yarn or bun, as the project's lockfile says.
import type { Folder } from "../folder.ts";
import type { Words } from "./runner.ts";
import type { Scripts } from "./script.ts";

export type Tool = "npm" | "pnpm" | "yarn" | "bun";

interface Package {
  readonly name: string | undefined;
  readonly scripts: Scripts;
  /** Dependencies of any kind. */
  readonly dependencies: ReadonlySet<string>;
  readonly workspaces: boolean;
}

const LOCKFILES: readonly (readonly [string, Tool])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];
/** Folders to check on the way up to a lockfile. */
const CLIMB_MAX = 12;

export async function packageOf(folder: Folder): Promise<Package | undefined> {
  const json = parse(await folder.read("package.json"));
  if (json === undefined) return undefined;
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  const scripts = Object.entries(objectOf(json.scripts)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    name: typeof json.name === "string" ? json.name : undefined,
    scripts: Object.fromEntries(scripts),
    dependencies: new Set(kinds.flatMap((kind) => Object.keys(objectOf(json[kind])))),
    workspaces: json.workspaces !== undefined || (await folder.has("pnpm-workspace.yaml")),
  };
}

export async function toolOf(folder: Folder): Promise<Tool> {
  let at: Folder | undefined = folder;
  for (let i = 0; at !== undefined && i < CLIMB_MAX; i += 1) {
    const said = parse(await at.read("package.json"))?.packageManager;
    const named = typeof said === "string" ? said.split("@")[0] : undefined;
    if (named === "npm" || named === "pnpm" || named === "yarn" || named === "bun") return named;
    for (const [file, tool] of LOCKFILES) if (await at.has(file)) return tool;
    if (await at.has(".git")) return "npm";
    at = at.parent;
  }
  return "npm";
}

export function runScript(tool: Tool, script: string, extra: Words = []): Words {
  const run = tool === "npm" && script === "test" ? ["npm", "test"] : [tool, "run", script];
  // Only npm keeps options for itself unless they come after "--".
  return extra.length === 0 ? run : [...run, ...(tool === "npm" ? ["--"] : []), ...extra];
}

/** A program of the project, never one that must be downloaded first. */
export function execBin(tool: Tool, bin: string): Words {
  switch (tool) {
    case "npm":
      return ["npx", "--no-install", bin];
    case "pnpm":
      return ["pnpm", "exec", bin];
    case "yarn":
      return ["yarn", "run", bin];
    case "bun":
      return ["bunx", "--no-install", bin];
  }
}

export function inWorkspace(tool: Tool, name: string): Words {
  switch (tool) {
    case "npm":
      return ["npm", "test", "--workspace", name];
    case "pnpm":
      return ["pnpm", "--filter", name, "test"];
    case "yarn":
      return ["yarn", "workspace", name, "test"];
    case "bun":
      return ["bun", "run", "--filter", name, "test"];
  }
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return text === undefined ? undefined : objectOf(JSON.parse(text));
  } catch {
    // A manifest that does not parse, perhaps while it is edited, names no runner.
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
