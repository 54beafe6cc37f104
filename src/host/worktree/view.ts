// A look at a tree through a git folder of our own that lives for one look. Its settings are ours: a few plain ones of the
// person's, none of the tree's, so nothing that an agent writes there names a program. The tree's refs and objects are seen,
// and what is written stays in the look. Owns: that folder. Refuses: to run anything below a nested repository.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Settings } from "../../core/worktree/porcelain.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { Git } from "../git/git.ts";
import { CommonGit } from "./repository.ts";

/** HEAD is one line. */
const HEAD_BYTES_MAX = 4 << 10;
/** An index of ten million files. */
const INDEX_BYTES_MAX = 1 << 30;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

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

/** `folder` is for looks. `at`: where the files are by now. */
export async function openView(tree: Tree, folder: string, at = tree.path): Promise<View | Fault> {
  const head = standingLine(join(tree.git, "HEAD"));
  if (head === undefined || !fs.statSync(at, { throwIfNoEntry: false })?.isDirectory()) return gone(tree);
  if (tree.form === "clone" && !isOwnStore(tree))
    return fault(
      "worktree.refused",
      `the git folder of ${tree.path} was changed to read from elsewhere`,
      "Look at it by hand.",
    );
  const settings = await new CommonGit(tree.common).settings();
  const dir = join(folder, randomBytes(6).toString("hex"));
  const nowhere = join(dir, "nowhere");
  for (const name of ["objects/info", "info", "nowhere"])
    fs.mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
  const dispose = async () => fs.promises.rm(dir, { recursive: true, force: true });
  const refs = tree.form === "linked" ? tree.common : tree.git;
  for (const name of ["refs", "packed-refs", "shallow"])
    if (fs.existsSync(join(refs, name))) fs.symlinkSync(join(refs, name), join(dir, name));
  for (const name of ["exclude", "attributes"]) {
    const from = join(tree.common, "info", name);
    if (fs.existsSync(from)) fs.copyFileSync(from, join(dir, "info", name));
  }
  const stores = [...new Set([join(refs, "objects"), join(tree.common, "objects")])];
  fs.writeFileSync(join(dir, "objects/info/alternates"), stores.map((path) => `${path}\n`).join(""));
  const plain = plainSettings(settings);
  const version = plain.some(([key]) => key === "extensions.objectformat") ? "1" : "0";
  fs.writeFileSync(join(dir, "config"), configText([...plain, ["core.repositoryformatversion", version], ...OURS]));
  fs.writeFileSync(join(dir, "HEAD"), `${head}\n`);
  const index = copyIndex(tree.git, dir);
  const git = new Git(dir, at);
  const commit = (
    await git.text(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { at: nowhere, ok: [0, 1, 128] })
  ).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  return { git, dir, index, nowhere, branch, head: commit || undefined, [Symbol.asyncDispose]: dispose };
}

/** As we made it: what it borrows comes from the person's repository alone. */
function isOwnStore(tree: Tree): boolean {
  const isFolder = (name: string) => fs.lstatSync(join(tree.git, name), { throwIfNoEntry: false })?.isDirectory();
  const borrowed = readPlain(join(tree.git, "objects/info/alternates"), HEAD_BYTES_MAX)?.toString("utf8").trim();
  const isUsual = borrowed === undefined || borrowed === join(tree.common, "objects");
  const isReal = ["", "objects", "refs", "objects/info"].every((name) => isFolder(name));
  return (
    isUsual && isReal && ["objects", "objects/pack", "objects/info"].every((name) => !hasLinks(join(tree.git, name)))
  );
}

/** git makes none there. One could lead to the objects of another repository. */
function hasLinks(folder: string): boolean {
  return (
    fs.existsSync(folder) && fs.readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink())
  );
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
  const line = readPlain(path, HEAD_BYTES_MAX)?.toString("utf8").trim() ?? "";
  return /^(?:ref: refs\/heads\/[^\x00-\x20\x7f~^:?*[\\]+|[0-9a-f]{40,64})$/.test(line) ? line : undefined;
}

function copyIndex(git: string, dir: string): string | undefined {
  const bytes = readPlain(join(git, "index"), INDEX_BYTES_MAX);
  if (bytes === undefined) return undefined;
  fs.writeFileSync(join(dir, "index"), bytes);
  // git distrusts entries that are as new as the index. An older copy makes it distrust more.
  const { mtimeMs } = fs.statSync(join(git, "index"));
  fs.utimesSync(join(dir, "index"), Math.floor(mtimeMs / 1_000), Math.floor(mtimeMs / 1_000));
  // A split index has its larger part beside it.
  for (const name of fs.readdirSync(git).filter((one) => /^sharedindex\.[0-9a-f]+$/.test(one))) {
    const shared = readPlain(join(git, name), INDEX_BYTES_MAX);
    if (shared) fs.writeFileSync(join(dir, name), shared);
  }
  return join(dir, "index");
}

/** No link is followed, and a pipe keeps nobody waiting. Undefined: no plain file of that size. */
export function readPlain(path: string, bytesMax: number): Buffer | undefined {
  if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() && stat.size <= bytesMax ? fs.readFileSync(fd) : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

export function configText(settings: readonly (readonly [string, string])[]): string {
  return settings
    .map(([name, value]) => {
      const [section, key] = name.split(".");
      return `[${section}]\n\t${key} = "${value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"\n`;
    })
    .join("");
}
