// Maven, Gradle and .NET: tests are classes, projects are modules.
import type { Folder } from "../folder.ts";
import { dirOf, stemOf } from "../paths.ts";
import { jvmIsTest, jvmTestsOf } from "./conventions.ts";
import type { Runner, Unit, Words } from "./runner.ts";

const JVM = /\.(?:java|kt|groovy|scala)$/;

const maven: Runner = {
  name: "maven",
  sources: JVM,
  find: async (folder) => ((await folder.has("pom.xml")) ? { why: "pom.xml is there", rank: 1 } : undefined),
  all: async (folder) => [...(await mvn(folder)), "test"],
  isTest: jvmIsTest,
  testsOf: jvmTestsOf,
  files: async (folder, files) => [
    ...(await mvn(folder)),
    ...(await only(folder, files)),
    `-Dtest=${files.map(stemOf).join(",")}`,
    "test",
  ],
  named: async (folder, name, files) => {
    const [method = name, type = files.map(stemOf)[0] ?? "*"] = name.split(/[.#]/).reverse();
    return [
      ...(await mvn(folder)),
      ...(await only(folder, files)),
      `-Dtest=${type}#${method}`,
      ...QUIET_MODULES,
      "test",
    ];
  },
  inPackage: async (folder, name) => [...(await mvn(folder)), "-pl", name, "-am", "test"],
  async units(folder, files) {
    const modules = await modulesOf(folder, files, ["pom.xml"]);
    return (
      modules && {
        kind: "package",
        words: [...(await mvn(folder)), "-pl", modules.join(","), "-am", "test"],
        what: modules,
      }
    );
  },
};

/** Modules on the way have no test of that name. */
const QUIET_MODULES = ["-Dsurefire.failIfNoSpecifiedTests=false"];

async function mvn(folder: Folder): Promise<Words> {
  return [(await folder.has("mvnw")) ? "./mvnw" : "mvn", "-B"];
}

async function only(folder: Folder, files: readonly string[]): Promise<Words> {
  const modules = await modulesOf(folder, files, ["pom.xml"]);
  return modules === undefined ? [] : ["-pl", modules.join(","), "-am", ...QUIET_MODULES];
}

const gradle: Runner = {
  name: "gradle",
  sources: JVM,
  find: async (folder) =>
    (await folder.has("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"))
      ? { why: "a Gradle build is there", rank: 1 }
      : undefined,
  all: async (folder) => [await gradlew(folder), "--console=plain", "test"],
  isTest: jvmIsTest,
  testsOf: jvmTestsOf,
  files: async (folder, files) => [
    await gradlew(folder),
    "--console=plain",
    "test",
    ...files.flatMap((file) => ["--tests", `*${stemOf(file)}`]),
  ],
  named: async (folder, name) => [
    await gradlew(folder),
    "--console=plain",
    "test",
    "--tests",
    name.includes(".") ? name : `*${name}`,
  ],
  inPackage: async (folder, name) => [
    await gradlew(folder),
    "--console=plain",
    `${name.startsWith(":") ? "" : ":"}${name.replaceAll("/", ":")}:test`,
  ],
  async units(folder, files) {
    const modules = await modulesOf(folder, files, ["build.gradle", "build.gradle.kts"]);
    const tasks = modules?.map((module) => `:${module.replaceAll("/", ":")}:test`);
    return (
      tasks &&
      modules && { kind: "package", words: [await gradlew(folder), "--console=plain", ...tasks], what: modules }
    );
  },
};

async function gradlew(folder: Folder): Promise<string> {
  return (await folder.has("gradlew")) ? "./gradlew" : "gradle";
}

/** The folders below this one that build the files; undefined when one of them is built here. */
async function modulesOf(
  folder: Folder,
  files: readonly string[],
  manifests: readonly string[],
): Promise<string[] | undefined> {
  const modules = new Set<string>();
  for (const file of files) {
    let dir = dirOf(file);
    while (dir !== "" && !(await folder.within(dir).has(...manifests))) dir = dirOf(dir);
    if (dir === "") return undefined;
    modules.add(dir);
  }
  return modules.size === 0 ? undefined : [...modules];
}

const dotnet: Runner = {
  name: "dotnet",
  sources: /\.(?:cs|fs|vb)$/,
  async find(folder) {
    const project = (await folder.names()).find((name) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/.test(name));
    return project === undefined ? undefined : { why: `${project} is there`, rank: 1 };
  },
  all: async () => ["dotnet", "test"],
  isTest: (path) => /Tests?\.(?:cs|fs|vb)$/.test(path),
  files: async (_, files) => [
    "dotnet",
    "test",
    "--filter",
    files.map((file) => `FullyQualifiedName~${stemOf(file)}`).join("|"),
  ],
  named: async (_, name) => ["dotnet", "test", "--filter", `FullyQualifiedName~${name}`],
  inPackage: async (_, name) => ["dotnet", "test", name],
  async units(folder, files): Promise<Unit | undefined> {
    const dirs = new Set<string>();
    for (const file of files) {
      let dir = dirOf(file);
      while (dir !== "" && !(await folder.within(dir).names()).some((name) => /\.\w{2}proj$/.test(name)))
        dir = dirOf(dir);
      if (dir === "" || !/test/i.test(dir)) return undefined;
      dirs.add(dir);
    }
    const [only, ...more] = dirs;
    return only === undefined || more.length > 0
      ? undefined
      : { kind: "package", words: ["dotnet", "test", only], what: [only] };
  },
};

export const JVM_DOTNET: readonly Runner[] = [maven, gradle, dotnet];
