// Work trees of sessions: made outside the repository, looked at without trusting them, removed without losing anything.
// Owns: the notes about them and the order of changes in a repository. git is the registry; a note stands beside it.
// Refuses: to write a tree's files (its session does, where everybody sees it) and to know sessions.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { isWithin } from "../../core/box/plan.ts";
import type { MergeCheck, TreeDiff } from "../../core/worktree/diff.ts";
import { type Losses, lossLines } from "../../core/worktree/losses.ts";
import type { Tree, TreeAsk, TreeStatus } from "../../core/worktree/tree.ts";
import { privateFolder } from "../disk/private.ts";
import { GitTrouble } from "../git/git.ts";
import { whileNoPipe } from "../git/pipes.ts";
import { bring, bringShown } from "./bringing.ts";
import { diffOf, mergeCheckOf } from "./compare.ts";
import { make, planned, unmake } from "./creation.ts";
import { findingsOf } from "./findings.ts";
import { RepositoryLocks } from "./lock.ts";
import { statusOf } from "./looks.ts";
import { type Note, Notes } from "./notes.ts";
import { asideFolder, asideOf, carryOut, prepareRemoval, sweep } from "./removal.ts";
import { CommonGit, faultOf, findRepository, type Repository } from "./repository.ts";
import { reversed } from "./reversal.ts";
import { openView, type View, withoutStore } from "./view.ts";

/** One that takes longer keeps others waiting. */
const LOOK_MS_MAX = 10_000;
/** What git writes beside the files themselves, and blocks that are not full. */
const ROOM_FACTOR = 1.2;

interface Removed {
  /** A ref of the person's repository that has all that would have been lost. Null: nothing was. */
  readonly saved: string | null;
  readonly branch: "kept" | "deleted";
  /** Where the folder is for two weeks, if something in it fits into no ref. */
  readonly kept: string | null;
}

export interface TreesParts {
  /** Where trees are made. */
  readonly root: string;
  /** Where our notes are. */
  readonly state: string;
  now(): number;
  /** Each step of a change, when it is done. */
  readonly step?: (id: string, name: string) => void;
}

export class Trees {
  readonly #parts: TreesParts;
  readonly #notes: Notes;
  readonly #looks: string;
  readonly #locks = new RepositoryLocks();

