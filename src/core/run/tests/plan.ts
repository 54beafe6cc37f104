// Decides what to run when someone asks for tests: the runner, one shell line, where, and why. Pure except for reads through the
// Workspace port. Refuses: to run anything, watch modes, downloads, and lines that shells would read differently.
import type { TestPlan as WirePlan } from "../../../protocol/ops/run.ts";
import type { Call } from "../../../protocol/ops.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { type Project, projectFrom, projectsBelow } from "./find.ts";
import { Folder } from "./folder.ts";
import { commonDir, dirOf, relative, resolve } from "./paths.ts";
import { RUNNERS } from "./runners/table.ts";
import { selectAll, selectChanges, selectFile, selectName, selectPackage, type TestSelection } from "./selection.ts";
import { isOneLine, shellLine } from "./shell-words.ts";
import type { Workspace } from "./workspace.ts";

/** `file`: relative to the workspace, or absolute. `package`: a folder, or the name of a package. */
export type TestAsk = Readonly<Pick<Call<"run_tests">, "file" | "name" | "package" | "runner" | "scope">>;

/** `command`: one line for sh, bash, zsh or fish, to be run in cwd. */
export type TestPlan = DeepReadonly<WirePlan>;

/** The request, in absolute paths. */
interface Target {
  readonly start: string;
  readonly file: string | undefined;
  readonly dir: string | undefined;
  readonly changed: readonly string[];
}

export async function planTests(ws: Workspace, ask: TestAsk): Promise<TestPlan | Fault> {
  const refused = refusal(ask);
  if (refused !== undefined) return refused;
  const target = await targetOf(ws, ask);
  if (isFault(target)) return target;
  const project = await projectOf(ws, ask, target);
  if (isFault(project)) return project;
  const selection = await select(project, ask, target);
  if (isFault(selection)) return selection;
  return {
    runner: project.runner.name,
    command: shellLine(selection.words),
    cwd: project.folder.path,
    scope: selection.scope,
    why: [project.why, ...selection.why],
    others: project.others,
  };
}

function refusal({ runner, ...texts }: TestAsk): Fault | undefined {
  const known = RUNNERS.map(({ name }) => name);
  if (runner !== undefined && !known.includes(runner)) {
    return fault("input.invalid", `There is no runner ${JSON.stringify(runner)}.`, `Known: ${known.join(", ")}.`);
  }
  const broken = Object.entries(texts).find(([, text]) => text === "" || !isOneLine(text ?? ""));
  if (broken === undefined) return undefined;
  return fault(
    "input.invalid",
    `The ${broken[0]} is empty or contains control characters.`,
    "Leave it out, or write it in one line.",
  );
}

async function targetOf(ws: Workspace, ask: TestAsk): Promise<Target | Fault> {
  const seen = (path: string) => ws.exists(relative(ws.root, path) || ".");
  if (ask.file !== undefined) {
    const file = resolve(ws.root, ask.file);
    if (!(await seen(file)))
      return fault("not_found", `There is no file ${file}.`, `Paths are taken relative to ${ws.root}.`);
    const isDir = (await ws.list(relative(ws.root, file) || ".")).length > 0;
    return {
      start: isDir ? file : dirOf(file),
      file: isDir ? undefined : file,
      dir: isDir ? file : undefined,
      changed: [],
    };
  }
  const dir = ask.package === undefined ? undefined : resolve(ws.root, ask.package);
  if (dir !== undefined && (await seen(dir))) return { start: dir, file: undefined, dir, changed: [] };
  const wide = ask.package !== undefined || ask.name !== undefined || ask.scope === "all";
  const changed = wide ? [] : (await ws.changed()).map((path) => resolve(ws.root, path));
  return { start: changed.length > 0 ? commonDir(changed) : ws.root, file: undefined, dir: undefined, changed };
}

async function projectOf(ws: Workspace, ask: TestAsk, target: Target): Promise<Project | Fault> {
  const start = new Folder(ws, target.start);
  const files = target.file === undefined ? target.changed : [target.file];
  const asked = RUNNERS.find(({ name }) => name === ask.runner);
  if (asked !== undefined) {
    const found = await projectFrom(start, [], [asked]);
    const why = `asked for by name; nothing in ${ws.root} says so`;
    return found ?? { folder: new Folder(ws, ws.root), runner: asked, why, others: [] };
  }
  const up = await projectFrom(start, files);
  if (up !== undefined) return up;
  const below = await projectsBelow(ws);
  const [only] = below;
  if (only !== undefined && below.length === 1) return only;
  const seen = below.map(({ folder, runner }) => `${folder.path} (${runner.name})`);
  const hint =
    seen.length > 0
      ? `Name one of these as package: ${seen.join(", ")}.`
      : `Looked for ${RUNNERS.map(({ name }) => name).join(", ")}: a test script in package.json, Cargo.toml, go.mod, pyproject.toml, pom.xml, a Makefile with a test target and the like. Name the runner, or run the tests as a command.`;
  return fault("tests.not_found", `No tests that could be run were found from ${target.start} upwards.`, hint);
}

async function select(project: Project, ask: TestAsk, target: Target): Promise<TestSelection | Fault> {
  if (ask.name !== undefined) return selectName(project, ask.name, target.file);
  const named = ask.package ?? (target.dir === undefined ? undefined : ask.file);
  if (named !== undefined) return selectPackage(project, named, target.dir);
  if (target.file !== undefined) return selectFile(project, target.file);
  if (ask.scope === "all") return selectAll(project);
  if (target.changed.length > 0) return selectChanges(project, target.changed);
  if (ask.scope !== "changed") return selectAll(project, "no changes are known: all tests");
  return fault("tests.not_found", "Nothing differs from the last commit.", 'Ask for scope "all", or name a file.');
}
