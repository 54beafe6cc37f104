// Ruby, PHP, Elixir, Swift, CTest; and the wrappers make and just, which can run anything.
import type { Folder } from "../folder.ts";
import { pathWord } from "../shell-words.ts";
import { elixirIsTest, elixirTestsOf, phpIsTest, phpTestsOf, rubyIsTest, rubyTestsOf } from "./conventions.ts";
import { escapeRegex, type Runner, type Words } from "./runner.ts";

const rspec: Runner = {
  name: "rspec",
  sources: /\.rb$/,
  async find(folder) {
    if (await folder.has(".rspec")) return { why: ".rspec is there", rank: 1 };
    return (await folder.has("Gemfile")) && (await folder.has("spec"))
      ? { why: "a spec folder beside a Gemfile", rank: 1 }
      : undefined;
  },
  all: async (folder) => [...(await bundled(folder)), "rspec"],
  isTest: rubyIsTest,
  testsOf: rubyTestsOf,
  files: async (folder, files) => [...(await bundled(folder)), "rspec", ...files.map(pathWord)],
  named: async (folder, name, files) => [
    ...(await bundled(folder)),
    "rspec",
    `--example=${name}`,
    ...files.map(pathWord),
  ],
};

const minitest: Runner = {
  name: "minitest",
  sources: /\.rb$/,
  async find(folder) {
    if (!(await folder.has("test"))) return undefined;
    if (await folder.exists("bin/rails")) return { why: "bin/rails is there", rank: 1 };
    return (await folder.has("Rakefile")) ? { why: "a test folder beside a Rakefile", rank: 1 } : undefined;
  },
  all: async (folder) =>
    (await folder.exists("bin/rails")) ? ["bin/rails", "test"] : [...(await bundled(folder)), "rake", "test"],
  isTest: rubyIsTest,
  testsOf: rubyTestsOf,
  async files(folder, files) {
    if (await folder.exists("bin/rails")) return ["bin/rails", "test", ...files.map(pathWord)];
    return [
      ...(await bundled(folder)),
      "rake",
      "test",
      `TEST=${files.length === 1 ? files[0] : `{${files.join(",")}}`}`,
    ];
  },
  async named(folder, name, files) {
    const method = name.split("#").at(-1) ?? name;
    if (await folder.exists("bin/rails")) return ["bin/rails", "test", ...files.map(pathWord), "-n", method];
    return [...(await bundled(folder)), "rake", "test", `TESTOPTS=--name=${method}`];
  },
};

async function bundled(folder: Folder): Promise<Words> {
  return (await folder.has("Gemfile")) ? ["bundle", "exec"] : [];
}

const phpunit: Runner = {
  name: "phpunit",
  sources: /\.php$/,
  async find(folder) {
    if (await folder.has("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"))
      return { why: "phpunit.xml is there", rank: 1 };
    return /"phpunit\/phpunit"/.test((await folder.read("composer.json")) ?? "")
      ? { why: "composer.json requires phpunit", rank: 1 }
      : undefined;
  },
  all: async (folder) => [await phpunitBin(folder)],
  isTest: phpIsTest,
  testsOf: phpTestsOf,
  // It takes one file or folder.
  files: async (folder, files) => [await phpunitBin(folder), ...(files.length === 1 ? files.map(pathWord) : [])],
  named: async (folder, name, files) => [
    await phpunitBin(folder),
    `--filter=${escapeRegex(name)}`,
    ...files.slice(0, 1).map(pathWord),
  ],
};

async function phpunitBin(folder: Folder): Promise<string> {
  return (await folder.exists("vendor/bin/phpunit")) ? "vendor/bin/phpunit" : "phpunit";
}

const mix: Runner = {
  name: "mix",
  sources: /\.exs?$/,
  find: async (folder) => ((await folder.has("mix.exs")) ? { why: "mix.exs is there", rank: 1 } : undefined),
  all: async () => ["mix", "test"],
  isTest: elixirIsTest,
  testsOf: elixirTestsOf,
  files: async (_, files) => ["mix", "test", ...files.map(pathWord)],
  named: async (_, name, files) => [
    "mix",
    "test",
    ...files.map(pathWord),
    "--only",
    `test:test ${name.replace(/^test /, "")}`,
  ],
};

const swift: Runner = {
  name: "swift",
  sources: /\.swift$/,
  find: async (folder) =>
    (await folder.has("Package.swift")) ? { why: "Package.swift is there", rank: 1 } : undefined,
  all: async () => ["swift", "test"],
  named: async (_, name) => ["swift", "test", "--filter", escapeRegex(name)],
  inPackage: async (_, name) => ["swift", "test", "--filter", `^${escapeRegex(name)}\\.`],
};

const BUILDS = ["build", "out", "_build", "cmake-build-debug", "build/debug", "build/release"];

const ctest: Runner = {
  name: "ctest",
  sources: /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|cu)$/,
  async find(folder) {
    if (!(await folder.has("CMakeLists.txt"))) return undefined;
    const built = await buildIn(folder);
    return built === undefined ? undefined : { why: `${built} holds a CMake build with tests`, rank: 1 };
  },
  all: async (folder) => ["ctest", "--test-dir", (await buildIn(folder)) ?? "build", "--output-on-failure"],
  named: async (folder, name) => [
    "ctest",
    "--test-dir",
    (await buildIn(folder)) ?? "build",
    "--output-on-failure",
    "-R",
    escapeRegex(name),
  ],
};

async function buildIn(folder: Folder): Promise<string | undefined> {
  for (const dir of BUILDS) if (await folder.exists(`${dir}/CTestTestfile.cmake`)) return dir;
  return undefined;
}

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

async function makeTarget(folder: Folder): Promise<string | undefined> {
  for (const file of MAKEFILES) {
    const text = (await folder.read(file)) ?? "";
    for (const target of ["test", "tests", "check"])
      if (new RegExp(`^${target}\\s*::?(?!=)`, "m").test(text)) return target;
  }
  return undefined;
}

const make: Runner = {
  name: "make",
  sources: /./,
  async find(folder) {
    const target = await makeTarget(folder);
    return target === undefined ? undefined : { why: `the Makefile has a target ${target}`, rank: 3 };
  },
  all: async (folder) => ["make", (await makeTarget(folder)) ?? "test"],
};

const just: Runner = {
  name: "just",
  sources: /./,
  async find(folder) {
    for (const file of ["justfile", "Justfile", ".justfile"]) {
      if (/^@?test(?: [^:=\n]*)?:(?!=)/m.test((await folder.read(file)) ?? ""))
        return { why: `${file} has a recipe test`, rank: 3 };
    }
    return undefined;
  },
  all: async () => ["just", "test"],
};

export const OTHERS: readonly Runner[] = [rspec, minitest, phpunit, mix, swift, ctest];
export const WRAPPERS: readonly Runner[] = [make, just];
