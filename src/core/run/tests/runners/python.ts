// pytest, unittest, Django's runner; tox and nox, which wrap them.
import type { Folder } from "../folder.ts";
import { pathWord } from "../shell-words.ts";
import { pyIsTest, pyTestsOf } from "./conventions.ts";
import type { Found, Runner, Words } from "./runner.ts";

const PY = /\.py$/;
const MANIFESTS = [
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "tox.ini",
  "pytest.ini",
  "Pipfile",
  "requirements.txt",
  "requirements-dev.txt",
];

const pytest: Runner = {
  name: "pytest",
  sources: PY,
  async find(folder) {
    if (await folder.has("pytest.ini", ".pytest.ini")) return { why: "pytest.ini is there", rank: 0 };
    for (const name of MANIFESTS) {
      if (/\bpytest\b/.test((await folder.read(name)) ?? "")) return { why: `${name} mentions pytest`, rank: 1 };
    }
    if (folder.isRoot && (await folder.has("conftest.py"))) return { why: "conftest.py is there", rank: 2 };
    const test = await someTest(folder);
    return test === undefined || test.plain ? undefined : { why: `${test.name} is there`, rank: 2 };
  },
  all: async (folder) => [...(await within(folder)), "pytest"],
  isTest: pyIsTest,
  testsOf: pyTestsOf,
  files: async (folder, files) => [...(await within(folder)), "pytest", ...files.map(pathWord)],
  async named(folder, name, files) {
    const run = [...(await within(folder)), "pytest"];
    // A node id already names a place. Otherwise -k takes identifiers joined by keywords.
    if (name.includes("::")) return [...run, pathWord(name)];
    return [...run, "-k", (name.match(/\w+/g) ?? []).join(" and "), ...files.map(pathWord)];
  },
};

const unittest: Runner = {
  name: "unittest",
  sources: PY,
  async find(folder) {
    const test = await someTest(folder);
    return test?.plain ? { why: `${test.name} uses unittest`, rank: 1 } : undefined;
  },
  all: async (folder) => [...(await within(folder)), ...(await discovery(folder))],
  isTest: pyIsTest,
  testsOf: pyTestsOf,
  files: async (folder, files) => [...(await within(folder)), "python3", "-m", "unittest", ...files.map(pathWord)],
  async named(folder, name, files) {
    const last = name.split(/[.:]+/).at(-1) ?? name;
    const run = files.length > 0 ? ["python3", "-m", "unittest"] : await discovery(folder);
    return [...(await within(folder)), ...run, "-k", last, ...files.map(pathWord)];
  },
};

const django: Runner = {
  name: "django",
  sources: PY,
  find: async (folder) => ((await folder.has("manage.py")) ? { why: "manage.py is there", rank: 1 } : undefined),
  all: async (folder) => [...(await within(folder)), "python3", "manage.py", "test", "--noinput"],
  named: async (folder, name) => [
    ...(await within(folder)),
    "python3",
    "manage.py",
    "test",
    "--noinput",
    "-k",
    name.split(/[.:]+/).at(-1) ?? name,
  ],
};

const wrapper = (name: string, file: string, words: Words): Runner => ({
  name,
  sources: PY,
  find: async (folder): Promise<Found | undefined> =>
    (await folder.has(file)) ? { why: `${file} is there`, rank: 3 } : undefined,
  all: async () => words,
});

/** The first test of a Python project, and whether it is unittest's. */
async function someTest(folder: Folder): Promise<{ name: string; plain: boolean } | undefined> {
  if (!folder.isRoot && !(await folder.has(...MANIFESTS))) return undefined;
  for (const place of [folder, folder.within("tests"), folder.within("test")]) {
    const name = (await place.names()).find(pyIsTest);
    if (name !== undefined) return { name, plain: /\bunittest\b/.test((await place.read(name)) ?? "") };
  }
  return undefined;
}

/** Without a package in it, a folder of tests must be named to be found. */
async function discovery(folder: Folder): Promise<Words> {
  const run = ["python3", "-m", "unittest"];
  if ((await folder.names()).some(pyIsTest)) return run;
  for (const top of ["tests", "test"]) {
    const inside = await folder.within(top).names();
    if (inside.some(pyIsTest) && !inside.includes("__init__.py")) return [...run, "discover", "-s", top];
  }
  return run;
}

/** The project's own environment. */
async function within(folder: Folder): Promise<Words> {
  if (await folder.has("uv.lock")) return ["uv", "run"];
  if (await folder.has("poetry.lock")) return ["poetry", "run"];
  if (await folder.has("pdm.lock")) return ["pdm", "run"];
  if (await folder.has("Pipfile.lock")) return ["pipenv", "run"];
  return [];
}

export const PYTHON: readonly Runner[] = [pytest, django, unittest];
export const PYTHON_WRAPPERS: readonly Runner[] = [
  wrapper("tox", "tox.ini", ["tox"]),
  wrapper("nox", "noxfile.py", ["nox"]),
];
