// Worktrees: what they changed, whether it merges, how they go; tasks that agents work on in them; and reviews of what came out.
import * as z from "zod";
import { op } from "../op.ts";
import { OnHost, SessionId, SessionRef } from "../words/ids.ts";
import { WantedWorktree, Worktree, WorktreeRef } from "../words/worktree.ts";
import { SessionInfo } from "./session.ts";

const Path = z.string().min(1).max(4_000);

export const worktreeList = op("worktree_list", {
  summary: "List the git worktrees that sessions have, with what changed in each.",
  effect: "read",
  input: z.object({
    look: z.boolean().default(false).describe("look at all of them again before the answer"),
    host: OnHost,
  }),
  output: z.object({ worktrees: z.array(Worktree) }),
  cli: {
    verb: "worktree ls",
    args: [],
    print: "worktree",
    forText: { look: true },
    examples: ["duetty worktree ls", "duetty worktree ls --json --look"],
  },
});

const DiffFile = z.object({
  path: z.string(),
  old_path: z.string().nullable().describe("before it was renamed"),
  status: z.string().describe("added, modified, deleted, renamed, copied or type"),
  added: z.int().describe("lines"),
  removed: z.int(),
  binary: z.boolean(),
  committed: z.boolean().describe("false: no merge brings this"),
  text: z.string().describe("unified, from its first line on; its hunks are counted from 0"),
  seen: z.string().describe("names exactly this difference, for review"),
  accepted: z.array(z.int()).describe("the hunks that a person accepted"),
});

export const worktreeDiff = op("worktree_diff", {
  summary: "Show what a worktree changed since its branch left its base: commits, changes and new files.",
  effect: "read",
  input: z.object({
    worktree: WorktreeRef,
    paths: z.array(Path).max(1_000).optional().describe("only these files and folders"),
  }),
  output: z.object({
    branch: z.string(),
    path: z.string(),
    from: z.string().describe("what it is compared with, where it left that"),
    files: z.array(DiffFile).describe("as they are now, each once"),
    only_committed: z.array(DiffFile).describe("as the commits have it: a merge brings this, the files differ by now"),
    cut: z.boolean().describe("there is more than is shown"),
  }),
  cli: {
    verb: "worktree diff",
    args: ["worktree"],
    print: "worktree",
    examples: ["duetty worktree diff fix-42", "duetty worktree diff s_7f3k2m9q --paths src"],
  },
});

export const worktreeMergeCheck = op("worktree_merge_check", {
  summary:
    "Tell whether a worktree's commits merge, which files conflict, and the commands to merge them. Runs none of them.",
  effect: "read",
  input: z.object({
    worktree: WorktreeRef,
    into: z.string().min(1).max(250).optional().describe("the branch to merge into; default: what it began at"),
  }),
  output: z.object({
    branch: z.string(),
    into: z.string(),
    clean: z.boolean(),
    merged: z.boolean().describe("all of it is there already"),
    conflicts: z.array(z.string()).describe("files that both have changed"),
    uncommitted: z.int().describe("changed files that no commit has yet, and that no merge would bring"),
    commands: z.array(
      z.object({
        what: z.enum(["merge", "squash", "patch", "push", "pull_request"]),
        title: z.string(),
        command: z.string().describe("exactly, for a shell"),
      }),
    ),
  }),
  cli: {
    verb: "worktree merge-check",
    args: ["worktree"],
    print: "worktree",
    examples: ["duetty worktree merge-check fix-42", "duetty worktree merge-check fix-42 --into main"],
  },
});

export const worktreeRemove = op("worktree_remove", {
  summary: "Remove a worktree. What would be lost is listed first, and only --lose with the branch's name loses it.",
  effect: "control",
  input: z.object({
    worktree: WorktreeRef,
    lose: z.string().max(250).optional().describe("the branch's name: a yes to what is listed"),
  }),
  output: z.object({
    branch: z.string(),
    path: z.string(),
    removed: z.boolean(),
    losses: z.array(z.string()).describe("what is nowhere else: a line for each kind, with names"),
    saved: z.string().nullable().describe("the ref in the repository that keeps commits and files of it"),
    branch_kept: z.boolean().nullable().describe("whether the branch is still there; null: nothing was removed"),
  }),
  cli: {
    verb: "worktree remove",
    args: ["worktree"],
    print: "worktree",
    examples: ["duetty worktree remove fix-42", "duetty worktree remove fix-42 --lose fix-42"],
  },
});

/** It goes by the agent's own flag, as an argument. */
const TASK_CHARS_MAX = 32_768;

export const task = op("task", {
  summary: "Give an agent CLI a task: a branch of its own, a session there, and the first prompt, in one step.",
  effect: "write",
  input: z.object({
    text: z.string().min(1).max(TASK_CHARS_MAX).describe("the task, in words"),
    agent: z.string().min(1).max(64).optional().describe("claude, codex, gemini …; default: task.agent of config.json"),
    worktree: WantedWorktree.optional(),
    cwd: z.string().optional().describe("the folder to start in"),
    name: z.string().min(1).max(100).optional().describe("a name for the session"),
    base_env: z.record(z.string(), z.string()).optional().describe("whole environment instead of the daemon's"),
    host: OnHost,
  }),
  output: SessionInfo,
  cli: {
    verb: "task",
    args: ["text"],
    dash: "text",
    adds: ["cwd", "base_env"],
    parts: { worktree: { worktree: "branch", from: "from", form: "form" } },
    print: "worktree",
    examples: [
      "duetty task 'fix the failing test' --agent claude",
      "duetty task 'fix issue 42' --worktree fix-42 --from main",
      "duetty task - --no-worktree < task.md",
    ],
  },
});

export const putAway = op("put_away", {
  summary: "Put a session away, or take it back: a board shows those last. It changes nothing else.",
  effect: "control",
  input: z.object({ session_id: SessionRef, away: z.boolean().default(true) }),
  output: SessionInfo,
});

const Reviewed = z.object({
  path: Path,
  seen: z.string().max(100).describe("`seen` of worktree_diff: one that changed since is refused"),
  hunk: z.int().min(0).optional().describe("only this one, counted from 0"),
});

const LineComment = z.object({
  path: Path,
  line: z.int().min(1).describe("of the file as it is now"),
  text: z.string().min(1).max(4_000),
});

export const review = op("review", {
  summary:
    "Answer what a worktree changed: take files or hunks back, mark them as accepted, put comments into a prompt.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    reject: z.array(Reviewed).max(1_000).optional().describe("reverted in the worktree"),
    accept: z.array(Reviewed).max(1_000).optional().describe("marked, and left as they are"),
    comments: z.array(LineComment).max(200).optional(),
  }),
  output: z.object({
    session_id: SessionId,
    rejected: z.int().describe("so many were taken back"),
    accepted: z.int(),
    prompt: z.string().nullable().describe("the comments as a text for pty_prompt; null: there are none"),
  }),
});
