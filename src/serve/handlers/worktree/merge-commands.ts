// How a person takes a worktree's commits over: exact texts for a shell. Nobody here runs them. Pure.
import { shellLine } from "../../../core/run/tests/shell-words.ts";
import type { Output } from "../../../protocol/ops.ts";

interface Merging {
  readonly repo: string;
  readonly branch: string;
  readonly into: string;
  readonly base: string;
  /** Null: there is none to push to. */
  readonly remote: string | null;
}

type Commands = Output<"worktree_merge_check">["commands"];

export function mergeCommands({ repo, branch, into, base, remote }: Merging): Commands {
  const git = (...words: string[]) => shellLine(["git", "-C", repo, ...words]);
  const onto = git("switch", into);
  const patch = `${branch.replaceAll("/", "-")}.patch`;
  const push = git("push", "--set-upstream", remote ?? "", branch);
  const request = shellLine(["gh", "pr", "create", "--base", into, "--head", branch, "--fill"]);
  return [
    { what: "merge", title: `Merge into ${into}`, command: `${onto} && ${git("merge", "--no-ff", branch)}` },
    {
      what: "squash",
      title: `As one commit on ${into}`,
      command: `${onto} && ${git("merge", "--squash", branch)} && ${git("commit")}`,
    },
    {
      what: "patch",
      title: "As a patch",
      command: `${git("diff", "--binary", `${base}...${branch}`)} > ${shellLine([patch])}`,
    },
    ...(remote === null
      ? []
      : [
          { what: "push" as const, title: "Push the branch", command: push },
          {
            what: "pull_request" as const,
            title: "Open a pull request",
            command: `${push} && cd ${shellLine([repo])} && ${request}`,
          },
        ]),
  ];
}
