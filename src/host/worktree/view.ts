// A look at a tree through a git folder of our own that lives for one look. Its settings are ours: a few plain ones of the
// person's, none of the tree's, so nothing that an agent writes there names a program. The tree's refs and objects are seen,
// and what is written stays in the look. Owns: that folder. Refuses: to run anything below a nested repository.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { Settings } from "../../core/worktree/porcelain.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { Git } from "../git/git.ts";
import { CommonGit } from "./repository.ts";
import { LINE_BYTES_MAX, readPlain, takeIndex, takeStore } from "./taking.ts";

/** Settings that change what counts as a change, and run nothing. */
const PLAIN = [
  ...["core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode"],
  ...["core.checkstat", "core.trustctime", "core.excludesfile", "core.attributesfile", "extensions.objectformat"],
];
const PATHS = new Set(["core.excludesfile", "core.attributesfile"]);

const OURS: readonly (readonly [string, string])[] = [
  ["core.bare", "false"],
  ["core.hookspath", "/dev/null"],
  ["core.fsmonitor", "false"],
  // The tree's index could name files that it wants to hide.
  ["core.untrackedcache", "false"],
  ["core.safecrlf", "false"],
  ["core.quotepath", "false"],
  // Any name that is on the disk can be kept.
  ["core.protectntfs", "false"],
  ["core.protecthfs", "false"],
  ["core.logallrefupdates", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["index.sparse", "false"],
  // A submodule's own settings would count in a git that is started inside it.
  ["diff.ignoresubmodules", "all"],
  ["submodule.recurse", "false"],
  ["protocol.allow", "never"],
  ["uploadpack.allowanysha1inwant", "true"],
  ["pack.threads", "1"],
];

export interface View extends AsyncDisposable {
  readonly git: Git;
  readonly dir: string;
  /** A copy of the tree's index. Undefined: its files were never written. */
  readonly index: string | undefined;
  /** A work tree without files, for calls that need none. */
  readonly nowhere: string;
  readonly branch: string | null;
  /** Undefined where there is no commit. */
  readonly head: string | undefined;
}

/** The settings that hold for the files of a tree, as `section.key` and value. */
export function plainSettings(settings: Settings): [string, string][] {
  const home = process.env.HOME ?? "";
  const ignore = `${process.env.XDG_CONFIG_HOME || `${home}/.config`}/git`;
  const usual = new Map([
    ["core.excludesfile", `${ignore}/ignore`],
    ["core.attributesfile", `${ignore}/attributes`],
  ]);
  return PLAIN.flatMap((key): [string, string][] => {
    const value = settings.get(key) ?? usual.get(key);
    if (value === undefined) return [];
    return [[key, PATHS.has(key) ? value.replace(/^~(?=\/)/, home) : value]];
  });
}

/** `folder` is for looks. `signal` gives its git up. */
export async function openView(tree: Tree, folder: string, signal: AbortSignal): Promise<View | Fault> {
  const head = standingLine(join(tree.git, "HEAD"));
  if (head === undefined || !fs.statSync(tree.path, { throwIfNoEntry: false })?.isDirectory()) return gone(tree);
  const dir = join(folder, randomBytes(6).toString("hex"));
  const dispose = () => fs.promises.rm(dir, { recursive: true, force: true });
  try {
    const view = await filled(tree, dir, head, signal);
    if (isFault(view)) await dispose();
    return isFault(view) ? view : { ...view, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function filled(
  tree: Tree,
  dir: string,
  head: string,
  signal: AbortSignal,
): Promise<Omit<View, keyof AsyncDisposable> | Fault> {
  const nowhere = join(dir, "nowhere");
  for (const name of ["objects/info", "info", "nowhere"])
    fs.mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
  const index = await takeIndex(tree.git, dir);
  if (index === false || (tree.form === "clone" && !(isOwnStore(tree) && (await takeStore(tree.git, dir)))))
    return changed(tree);
  if (tree.form === "linked") lend(tree.common, dir);
  for (const name of ["exclude", "attributes"]) {
    const from = join(tree.common, "info", name);
    if (fs.existsSync(from)) fs.copyFileSync(from, join(dir, "info", name));
  }
  fs.writeFileSync(join(dir, "objects/info/alternates"), `${join(tree.common, "objects")}\n`);
  const plain = plainSettings(await new CommonGit(tree.common).settings());
  const version = plain.some(([key]) => key === "extensions.objectformat") ? "1" : "0";
  fs.writeFileSync(join(dir, "config"), configText([...plain, ["core.repositoryformatversion", version], ...OURS]));
  fs.writeFileSync(join(dir, "HEAD"), `${head}\n`);
  const git = new Git(dir, tree.path, signal);
  const commit = (
    await git.text(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { at: nowhere, ok: [0, 1, 128] })
  ).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  return { git, dir, index, nowhere, branch, head: commit || undefined };
}

const REFS = ["refs", "packed-refs", "shallow"];

function lend(common: string, dir: string): void {
  for (const name of REFS.filter((one) => fs.existsSync(join(common, one))))
    fs.symlinkSync(join(common, name), join(dir, name));
}

/** From here on only the person's repository has objects. It has the commit by now. */
export async function withoutStore({ common }: Tree, { dir, head }: View): Promise<void> {
  const stores = fs.readdirSync(join(dir, "objects")).filter((name) => name !== "info");
  for (const name of [...REFS, ...stores.map((one) => `objects/${one}`)])
    await fs.promises.rm(join(dir, name), { recursive: true, force: true });
  lend(common, dir);
  if (head !== undefined) fs.writeFileSync(join(dir, "HEAD"), `${head}\n`);
}

/** As we made it: what it borrows comes from the person's repository alone. */
function isOwnStore(tree: Tree): boolean {
  const path = join(tree.git, "objects/info/alternates");
  const borrowed = readPlain(path, LINE_BYTES_MAX)?.toString("utf8").trim();
  return borrowed === undefined || borrowed === join(tree.common, "objects");
}

function changed({ path }: Tree): Fault {
  const message = `the git folder of ${path} was changed to read from elsewhere, or is too large`;
  return fault("worktree.refused", message, "Look at it by hand.");
}

function gone(tree: Tree): Fault {
  return fault(
    "worktree.gone",
    `the work tree at ${tree.path} is gone, or git no longer knows it`,
    "If you moved it, move it back; `git worktree repair` there tells git again.",
  );
}

/** A branch or a commit. Anything else in its place is an agent's. */
function standingLine(path: string): string | undefined {
  const line = readPlain(path, LINE_BYTES_MAX)?.toString("utf8").trim() ?? "";
  return /^(?:ref: refs\/heads\/[^\x00-\x20\x7f~^:?*[\\]+|[0-9a-f]{40,64})$/.test(line) ? line : undefined;
}

export function configText(settings: readonly (readonly [string, string])[]): string {
  return settings
    .map(([name, value]) => {
      const [section, key] = name.split(".");
      return `[${section}]\n\t${key} = "${value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"\n`;
    })
    .join("");
}
