// Flags that may stand alone, and flags that fill a part of a field.
import { expect, it } from "vitest";
import { parseVerb } from "../../../src/cli/args.ts";
import { loadVerbs } from "../../../src/cli/verb-table.ts";

const inputOf = (verb: string, ...words: string[]) => {
  const known = loadVerbs().find((one) => one.verb === verb);
  if (!known) throw new Error(`there is no verb ${verb}`);
  return parseVerb(known, words).input;
};

it.each([
  [["fix it", "--worktree"], { text: "fix it", worktree: true }],
  [["--worktree", "fix it"], { text: "fix it", worktree: true }],
  [["--worktree", "--agent", "mine", "fix it"], { text: "fix it", worktree: true, agent: "mine" }],
  [["fix it", "--worktree", "b-1"], { text: "fix it", worktree: { branch: "b-1" } }],
  [["fix it", "--worktree=b-1", "--from", "main"], { text: "fix it", worktree: { branch: "b-1", from: "main" } }],
  [["fix it", "--worktree", "--from", "main"], { text: "fix it", worktree: { from: "main" } }],
  [["fix it", "--from", "main"], { text: "fix it", worktree: { from: "main" } }],
  [["fix it", "--no-worktree"], { text: "fix it", worktree: false }],
])("task %j", (words, input) => {
  expect(inputOf("task", ...words)).toEqual(input);
});

it("what stands behind -- is the command's own", () => {
  const input = inputOf("open", "--worktree", "b", "--", "git", "log", "--worktree");
  expect(input).toEqual({ worktree: { branch: "b" }, command: ["git", "log", "--worktree"] });
});
