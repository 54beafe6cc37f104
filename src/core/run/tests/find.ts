// Which runner a workspace has, and where: the nearest folder upwards that one of them knows. Looks only.
import { Folder } from "./folder.ts";
import type { Runner } from "./runners/runner.ts";
import { RUNNERS } from "./runners/table.ts";
import type { Workspace } from "./workspace.ts";

export interface Project {
  readonly folder: Folder;
  readonly runner: Runner;
  readonly why: string;
  /** Other runners that are at home in the same folder. */
  readonly others: readonly string[];
}

/** Deeper trees than this are not anyone's project. */
const CLIMB_MAX = 40;
/** Folders below the root that are looked into when nothing upwards has tests. */
const CHILDREN_MAX = 60;
const NO_PROJECTS = new Set(["node_modules", "target", "dist", "build", "vendor", "venv"]);

/** `files` are what the tests are for: a runner of their language is preferred, even one further up. */
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
    // Beyond the repository is someone else's project.
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
