// The Workspace port on real folders and git. It only reads: git runs without taking locks, and none of the
// repository's settings count.
// Owns: nothing.
import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Workspace } from "../../core/run/tests/workspace.ts";

/** Manifests and requirement lists are smaller. Larger files were generated. */
const FILE_BYTES_MAX = 1 << 20;
/** A cold status of a large repository takes seconds. Without an answer we run all tests. */
const GIT_MS_MAX = 10_000;
/** Some hundred thousand paths. With more we run all tests. */
const GIT_BYTES_MAX = 16 << 20;

export function workspaceAt(root: string): Workspace {
  const top = resolve(root);
  return {
    root: top,
    read: (path) => readText(resolve(top, path)),
    exists: (path) => isThere(resolve(top, path)),
    list: (dir) => namesIn(resolve(top, dir)),
    changed: () => changedIn(top),
  };
}

async function readText(path: string): Promise<string | undefined> {
  return missing(async () => {
    const { size } = await stat(path).then((found) => (found.isFile() ? found : { size: Number.POSITIVE_INFINITY }));
    return size > FILE_BYTES_MAX ? undefined : await readFile(path, "utf8");
  });
}

async function isThere(path: string): Promise<boolean> {
  return (await missing(() => access(path).then(() => true))) ?? false;
}

async function namesIn(dir: string): Promise<readonly string[]> {
  return (await missing(() => readdir(dir))) ?? [];
}

/** A path that is missing, not a folder or unreadable has no entries. */
async function missing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"].includes(String(code))) return undefined;
    throw error;
  }
}

/**
 * Added, changed and deleted files. `git status` obeys the repository's settings, which may be an agent's: filters, a monitor,
 * how missing objects are fetched. So it runs in an empty repository of ours that borrows the objects and the index.
 */
async function changedIn(root: string): Promise<readonly string[]> {
  const where = [
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-path",
    "objects",
    "--git-path",
    "index",
  ];
  const [top, objects, index] = (await git(root, where))?.split("\n") ?? [];
  if (top === undefined || objects === undefined || index === undefined) return [];
  const head = (await git(root, ["rev-parse", "--verify", "-q", "HEAD"])) ?? "ref: refs/heads/none\n";
  const own = await mkdtemp(join(tmpdir(), "duetty-git-"));
  try {
    for (const folder of ["objects/info", "refs"]) await mkdir(join(own, folder), { recursive: true });
    await writeFile(join(own, "HEAD"), head);
    await writeFile(join(own, "objects/info/alternates"), `${objects}\n`);
    const args = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
    const status = await git(root, [...args, "--", "."], { GIT_DIR: own, GIT_WORK_TREE: top, GIT_INDEX_FILE: index });
    // Git names the real folder, whatever links led here.
    const real = await realpath(root);
    const entries = (status ?? "").split("\0").filter((entry) => entry.length > 3);
    return entries.map((entry) => relative(real, join(top, entry.slice(3))));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Git's output, or undefined when git is missing, this is no repository, or it takes too long. */
function git(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const settings = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_ATTR_NOSYSTEM: "1" };
  const env = {
    ...process.env,
    ...settings,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: "none",
    LC_ALL: "C",
    ...more,
  };
  const options = { cwd, env, timeout: GIT_MS_MAX, maxBuffer: GIT_BYTES_MAX, encoding: "utf8" as const };
  return new Promise<string | undefined>((answer) => {
    execFile("git", args, options, (error, stdout) => answer(error === null ? stdout : undefined));
  });
}
