// The shadow repository's folder: its configuration, which is ours alone, and the names in it. Owns: their form on disk.
// The workspace's .gitattributes may ask for line ends, filters and encodings; our attributes come first and say no to all.
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import { join } from "node:path";

const CONFIG = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	autocrlf = false
	safecrlf = false
	protectNTFS = false
	protectHFS = false
	hooksPath = /dev/null
	fsmonitor = false
	excludesFile = /dev/null
	attributesFile = /dev/null
	sparseCheckout = false
	logAllRefUpdates = false
	checkStat = default
	trustctime = true
[gc]
	auto = 0
[maintenance]
	auto = false
[index]
	sparse = false
	version = 2
[feature]
	manyFiles = false
[submodule]
	recurse = false
[diff]
	ignoreSubmodules = all
[pack]
	threads = 1
`;

const ATTRIBUTES = "* -text !eol -ident !filter !working-tree-encoding !diff !merge !crlf\n";

/** How the name begins that a bring-back in progress gives a file before its own. */
export const TEMPORARY = ".duetty-undo-tmp";

/** Whether a file of this name is a leftover of ours. */
export function isLeftover(name: string): boolean {
  return /^\.duetty-undo-tmp(?:-[0-9a-f]{12})?$/.test(name);
}

export interface Layout {
  readonly dir: string;
  readonly state: string;
  readonly points: string;
  readonly refs: string;
  readonly more: string;
}

export function layoutOf(dir: string): Layout {
  return {
    dir,
    state: join(dir, "state.json"),
    points: join(dir, "points"),
    refs: join(dir, "refs/points"),
    more: join(dir, "more"),
  };
}

/** Makes what is missing. A folder that a killed daemon left half made is completed. */
export async function prepare(dir: string, workspace: string, hidden: readonly string[]): Promise<Layout> {
  const layout = layoutOf(dir);
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/points", "info", "points", "more"])
    await fs.mkdir(join(dir, folder), { recursive: true, mode: 0o700 });
  await replaceFile(join(dir, "config"), CONFIG);
  await replaceFile(join(dir, "info/attributes"), ATTRIBUTES);
  await replaceFile(join(dir, "info/exclude"), hidden.map((path) => `/${escaped(path)}/\n`).join(""));
  await replaceFile(join(dir, "workspace"), workspace);
  await replaceFile(join(dir, "HEAD"), "ref: refs/heads/none\n");
  return layout;
}

/** Either the old content or the new is there, whenever we are killed. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  await fs.writeFile(temporary, content, { mode: 0o600 });
  await fs.rename(temporary, path);
}

/** Undefined when it does not exist or a kill left it unreadable. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await fs.readFile(path, "utf8")) as T;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

export function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");
}

/** A name in git's language of patterns. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, "\\$&");
}
