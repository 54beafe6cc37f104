// Places a new session in a worktree: makes the tree, or finds the one that it goes on in, and says what its terminal does before
// the program. Owns: nothing; notes of trees are in src/host/worktree. Refuses: to write files, which the session does itself.
import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { advice } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { isWithin } from "../../core/box/plan.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { Meta } from "../../core/journal/store.ts";
import type { PtyCommand } from "../../core/pty/pty.ts";
import { shellLine } from "../../core/run/tests/shell-words.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { provisionMark } from "../../core/worktree/provision.ts";
import type { Form, Tree } from "../../core/worktree/tree.ts";
import { realPath } from "../../host/sandbox/links.ts";
import { ignoredCopies } from "../../host/worktree/copies.ts";
import { packageFile } from "../../package.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Caller } from "../auth.ts";
import type { Config } from "../config.ts";
import { type ProjectWish, projectWish, untrusted } from "./project.ts";
import type { Worktrees } from "./worktrees.ts";

/** Below the ports that kernels give to outgoing connections, and above those of well-known servers. */
const PORT_FIRST = 20_000;
const PORTS_EACH = 20;
/** Trees stay until a person removes them. With so many, nobody makes another; with fewer already, no agent does. */
const TREES_MAX = 500;
const AGENTS_TREES_MAX = 100;

interface PlacingParts {
  readonly worktrees: Worktrees;
  readonly sessions: Sessions;
  /** Whether a person agreed to exactly this. */
  isTrusted(repo: string, wish: ProjectWish): boolean;
  readonly config: Config["worktree"];
  /** Where sessions keep their files. */
  readonly folder: string;
  secret(): string;
}

interface Wish {
  readonly id: string;
  readonly asked: NonNullable<Input<"pty_open">["worktree"]>;
  /** What the tree's name is made of, when no branch is named. */
  readonly title: string;
  readonly command: PtyCommand;
  readonly isBoxed: boolean;
  readonly caller: Pick<Caller, "role" | "actor">;
}

interface Placed {
  readonly command: PtyCommand;
  readonly about: Pick<Meta, "worktree" | "provision">;
  /** The session could not start: what was made for it goes. */
  undo(): Promise<void>;
}

export class Placing {
  #parts: PlacingParts;

  constructor(parts: PlacingParts) {
    this.#parts = parts;
  }

