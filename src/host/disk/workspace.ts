// The Workspace port on real folders and git. It only reads: git runs without taking locks or starting its monitor.
// Owns: nothing.
import { execFile } from "node:child_process";
import { access, readdir, readFile, realpath, stat } from "node:fs/promises";
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

async function changedIn(root: string): Promise<readonly string[]> {
  const top = (await git(root, ["rev-parse", "--show-toplevel"]))?.trimEnd();
  if (top === undefined) return [];
  const status = await git(root, [
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--",
    ".",
  ]);
  // Git names the real folder, whatever links led here.
  const real = await realpath(root);
  const entries = (status ?? "").split("\0").filter((entry) => entry.length > 3);
  return entries.map((entry) => relative(real, join(top, entry.slice(3))));
}

/** Git's output, or undefined when git is missing, this is no repository, or it takes too long. */
function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const options = { cwd, env, timeout: GIT_MS_MAX, maxBuffer: GIT_BYTES_MAX, encoding: "utf8" as const };
  return new Promise((answer) => {
    execFile("git", ["-c", "core.fsmonitor=false", ...args], options, (error, stdout) =>
      answer(error === null ? stdout : undefined),
    );
  });
}
