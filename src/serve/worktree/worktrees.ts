// The worktrees of sessions as the daemon knows them: which session has which, how each stands, and whose commits are to be brought
// over. Owns: what was last seen of each tree. Refuses: to make and remove them (src/host/worktree), and to look while nobody can
// have changed anything.
import fs from "node:fs";
import { join } from "node:path";
import { advice } from "../../core/base/advice.ts";
import type { Changes } from "../../core/base/changes.ts";
import { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { isWithin } from "../../core/box/plan.ts";
import type { Meta } from "../../core/journal/store.ts";
import type { SessionNews } from "../../core/session/life.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { Tree, TreeStatus } from "../../core/worktree/tree.ts";
import { realPath } from "../../host/sandbox/links.ts";
import type { Trees } from "../../host/worktree/trees.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import type { Log } from "../log.ts";

/** A look costs a process and reads a whole tree: many at once would slow down what people wait for. */
const LOOKS_MAX = 2;

interface WorktreesParts {
  readonly trees: Trees;
  readonly changes: Changes;
  readonly log: Log;
  /** Where sessions keep their files, and where trees are made. */
  readonly folder: string;
  readonly root: string;
  /** What no box shows. */
  hidden(): readonly string[];
  sessions(): Sessions;
}

/** How it stands, or why that cannot be told. */
type Seen = TreeStatus | Fault;

export class Worktrees {
  #parts: WorktreesParts;
  #seen = new Map<string, Seen>();
  /** Trees that are looked at now, and whether to look again after it. */
  #looking = new Map<string, Promise<void>>();
  #again = new Set<string>();
  #looks = new ConcurrencyLimit(LOOKS_MAX);
  #isOver = false;
  /** What its session did when we last looked. */
  #activity = new Map<string, string>();

  constructor(parts: WorktreesParts) {
    this.#parts = parts;
  }

  get trees(): Trees {
    return this.#parts.trees;
  }

  /** For a session's info: at once, from what was last seen. Null also when it was removed. */
  of({ worktree }: Meta): SessionInfo["worktree"] {
    if (!worktree || !this.tree(worktree.tree)) return null;
    const { tree, branch, path, repo } = worktree;
    if (!this.#seen.has(tree)) void this.look(tree);
    const { changed, ahead, behind } = this.seen(tree) ?? { changed: 0, ahead: 0, behind: 0 };
    return { branch, path, repo, changed, ahead, behind };
  }

  /** Undefined: nobody has looked yet, or it cannot be read. */
  seen(id: string): TreeStatus | undefined {
    const seen = this.#seen.get(id);
    return isFault(seen) ? undefined : seen;
  }

  trouble(id: string): string | null {
    const seen = this.#seen.get(id);
    return isFault(seen) ? seen.message : null;
  }

  /** A command or an agent's turn is over, or the session is: files and commits may be others. */
  news(session_id: string, news: SessionNews): void {
    const session = this.#parts.sessions().known(session_id);
    const tree = session?.meta.worktree?.tree;
    if (!session || tree === undefined) return;
    if (news.kind === "ended")
      fs.rm(join(this.#parts.folder, session_id, "tmp"), { recursive: true, force: true }, () => undefined);
    if (news.kind === "block" && news.block.cursor_end !== null) return void this.look(tree);
    if (news.kind !== "changed" && news.kind !== "ended") return;
    const { state, agent_state } = session.info();
    const activity = `${state} ${agent_state?.state}`;
    if (this.#activity.get(session_id) === activity) return;
    this.#activity.set(session_id, activity);
    if (agent_state?.state !== "working") void this.look(tree);
  }

  /** Looks, and brings commits of a clone over. One look at a time for each tree; a wish that comes meanwhile is a second look. */
  look(id: string): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    const under = this.#looking.get(id);
    if (under) {
      this.#again.add(id);
      return under;
    }
    const looked = this.#look(id).finally(() => {
      this.#looking.delete(id);
    });
    this.#looking.set(id, looked);
    return looked;
  }

  async #look(id: string): Promise<void> {
    do {
      this.#again.delete(id);
      const tree = this.tree(id);
      if (!tree) return;
      const before = this.#seen.get(id);
      const now = await this.#looks
        .run(() => this.#parts.trees.look(tree))
        .catch((error: unknown) => this.#unreadable(tree, error));
      this.#seen.set(id, now);
      if (!isFault(now) && tree.form === "clone" && (isFault(before) || before?.head !== now.head))
        await this.#bring(tree);
      if (JSON.stringify(before) !== JSON.stringify(now)) this.#parts.changes.bump();
    } while (this.#again.has(id) && !this.#isOver);
  }

  /** The daemon ends. Resolves when nothing of ours is under way in a repository. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#looking.values());
  }

  async #bring(tree: Tree): Promise<void> {
    const failed = await this.#parts.trees.bring(tree).catch((error: unknown) => this.#unreadable(tree, error));
    if (isFault(failed))
      this.#parts.log.say("error", "a worktree's commits were not brought over", {
        tree: tree.path,
        why: failed.message,
      });
  }

  /** Why agents have no part of a repository: our git reads what their boxes do not show, and what one of them may have made. */
  outOfReach({ repo, common }: Pick<Tree, "repo" | "common">): Fault | undefined {
    const { root, hidden } = this.#parts;
    const real = (path: string) => realPath(path) ?? path;
    const masks = hidden();
    if ([repo, common].some((path) => masks.some((folder) => isWithin(real(path), folder))))
      return fault("box.refused", `${repo} is hidden from agents`, "Only a person can have a worktree there.");
    if (!isWithin(real(common), real(root))) return undefined;
    return fault("worktree.refused", `${common} was made in a worktree`, "Start from a person's repository.");
  }

  tree(id: string): Tree | undefined {
    return this.#parts.trees.list().find((tree) => tree.id === id);
  }

  /** The newest session in a tree. */
  sessionOf({ id }: Pick<Tree, "id">): Session | undefined {
    const all = this.#parts.sessions().list();
    return all
      .filter(({ meta }) => meta.worktree?.tree === id)
      .sort((a, b) => Number(a.over) - Number(b.over) || b.meta.created_at - a.meta.created_at)[0];
  }

  /** By its session, its branch or a folder in it. */
  find(ref: string): Tree | Fault {
    const all = this.#parts.trees.list();
    const named = all.filter(({ branch, path }) => branch === ref || isWithin(ref, path));
    if (named.length > 1)
      return fault(
        "session.ambiguous",
        `${named.length} worktrees are on ${ref}`,
        named.map(({ path }) => path).join(", "),
      );
    const session = named[0] ? undefined : this.#parts.sessions().find(ref);
    const own = !session || isFault(session) ? undefined : session.meta.worktree;
    const tree = named[0] ?? all.find(({ id }) => id === own?.tree);
    if (tree) return tree;
    const hint = advice("worktrees");
    if (own) return fault("worktree.gone", `the worktree of ${ref} was removed`, hint);
    if (session && !isFault(session)) return fault("not_found", `${session.id} has no worktree`, hint);
    return fault("not_found", `no worktree is called "${ref}"`, hint);
  }

  /** Whoever works in a tree can make it such that looking fails in ways that nobody thought of. It costs that tree only. */
  #unreadable({ path }: Tree, error: unknown): Fault {
    this.#parts.log.say("error", "a worktree cannot be read", { tree: path, why: String(error) });
    return fault("worktree.failed", `${path} cannot be read: ${String(error)}`, "Look at it with git.");
  }
}
