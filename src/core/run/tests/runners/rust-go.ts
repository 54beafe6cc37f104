// Cargo (and nextest) and Go. The smallest unit they run is a crate or a package, so a changed file selects that.
import type { Folder } from "../folder.ts";
import { dirOf, join, stemOf } from "../paths.ts";
import { escapeRegex, type Runner, type Unit, type Words } from "./runner.ts";

const cargoRunner = (name: string, run: Words, filter: (name: string) => Words, find: Runner["find"]): Runner => ({
  name,
  sources: /\.rs$/,
  find,
  all: async (folder) => [...run, ...(await everyCrate(folder))],
  named: async (_, test, files) => [...run, ...targets(files), ...filter(test)],
  inPackage: async (_, crate) => [...run, "-p", crate],
  units: async (folder, files) => crates(folder, files, run),
});

const cargo = cargoRunner(
  "cargo",
  // One failing program must not hide the others.
  ["cargo", "test", "--no-fail-fast"],
  (name) => ["--", name],
  async (folder) => ((await folder.has("Cargo.toml")) ? { why: "Cargo.toml is there", rank: 1 } : undefined),
);

const nextest = cargoRunner(
  "nextest",
  ["cargo", "nextest", "run", "--no-fail-fast"],
  (name) => [name],
  async (folder) =>
    (await folder.exists(".config/nextest.toml")) ? { why: ".config/nextest.toml is there", rank: 0 } : undefined,
);

/** A root that is itself a crate runs only its own tests by default. */
async function everyCrate(folder: Folder): Promise<Words> {
  const manifest = (await folder.read("Cargo.toml")) ?? "";
  return /^\[workspace\]/m.test(manifest) && /^\[package\]/m.test(manifest) && /^members\s*=/m.test(manifest)
    ? ["--workspace"]
    : [];
}

function targets(files: readonly string[]): Words {
  return files.flatMap((file) => (/^tests\/[^/]+\.rs$/.test(file) ? ["--test", stemOf(file)] : []));
}

async function crates(folder: Folder, files: readonly string[], run: Words): Promise<Unit | undefined> {
  const whole = files.map((file) => targets([file]));
  if (files.length > 0 && whole.every((words) => words.length > 0))
    return { kind: "files", words: [...run, ...whole.flat()], what: files };
  const names = new Set<string>();
  for (const file of files) {
    const name = await crateOf(folder, file);
    if (name === undefined) return undefined;
    names.add(name);
  }
  return { kind: "package", words: [...run, ...[...names].flatMap((name) => ["-p", name])], what: [...names] };
}

async function crateOf(folder: Folder, file: string): Promise<string | undefined> {
  for (let dir = dirOf(file); ; dir = dirOf(dir)) {
    const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(
      (await folder.read(join(dir, "Cargo.toml"))) ?? "",
    )?.[1];
    if (name !== undefined || dir === "") return name;
  }
}

const GO_RUN = ["go", "test", "-v"];

const go: Runner = {
  name: "go",
  sources: /\.go$/,
  find: async (folder) => ((await folder.has("go.mod")) ? { why: "go.mod is there", rank: 1 } : undefined),
  // Only with -v does it name the tests that passed.
  all: async () => [...GO_RUN, "./..."],
  async named(_, name, files) {
    const pattern = name
      .split("/")
      .map((part) => `^${escapeRegex(part.replaceAll(" ", "_"))}$`)
      .join("/");
    const dirs = files.map((file) => packageDir(file));
    return [...GO_RUN, "-run", pattern, ...(dirs.length > 0 ? new Set(dirs) : ["./..."])];
  },
  inPackage: async (_, name) => [...GO_RUN, name.includes(".") || name.startsWith("./") ? name : `./${name}/...`],
  async units(_, files) {
    const dirs = [...new Set(files.map(packageDir))];
    return { kind: "package", words: [...GO_RUN, ...dirs], what: dirs };
  },
};

function packageDir(file: string): string {
  const dir = dirOf(file);
  return dir === "" ? "." : `./${dir}`;
}

export const RUST_GO: readonly Runner[] = [nextest, cargo, go];