  private constructor(parts: TreesParts) {
    this.#parts = parts;
    this.#notes = new Notes(parts.state);
    this.#looks = join(parts.state, "looks");
    // A look of a daemon that was killed.
    fs.rmSync(this.#looks, { recursive: true, force: true });
    privateFolder(this.#looks);
  }

  /** Takes back, or carries out, what the last daemon left half done. */
  static async open(parts: TreesParts): Promise<Trees> {
    const trees = new Trees(parts);
    // What git or the disk refuses today is tried at the next start.
    for (const note of trees.#notes.all) await guarded(() => trees.#recover(note));
    await guarded(() => trees.sweep());
    return trees;
  }

  list(): readonly Tree[] {
    return this.#notes.all.filter(({ phase }) => phase === "ready").map(({ tree }) => tree);
  }

  /** All but the files. `refuses`: why whoever asks gets none of this repository. */
  create(ask: TreeAsk, refuses?: (found: Repository) => Fault | undefined): Promise<Tree | Fault> {
    return guarded(async () => {
      const found = await findRepository(ask.cwd);
      if (isFault(found)) return found;
      const refused = refuses?.(found);
      if (refused) return refused;
      const folder = this.#folderOf(found);
      if (isFault(folder)) return folder;
      return this.#locks.run(found.common, async (git) => {
        const others = this.list().filter(({ common }) => common === found.common);
        const tree = await planned(git, ask, found, { folder, others, now: this.#parts.now() });
        if (isFault(tree)) return tree;
        const noRoom = await this.#noRoom(tree, found);
        if (noRoom) return noRoom;
        return this.#make(git, tree, found);
      });
    });
  }

  /** Writes the files. To be run inside the session. */
  checkout(tree: Tree): readonly string[] {
    const without = hasProgram("git-lfs")
      ? []
      : ["-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false"];
    const guards = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "checkout.workers=0"];
    return ["git", "-C", tree.path, ...guards, ...without, "reset", "--hard", "--no-recurse-submodules"];
  }

  look(tree: Tree): Promise<TreeStatus | Fault> {
    return this.#view(tree, (view) => statusOf(tree, view), AbortSignal.timeout(LOOK_MS_MAX));
  }

  /** Against where it came from, with untracked files. The tree's index stays as it is. */
  diff(tree: Tree, paths: readonly string[] = []): Promise<TreeDiff | Fault> {
    return this.#checked(tree, (view) => diffOf(tree, view, paths));
  }

  mergeCheck(tree: Tree, into?: string): Promise<MergeCheck | Fault> {
    return this.#checked(tree, (view) => mergeCheckOf(tree, view, into));
  }

  losses(tree: Tree): Promise<Losses | Fault> {
    return this.#view(tree, async (view) => (await findingsOf(tree, view)).losses);
  }

  /** Brings a clone's branch into the person's repository. A linked tree's is there already. */
  async bring(tree: Tree): Promise<Fault | undefined> {
    if (tree.form === "linked") return undefined;
    const done = await this.#view(tree, (view) => this.#locks.run(tree.common, (git) => bring(git, tree, view)));
    return isFault(done) ? done : undefined;
  }

  /** `word`: the branch's name, said by a person who has seen what is lost. */
  async remove(tree: Tree, word: string | undefined): Promise<Removed | Fault> {
    const busy = usersOf(tree.path);
    if (busy.length > 0)
      return fault("worktree.refused", `programs still run in ${tree.path}: ${busy.join(", ")}`, "End them first.");
    const refused = await this.bring(tree);
    if (refused) return refused;
    const removed = await this.#view(tree, (view) =>
      this.#locks.run(tree.common, (git) => this.#remove(git, tree, view, word)),
    );
    void guarded(() => this.sweep());
    return removed;
  }

  async #remove(git: CommonGit, tree: Tree, view: View, word: string | undefined): Promise<Removed | Fault> {
    if (this.#notes.of(tree.id)?.phase !== "ready")
      return fault("worktree.gone", `${tree.path} is being removed already`, "Nothing is left to do.");
    const found = await findingsOf(tree, view);
    const lines = lossLines(found.losses);
    if (lines.length > 0 && word !== tree.branch)
      return fault(
        "worktree.losses",
        `removing ${tree.path} would lose: ${lines.join("; ")}`,
        `A person may say so by the branch's name: ${tree.branch}`,
      );
    const aside = asideOf(this.#parts.root, tree);
    const removal = await prepareRemoval(git, tree, view, found, lines.length > 0, aside);
    this.#step(tree, "saved");
    const note = { phase: "removing" as const, tree, removal };
    await this.#notes.keep(note);
    this.#step(tree, "decided");
    return carryOut(git, note, this.#notes, found.walked, (name) => this.#step(tree, name));
  }

  /** Deletes what removals moved aside. */
  async sweep(): Promise<void> {
    await sweep(asideFolder(this.#parts.root), this.#parts.now());
  }

  /** Takes a part of its difference back. */
  takeBack(tree: Tree, patch: string): Promise<Fault | undefined> {
    const now = Date.now();
    return this.#view(tree, (view) => reversed(view, patch, now));
  }

  #step(tree: Tree, name: string): void {
    this.#parts.step?.(tree.id, name);
  }

  /** For what a person reads and then merges: a clone's objects are checked first. */
  #checked<T>(tree: Tree, work: (view: View) => Promise<T | Fault>): Promise<T | Fault> {
    return this.#view(tree, async (view) => {
      if (tree.form === "linked") return work(view);
      const failed = await this.#locks.run(tree.common, (git) => bringShown(git, tree, view));
      if (failed) return failed;
      await withoutStore(tree, view);
      return work(view);
    });
  }

  #view<T>(tree: Tree, work: (view: View) => Promise<T | Fault>, late?: AbortSignal): Promise<T | Fault> {
    const within = async (signal: AbortSignal) => {
      await using view = await opened(openView(tree, this.#looks, late ? AbortSignal.any([signal, late]) : signal));
      // The view ends with this block.
      return isFault(view.value) ? view.value : await work(view.value);
    };
    return guarded(() => whileNoPipe(tree.path, within, (pipe) => new GitTrouble("failed", `${pipe} is a pipe`)));
  }

  async #make(git: CommonGit, tree: Tree, found: Repository): Promise<Tree | Fault> {
    try {
      return await make(git, tree, found, { notes: this.#notes, step: (name) => this.#step(tree, name) });
    } catch (error) {
      await unmake(git, tree, this.#notes);
      throw error;
    }
  }

  async #recover(note: Note): Promise<void> {
    const { tree } = note;
    if (note.phase === "ready") {
      // The person removed it with git.
      if (!fs.existsSync(tree.path) && !fs.existsSync(tree.git)) this.#notes.forget(tree.id);
      return;
    }
    // A disk that is not there for a while.
    if (!fs.existsSync(tree.common)) return;
    const step = (name: string) => this.#step(tree, name);
    await this.#locks.run(tree.common, async (git) => {
      if (note.phase === "removing") await carryOut(git, note, this.#notes, undefined, step);
      else await unmake(git, tree, this.#notes);
    });
  }

  /** The folder for trees of a repository. */
  #folderOf({ repo, common }: Repository): string | Fault {
    const name =
      basename(repo)
        .replace(/\.git$/, "")
        .replace(/[^\w.-]+/g, "-") || "repository";
    const hash = createHash("sha256").update(common).digest("hex").slice(0, 6);
    const folder = resolve(this.#parts.root, `${name}-${hash}`);
    const clone = this.list().find((tree) => tree.form === "clone" && tree.git === common);
    if (clone)
      return fault(
        "worktree.refused",
        "this folder is a session's own clone",
        `Start from the repository: ${clone.repo}`,
      );
    if (!isWithin(folder, repo) && !isWithin(folder, common)) return folder;
    const hint = "Choose another worktree.root: git clean would delete what lies inside.";
    return fault("worktree.refused", `${folder} lies inside the repository`, hint);
  }

  async #noRoom(tree: Tree, { settings }: Repository): Promise<Fault | undefined> {
    // The sizes of a partial clone's files are not known here.
    if ([...settings.keys()].some((key) => key.endsWith(".promisor"))) return undefined;
    const listed = await new CommonGit(tree.common).text("ls-tree", "-r", "-l", "--full-tree", tree.base);
    const sizes = listed.split("\n").map((line) => Number(/^\S+ \S+ \S+ +(\d+)\t/.exec(line)?.[1] ?? 0));
    const needed = sizes.reduce((sum, size) => sum + size, 0) * ROOM_FACTOR;
    fs.mkdirSync(this.#parts.root, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = fs.statfsSync(this.#parts.root);
    if (needed <= bavail * bsize) return undefined;
    return fault(
      "disk.full",
      `the files need ${Math.ceil(needed / 1e6)} MB`,
      "Free some space, or choose another worktree.root.",
    );
  }
}

/** Programs that have their folder in there. Linux says so; elsewhere whoever ends the session knows. */
function usersOf(path: string): string[] {
  if (process.platform !== "linux") return [];
  return fs.readdirSync("/proc").flatMap((pid) => {
    try {
      const cwd = /^\d+$/.test(pid) ? fs.readlinkSync(`/proc/${pid}/cwd`) : "";
      return cwd === path || cwd.startsWith(`${path}/`)
        ? [`${fs.readFileSync(`/proc/${pid}/comm`, "utf8").trim()} (${pid})`]
        : [];
    } catch {
      // It has ended, or belongs to somebody else.
      return [];
    }
  });
}

async function opened(look: Promise<View | Fault>): Promise<AsyncDisposable & { value: View | Fault }> {
  const value = await look;
  return { value, [Symbol.asyncDispose]: async () => (isFault(value) ? undefined : value[Symbol.asyncDispose]()) };
}

/** What git and the machine refuse are faults. */
async function guarded<T>(work: () => Promise<T | Fault>): Promise<T | Fault> {
  try {
    return await work();
  } catch (error) {
    const known = faultOf(error);
    if (known) return known;
    throw error;
  }
}

function hasProgram(name: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => fs.existsSync(join(folder, name)));
}
