// The person's repository, and git calls on it. No hook, monitor or transport of its settings runs: guards stand before each
// call. Owns: how a repository is found and asked. Refuses: to look at the files of a tree (view.ts).
import fs from "node:fs";
import { join } from "node:path";
import { codeOf, type Fault, fault, shortageOf } from "../../core/base/fault.ts";
import { type ListedTree, listedTrees, type Settings, settingsIn } from "../../core/worktree/porcelain.ts";
import { Git, GitTrouble } from "../git/git.ts";

/** The first with `merge-tree --write-tree`. */
const OLDEST = [2, 38] as const;

export const GUARDS = [
  ...["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false"],
  ...["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "submodule.recurse=false"],
];

/** Folders of this machine. Other calls reach nothing (src/host/git/git.ts). */
const LOCAL = { GIT_ALLOW_PROTOCOL: "file" };
const QUIET = [
  ...[
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-prune",
  ],
];

/** Git's own variables of whoever started us must not lead it elsewhere. */
const PERSONS = {
  HOME: process.env.HOME,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
  ...{ GIT_CONFIG_NOSYSTEM: undefined, GIT_CONFIG_GLOBAL: undefined, GIT_CONFIG_SYSTEM: undefined },
};

export interface Repository {
  /** The top of the work tree, or the bare folder. */
  readonly repo: string;
  readonly common: string;
  /** The branch of the work tree that was asked about. Null: detached. */
  readonly branch: string | null;
  readonly commit: string;
  readonly settings: Settings;
}

export async function findRepository(cwd: string): Promise<Repository | Fault> {
  if (!fs.statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return fault("cwd.not_found", `there is no folder ${cwd}`, "Name one that exists with cwd.");
  const here = new Git("", cwd, undefined, {
    env: { ...PERSONS, GIT_DIR: undefined, GIT_WORK_TREE: undefined },
  });
  const old = tooOld(await here.text(["version"]));
  if (old) return old;
  const ask = async (...args: string[]) =>
    (await here.text([...GUARDS, "rev-parse", "--path-format=absolute", ...args])).trim();
  const common = await ask("--git-common-dir").catch((error: unknown) => noRepository(cwd, error));
  if (typeof common !== "string") return common;
  const settings = await settingsOf(utf8(common));
  if (settings.get("extensions.refstorage") === "reftable")
    return fault(
      "worktree.unavailable",
      "this repository keeps its refs in a reftable",
      "Work trees need the files format of refs.",
    );
  const isBare = (await ask("--is-bare-repository")) === "true";
  // Inside the git folder there is no work tree.
  const repo = isBare ? common : await ask("--show-toplevel").catch(() => common);
  const commit = await ask("--verify", "--quiet", "HEAD^{commit}").catch(() => "");
  const branch = await here.text([...GUARDS, "symbolic-ref", "--quiet", "--short", "HEAD"]).catch(() => "");
  return {
    ...{ repo: utf8(repo), common: utf8(common), commit, settings },
    branch: utf8(branch.trim()) || null,
  };
}

function noRepository(cwd: string, error: unknown): Fault {
  if (!(error instanceof GitTrouble) || error.code !== "failed") throw error;
  if (/dubious ownership/.test(error.message))
    return fault(
      "worktree.unavailable",
      `${cwd} belongs to somebody else`,
      "Tell git to trust it: git config --global --add safe.directory FOLDER",
    );
  return fault(
    "worktree.unavailable",
    `${cwd} is in no git repository`,
    "Name a folder in one with cwd, or make one: git init",
  );
}

function tooOld(text: string): Fault | undefined {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(text) ?? []).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return fault(
    "worktree.unavailable",
    `${text.trim()} is too old`,
    `Work trees need git ${OLDEST.join(".")} or newer.`,
  );
}

/** All that counts for the person there: theirs, the machine's, the repository's. */
async function settingsOf(common: string): Promise<Settings> {
  const git = new Git(common, common, undefined, { env: { ...PERSONS, GIT_WORK_TREE: undefined } });
  return settingsIn(await git.list(["config", "--list", "-z"]));
}

/** Calls on the person's repository as a whole. */
export class CommonGit {
  readonly common: string;
  #git: Git;
  #outside: Git;
  #hold: number | undefined;

  /** `hold`: the lock, for calls that change something. */
  constructor(common: string, hold?: number) {
    this.common = common;
    this.#hold = hold;
    const who = { GIT_AUTHOR_NAME: "duetty", GIT_AUTHOR_EMAIL: "duetty@localhost" };
    const also = { GIT_COMMITTER_NAME: who.GIT_AUTHOR_NAME, GIT_COMMITTER_EMAIL: who.GIT_AUTHOR_EMAIL };
    const env = { GIT_WORK_TREE: undefined, ...who, ...also };
    this.#git = new Git(common, common, undefined, { env, hold });
    // Started in no repository: what it finds around it would count.
    this.#outside = new Git("/", "/", undefined, { env: { ...env, ...LOCAL, GIT_DIR: undefined }, hold });
  }

  async text(...args: string[]): Promise<string> {
    return (await this.#git.text([...GUARDS, ...args])).trim();
  }

  /** A repository of its own that borrows our objects, on a branch that begins at a commit. */
  async lend(to: string, branch: string, commit: string): Promise<void> {
    const how = ["--quiet", "--shared", "--no-checkout", "--no-tags", "--template="];
    await this.#outside.text([...GUARDS, "clone", ...how, "--", this.common, to]);
    const there = (...args: string[]) => this.#outside.text([...GUARDS, `--git-dir=${to}/.git`, ...args]);
    await there("update-ref", `refs/heads/${branch}`, commit);
    await there("symbolic-ref", "HEAD", `refs/heads/${branch}`);
  }

  /**
   * Into our objects and refs, but by settings of our own, those of the view: the repository's name transports and programs, and an
   * agent may have made it. strict: every object is checked, as those of strangers are.
   */
  async fetch(view: string, refspec: string, check: "strict" | "none"): Promise<void> {
    const dir = join(view, "receiver");
    fs.mkdirSync(dir, { mode: 0o700 });
    fs.copyFileSync(join(view, "config"), join(dir, "config"));
    fs.writeFileSync(join(dir, "HEAD"), "ref: refs/heads/none\n");
    for (const name of ["objects", "refs", "packed-refs", "shallow"])
      if (fs.existsSync(join(this.common, name))) fs.symlinkSync(join(this.common, name), join(dir, name));
    const env = { ...LOCAL, GIT_WORK_TREE: undefined };
    const receiver = new Git(dir, dir, undefined, { env, hold: this.#hold });
    const settings = ["-c", `transfer.fsckObjects=${check === "strict"}`, "-c", "fetch.writeCommitGraph=false"];
    await receiver.text([...settings, "fetch", ...QUIET, "--", view, refspec]);
    fs.rmSync(dir, { recursive: true });
  }

  settings(): Promise<Settings> {
    return settingsOf(this.common);
  }

  /** Whether it ends well. Not being able to start is no answer. */
  async holds(...args: string[]): Promise<boolean> {
    return this.text(...args).then(
      () => true,
      (error: unknown) => {
        if (error instanceof GitTrouble && error.code === "failed") return false;
        throw error;
      },
    );
  }

  /** Undefined where it names none. */
  async commitOf(name: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    return (await this.holds(...args)) ? this.text(...args) : undefined;
  }

  async trees(): Promise<ListedTree[]> {
    const listed = listedTrees(await this.#git.text([...GUARDS, "worktree", "list", "--porcelain", "-z"]));
    return listed.map((tree) => ({ ...tree, path: utf8(tree.path), branch: tree.branch && utf8(tree.branch) }));
  }

  async branches(): Promise<string[]> {
    const text = await this.text("for-each-ref", "--format=%(refname)", "refs/heads/");
    return text.split("\n").map((name) => utf8(name.replace("refs/heads/", "")));
  }
}

/** The names of its remotes, each once. */
export function remotesIn(settings: Settings): string[] {
  const named = [...settings.keys()].flatMap((key) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? []);
  return [...new Set(named.map(utf8))];
}

/** git's output has one character per byte. */
export function utf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

/** What git or the machine refuses. Undefined: a bug. */
export function faultOf(error: unknown): Fault | undefined {
  const hint = "Nothing of yours was lost. Look at the repository with git, then try again.";
  if (!(error instanceof GitTrouble)) {
    const isRefused = error instanceof Error && /^E[A-Z]+$/.test(codeOf(error));
    return shortageOf(error) ?? (isRefused ? fault("worktree.failed", error.message, hint) : undefined);
  }
  if (error.code === "missing") return fault("worktree.unavailable", error.message, "Install git, then try again.");
  if (/No space left on device|Disk quota exceeded/.test(error.message))
    return fault("disk.full", "the disk is full", "Free some space, then try again.");
  return fault("worktree.failed", error.message, hint);
}
