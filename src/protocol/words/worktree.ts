// Worktrees in words that several schemas share: a branch with a folder of its own, for one session.
import * as z from "zod";

/** linked: git's own, beside the person's. clone: for boxes, with a git folder of its own; its commits are brought over. */
const TreeForm = z.enum(["linked", "clone"]);

/** A branch, a commit, or a folder. It never begins an option. */
const RefName = z
  .string()
  .min(1)
  .max(250)
  .refine((name) => !/^-|[\p{Cc} ]/u.test(name), "must be a name, without spaces");

export const WantedWorktree = z
  .union([
    z.boolean(),
    z.object({
      branch: RefName.optional().describe(
        "a branch with a folder of its own; default: a new one, named by the session",
      ),
      from: RefName.optional().describe("where a new branch begins; default: HEAD"),
      form: TreeForm.optional().describe("default: clone in a box, else linked"),
    }),
  ])
  .describe("a git worktree of its own: true or {branch, from}");

export const SessionWorktree = z.object({
  branch: z.string(),
  path: z.string(),
  repo: z.string().describe("the repository that it belongs to"),
  changed: z.int().describe("files that differ from the last commit"),
  ahead: z.int().describe("commits that its base does not have"),
  behind: z.int().describe("commits of its base that it does not have"),
});
export type SessionWorktree = z.output<typeof SessionWorktree>;

export const Worktree = SessionWorktree.extend({
  form: TreeForm,
  from: z.string().describe("what it began at"),
  base: z.string().describe("the commit that it began at"),
  head: z.string().nullable().describe("the commit that it is at; null: it cannot be read"),
  under_way: z.string().nullable().describe("a rebase, merge or the like that is not done"),
  trouble: z.string().nullable().describe("why it cannot be read"),
  session_id: z.string().nullable().describe("the newest session in it"),
  state: z.string().nullable().describe("of that session"),
});

export const WorktreeRef = z.string().min(1).max(4_000).describe("its session, branch or folder");
