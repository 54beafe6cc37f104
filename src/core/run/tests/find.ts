// Finds a workspace's test runner and its folder: the nearest one upwards that a runner recognises. It only reads.
import { Folder } from "./folder.ts";
import type { Runner } from "./runners/runner.ts";
import { RUNNERS } from "./runners/table.ts";
import type { Workspace } from "./workspace.ts";

export interface Project {
  readonly folder: Folder;
  readonly runner: Runner;
  readonly why: string;
  /** Other runners found in the same folder. */
  readonly others: readonly string[];
}

/** No project has deeper trees than this. */
const CLIMB_MAX = 40;
/** Folders below the root that we check when nothing upwards has tests. */
const CHILDREN_MAX = 60;
const NO_PROJECTS = new Set(["node_modules", "target", "dist", "build", "vendor", "venv"]);

/** `files` are what the tests are for. We prefer a runner of their language, even one further up. */
export async function projectFrom(
  start: Folder,
  files: readonly string[],
  among: readonly Runner[] = RUNNERS,
): Promise<Project | undefined> {
  const speaks = (runner: Runner) => files.length === 0 || files.some((file) => runner.sources.test(file));
  let nearest: Project | undefined;
  let at: Folder | undefined = start;
  for (let i = 0; at !== undefined && i < CLIMB_MAX; i += 1) {
    const spoken = await projectIn(at, among.filter(speaks), among);
    if (spoken !== undefined) return spoken;
    nearest ??= await projectIn(at, among, among);
    // Folders above the repository belong to other projects.
    if (await at.has(".git")) break;
    at = at.parent;
  }
  return nearest;
}

async function projectIn(
  folder: Folder,
  preferred: readonly Runner[],
  all: readonly Runner[],
): Promise<Project | undefined> {
  const found = [];
  for (const runner of all) {
    const seen = await runner.find(folder);
    if (seen !== undefined) found.push({ runner, ...seen });
  }
  const ranked = found.filter(({ runner }) => preferred.includes(runner)).sort((a, b) => a.rank - b.rank);
  const first = ranked[0];
  if (first === undefined) return undefined;
  const others = found.filter(({ runner }) => runner !== first.runner).map(({ runner }) => runner.name);
  return { folder, runner: first.runner, why: first.why, others };
}

/** The projects directly below the root. */
export async function projectsBelow(ws: Workspace): Promise<readonly Project[]> {
  const root = new Folder(ws, ws.root);
  const names = (await root.names()).filter((name) => !name.startsWith(".") && !NO_PROJECTS.has(name));
  const projects: Project[] = [];
  for (const name of names.slice(0, CHILDREN_MAX)) {
    const project = await projectIn(root.within(name), RUNNERS, RUNNERS);
    if (project !== undefined) projects.push(project);
  }
  return projects;
}
