// Finds the smallest test run for the request: a name, a file, a package, or what changed. Where a runner cannot select
// so narrowly, we take the next wider run and say so. Refuses: to leave out a test that a change could break.
import type { TestPlan } from "../../../protocol/ops/run.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { type Fault, fault } from "../../base/fault.ts";
import type { Project } from "./find.ts";
import type { Words } from "./runners/runner.ts";
import { isOneLine } from "./shell-words.ts";

type Scope = DeepReadonly<TestPlan["scope"]>;

export interface TestSelection {
  readonly words: Words;
  readonly scope: Scope;
  readonly why: readonly string[];
}

/** More files than a command line should carry. Such a wide change deserves all tests. */
const FILES_MAX = 40;
/** Files that change no test's outcome. */
const DOCUMENT =
  /\.(?:md|mdx|rst|adoc|png|jpe?g|gif|svg|ico|webp|pdf)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|\.gitignore|\.editorconfig|CODEOWNERS)[^/]*$/i;
/** Source files by extension, but everything depends on them. */
const SETTING =
  /(?:^|\/)(?:[^/]*\.config\.[cm]?[jt]s|[^/]*\.workspace\.[cm]?[jt]s|conftest\.py|setup\.py|noxfile\.py|build\.rs|mix\.exs|Package\.swift|(?:spec|test)_helper\.rb)$/;

export async function selectAll({ folder, runner }: Project, ...why: readonly string[]): Promise<TestSelection> {
  return { words: await runner.all(folder), scope: { kind: "all", what: [] }, why };
}

export async function selectName(project: Project, name: string, file: string | undefined): Promise<TestSelection> {
  const { folder, runner } = project;
  if (runner.named === undefined)
    return selectAll(project, `${runner.name} cannot select a test by its name: all tests`);
  const files = file === undefined ? [] : [folder.inner(file)];
  return { words: await runner.named(folder, name, files), scope: { kind: "name", what: [name] }, why: [] };
}

/** `dir` is set when the package is a folder. */
export async function selectPackage(
  project: Project,
  name: string,
  dir: string | undefined,
): Promise<TestSelection | Fault> {
  const { folder, runner } = project;
  const scope: Scope = { kind: "package", what: [name] };
  if (dir === folder.path) return { words: await runner.all(folder), scope, why: [] };
  const inner = dir === undefined ? undefined : folder.inner(dir);
  if (inner !== undefined && runner.units === undefined && runner.files !== undefined) {
    return { words: await runner.files(folder, [inner]), scope, why: [] };
  }
  if (runner.inPackage !== undefined && !(inner ?? name).startsWith("-"))
    return { words: await runner.inPackage(folder, inner ?? name), scope, why: [] };
  return fault(
    "not_found",
    `There is no folder ${name}, and ${runner.name} knows no packages.`,
    "Name a folder or a file.",
  );
}

export async function selectFile(project: Project, file: string): Promise<TestSelection> {
  const { runner } = project;
  if (!runner.sources.test(file))
    return selectAll(project, `${runner.name} does not run ${project.folder.inner(file)}: all tests`);
  return selectFiles(project, [file]);
}

/** The files that differ from the last commit, as absolute paths. */
export async function selectChanges(project: Project, changed: readonly string[]): Promise<TestSelection> {
  const { folder, runner } = project;
  const files = changed.filter((path) => !DOCUMENT.test(path));
  if (files.length === 0) return selectAll(project, "only documents changed: all tests");
  const wide = files.find((path) => !runner.sources.test(path) || SETTING.test(path) || !isOneLine(path));
  if (wide !== undefined)
    return selectAll(
      project,
      `${JSON.stringify(folder.inner(wide))} changed, and anything may depend on it: all tests`,
    );
  if (files.length > FILES_MAX) return selectAll(project, `${files.length} files changed: all tests`);
  const selection = await selectFiles(project, files);
  return { ...selection, why: [`${files.length} changed since the last commit`, ...selection.why] };
}

async function selectFiles(project: Project, paths: readonly string[]): Promise<TestSelection> {
  const { folder, runner } = project;
  const files = paths.map((path) => folder.inner(path));
  const tests = new Set<string>();
  const bare: string[] = [];
  for (const file of files) {
    const own = runner.isTest?.(file) ? [file] : (runner.testsOf?.(file) ?? []);
    const there = [];
    for (const test of own) if (await folder.exists(test)) there.push(test);
    for (const test of there) tests.add(test);
    if (there.length === 0) bare.push(file);
  }
  const onlyTests = bare.length === 0 && files.every((file) => tests.has(file));
  const present = [];
  for (const file of files) if (await folder.exists(file)) present.push(file);
  // The runner knows imports better than we can guess from names, but it finds no importers of a deleted file.
  if (runner.related !== undefined && !onlyTests && present.length === files.length) {
    const words = await runner.related(folder, files);
    return {
      words,
      scope: { kind: "files", what: files },
      why: [`${runner.name} finds the tests that depend on them`],
    };
  }
  if (bare.length === 0 && tests.size > 0 && runner.files !== undefined) {
    const why = onlyTests ? [] : ["tests found by their names"];
    return { words: await runner.files(folder, [...tests]), scope: { kind: "files", what: [...tests] }, why };
  }
  const unit = await runner.units?.(folder, files);
  if (unit !== undefined) return { words: unit.words, scope: { kind: unit.kind, what: unit.what }, why: [] };
  return selectAll(
    project,
    `no tests of ${(bare.length > 0 ? bare : files).slice(0, 3).join(", ")} could be singled out: all tests`,
  );
}