  async place(wish: Wish): Promise<Placed | Fault | undefined> {
    const { asked, command, isBoxed, id, caller } = wish;
    if (asked === false) return undefined;
    const { branch, from, form = isBoxed ? "clone" : "linked" } = asked === true ? {} : asked;
    const wrong = wrongForm(form, wish);
    if (wrong) return wrong;
    const known = branch === undefined ? undefined : this.#onBranch(branch, command.cwd);
    const foreign = known && this.#isForeign(known, caller);
    if (foreign) return foreign;
    if (known) return from === undefined ? this.goOn(known.id, id, command) : alreadyThere(known);
    const { trees } = this.#parts.worktrees;
    const isNew = caller.role !== "person";
    if (trees.list().length >= (isNew ? AGENTS_TREES_MAX : TREES_MAX)) return tooMany(trees.list().length);
    const ask = { cwd: command.cwd, branch, from, id, slug: branch ?? wish.title, form, isNew };
    const tree = await trees.create(ask, (found) => (isNew ? this.#parts.worktrees.outOfReach(found) : undefined));
    if (isFault(tree)) return tree;
    const undo = async () => void (await trees.remove(tree, undefined));
    // It is empty, and nobody knows of it: no link leads elsewhere.
    fs.mkdirSync(sameIn(tree, command.cwd), { recursive: true });
    const first = await this.#first(tree, caller.role);
    if (isFault(first)) await undo();
    return isFault(first) ? first : { ...this.#placed(tree, wish.id, command, first), undo };
  }

  /** In the tree of an earlier session. One whose provisioning was cut off is provisioned again: nobody has worked there. */
  async goOn(tree_id: string, id: string, command: PtyCommand): Promise<Placed | Fault> {
    const { worktrees } = this.#parts;
    const tree = worktrees.tree(tree_id);
    if (!tree) return fault("worktree.gone", "its worktree was removed", advice("worktrees"));
    const before = worktrees.sessionOf(tree);
    if (before && !before.over) return inUse(tree, before);
    const first = before && isUnfinished(before) ? await this.#first(tree, "person") : null;
    if (isFault(first)) return first;
    return { ...this.#placed(tree, id, command, first), undo: async () => undefined };
  }

  /** An agent goes on in its own trees alone. */
  #isForeign(tree: Tree, { role, actor }: Wish["caller"]): Fault | undefined {
    const opener = this.#parts.worktrees.sessionOf(tree)?.meta.actor;
    if (role === "person" || opener === actorName(actor)) return undefined;
    return fault("worktree.refused", `${tree.branch} is the branch of another's worktree`, "Name a new branch.");
  }

  /** Our tree with this branch, of the repository around a folder. */
  #onBranch(branch: string, cwd: string): Tree | undefined {
    const here = realPath(cwd) ?? cwd;
    const mine = ({ repo, path }: Tree) => isWithin(here, repo) || isWithin(here, path);
    return this.#parts.worktrees.trees.list().find((tree) => tree.branch === branch && mine(tree));
  }

  #placed(tree: Tree, id: string, command: PtyCommand, first: readonly string[] | null) {
    const secret = this.#parts.secret();
    const cwd = folderIn(tree, command.cwd);
    const port = this.#port(tree);
    const temporary = join(this.#parts.folder, id, "tmp");
    fs.mkdirSync(temporary, { recursive: true, mode: 0o700 });
    const { branch, path, repo } = tree;
    const before = first && ["/bin/sh", packageFile("shell/provision.sh"), secret, ...first];
    const env = { ...command.env, PORT: String(port), TMPDIR: temporary };
    const opens = { writable: [], readable: [repo, tree.common], variables: [], loopback: "own" as const };
    return {
      command: { ...command, cwd, env, opens, ...(before ? { before } : {}) },
      about: { worktree: { tree: tree.id, branch, path, repo, port }, ...(before ? { provision: secret } : {}) },
    };
  }

  /** The steps before the program, as lines for sh: files, copies, setup. */
  async #first(tree: Tree, role: Caller["role"]): Promise<readonly string[] | Fault> {
    const { worktrees, config } = this.#parts;
    const wish = projectWish(tree.repo);
    if (wish && !this.#parts.isTrusted(tree.repo, wish)) return untrusted(tree.repo, wish, role);
    const copies = wish && wish.copies !== "" ? await ignoredCopies(tree, wish.copies) : [];
    if (isFault(copies)) return copies;
    const setup = wish && wish.setup !== "" ? wish.setup : (config.setup ?? "");
    return [shellLine(worktrees.trees.checkout(tree)), copyLine(tree, copies), setup];
  }

  /** The lowest block that no other tree has. */
  #port(tree: Tree): number {
    const known = this.#parts.worktrees.sessionOf(tree)?.meta.worktree?.port;
    if (known !== undefined) return known;
    const there = new Set(this.#parts.worktrees.trees.list().map(({ id }) => id));
    const all = this.#parts.sessions.list().flatMap(({ meta }) => meta.worktree ?? []);
    const taken = new Set(all.filter((one) => there.has(one.tree)).map(({ port }) => port));
    const blocks = Array.from({ length: TREES_MAX }, (_, at) => PORT_FIRST + at * PORTS_EACH);
    return blocks.find((port) => !taken.has(port)) ?? PORT_FIRST;
  }
}

/** Where a session begins: the same folder in the tree, unless it is not there, or a link leads out. */
function folderIn(tree: Tree, cwd: string): string {
  const [at, top] = [realPath(sameIn(tree, cwd)), realPath(tree.path)];
  return at !== undefined && top !== undefined && isWithin(at, top) ? join(tree.path, relative(top, at)) : tree.path;
}

/** The same folder in the tree. */
function sameIn(tree: Tree, cwd: string): string {
  const here = realPath(cwd) ?? cwd;
  if (isWithin(here, tree.path)) return here;
  return isWithin(here, tree.repo) ? join(tree.path, relative(tree.repo, here)) : tree.path;
}

/** A link among them stays a link. What is a folder there already gets the files that it lacks. */
function copyLine({ repo, path }: Tree, copies: readonly string[]): string {
  const words = copies.map((name) => {
    const [from, to] = [join(repo, name), join(path, name)];
    const isFolder = name.endsWith("/");
    const made = shellLine(["mkdir", "-p", isFolder ? to : dirname(to)]);
    return `${made} && ${shellLine(["cp", "-RPp", isFolder ? join(from, ".") : from, to])}`;
  });
  return words.join(" && ");
}

function isUnfinished({ meta, display }: Session): boolean {
  const { files } = display.past;
  return meta.provision !== undefined && !files.outputHas(provisionMark(meta.provision), 0, files.outputSize());
}

/** Commits of a linked tree are the repository's own: its box can write there. */
function wrongForm(form: Form, { isBoxed, caller }: Wish): Fault | undefined {
  if (form !== "linked" || !isBoxed || caller.role === "person") return undefined;
  return fault("box.refused", "a person chooses a linked worktree for a box", "Leave form out.");
}

function inUse({ branch }: Tree, { id, meta }: Session): Fault {
  const who = meta.name === null ? id : `${meta.name} (${id})`;
  return fault("worktree.refused", `${who} works on ${branch}`, advice("work_there", id));
}

function alreadyThere({ branch, path }: Tree): Fault {
  return fault("worktree.refused", `${branch} has a worktree already: ${path}`, "Leave from out to go on there.");
}

function tooMany(count: number): Fault {
  return fault(
    "session.limit",
    `there are ${count} worktrees already`,
    `A person can remove some. ${advice("worktrees")}`,
  );
}
