// Whatever people and agents do with a repository and its trees, and wherever a daemon is killed meanwhile: nothing is lost.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Form, Tree } from "../../../src/core/worktree/tree.ts";
import type { Trees } from "../../../src/host/worktree/trees.ts";
import { depth } from "../../fixtures/depth.ts";
import { makeFolder, removeFolder } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { expectNothingLost, has } from "../../fixtures/worktree/belongings.ts";
import { checkOut, killedAfter, opened, repository, said } from "../../fixtures/worktree/kit.ts";
import { type Work, work, works } from "../../fixtures/worktree/random-work.ts";

const STEPS = [
  "noted",
  "branch",
  "base",
  "clone",
  "tree",
  "ready",
  "saved",
  "decided",
  "aside",
  "forgotten",
  "refs",
  "done",
];

const kill = fc.option(fc.oneof(fc.constantFrom(...STEPS), fc.integer({ min: 1, max: 250 })), { freq: 3 });
const pick = fc.nat(5);
const move = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("create" as const), form: fc.constantFrom<Form>("linked", "clone"), kill }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("work" as const),
      pick,
      works: fc.array(works, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("person" as const),
      works: fc.array(works, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom("gc" as const, "look" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("merge" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("bring" as const), pick, kill }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("remove" as const), pick, word: fc.boolean(), kill }) },
);
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** Some hundred calls of git in each. */
const SEQUENCES_MS = 3_600_000;

describe.concurrent("nothing is lost", () => {
  it.each([1, 2, 3])(
    "part %i",
    async (part) => {
      const law = fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 12 }), async (moves) => {
        const folder = makeFolder();
        try {
          await new Sequence(folder).play([
            { op: "create", form: part === 2 ? "clone" : "linked", kill: null },
            ...moves,
          ]);
        } finally {
          removeFolder(folder);
        }
      });
      const { seed = 0 } = fc.readConfigureGlobal();
      // The parts draw different sequences. FC_SEED repeats the printed seed of any part as it is.
      const isRepeat = process.env.FC_SEED !== undefined;
      const numRuns = depth(1, 10, 100);
      await fc.assert(law, { numRuns, seed: isRepeat ? seed : seed + part, endOnFailure: true });
    },
    SEQUENCES_MS,
  );
});

class Sequence {
  readonly #folder: string;
  readonly #repo: string;
  readonly #amended = new Set<string>();
  #made = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#repo = repository(folder);
  }

  async play(moves: readonly Move[]): Promise<void> {
    for (const one of moves) await this.#move(one);
    // In the end a person lets all of it go.
    const trees = await opened(this.#folder);
    for (const tree of trees.list()) {
      const before = has(this.#repo, trees.list());
      const answer = await trees.remove(tree, tree.branch);
      // A clone whose branch the person went on with stays.
      if (isFault(answer)) expect(answer.code).toBe("worktree.refused");
      expectNothingLost(this.#repo, before, trees.list(), this.#folder, this.#amended);
    }
    expect(spawnSync("git", ["-C", this.#repo, "fsck", "--connectivity-only"]).status).toBe(0);
  }

  async #move(one: Move): Promise<void> {
    if (one.op === "person") return this.#works(this.#repo, one.works);
    const trees = await opened(this.#folder);
    const all = trees.list();
    const tree = "pick" in one ? all[one.pick % all.length] : undefined;
    if (one.op === "create") return this.#change(trees, one.kill, { op: "create", ask: this.#ask(one.form) });
    if (tree === undefined) return undefined;
    switch (one.op) {
      case "work":
        return this.#works(tree.path, one.works);
      case "gc":
        return git(this.#repo, "gc", "-q", "--prune=now");
      case "merge":
        return this.#work(this.#repo, { do: "stage" }, () => git(this.#repo, "merge", "-q", "--squash", tree.branch));
      case "look":
        return this.#looks(trees, tree);
      case "bring":
        return this.#change(trees, one.kill, { op: "bring", id: tree.id });
      case "remove":
        return this.#change(trees, one.kill, { op: "remove", id: tree.id, word: one.word ? tree.branch : undefined });
    }
  }

  #ask(form: Form) {
    this.#made += 1;
    return { cwd: this.#repo, id: `s_${String(this.#made).padStart(8, "0")}`, slug: "x", form };
  }

  #works(at: string, all: readonly Work[]): void {
    for (const one of all) this.#work(at, one);
  }

  #work(at: string, one: Work, also: () => void = () => undefined): void {
    // What somebody amends away on purpose is theirs to lose.
    if (one.do === "amend") this.#amended.add(said(at, "rev-parse", "HEAD"));
    try {
      also();
    } catch {
      // It does not merge.
    }
    work(at, one);
  }

  async #looks(trees: Trees, tree: Tree): Promise<void> {
    const before = has(this.#repo, trees.list());
    for (const look of [trees.look(tree), trees.diff(tree), trees.mergeCheck(tree), trees.losses(tree)]) {
      const answer = await look;
      // Whoever amends the first commit has a history of their own.
      if (isFault(answer)) expect(answer.message).toContain("no history in common");
    }
    expect(has(this.#repo, trees.list())).toEqual(before);
  }

  async #change(trees: Trees, kill: string | number | null, change: Parameters<typeof killedAfter>[2]): Promise<void> {
    const before = has(this.#repo, trees.list());
    if (kill !== null) killedAfter(this.#folder, kill, change);
    else await this.#changed(trees, change);
    const now = await opened(this.#folder);
    expectNothingLost(this.#repo, before, now.list(), this.#folder, this.#amended);
    for (const tree of now.list()) if (!before.trees.some((one) => one.tree.id === tree.id)) checkOut(now, tree);
  }

  async #changed(trees: Trees, change: Parameters<typeof killedAfter>[2]): Promise<void> {
    const tree = trees.list().find((one) => "id" in change && one.id === change.id);
    const answer =
      change.op === "create"
        ? await trees.create(change.ask)
        : tree && (change.op === "bring" ? await trees.bring(tree) : await trees.remove(tree, change.word));
    if (isFault(answer)) expect(["worktree.losses", "worktree.refused"]).toContain(answer.code);
  }
}
