// How a person takes a worktree's commits over: exact texts for a shell. Nobody here runs them. Pure.
import { shellLine } from "../../../core/run/tests/shell-words.ts";
import type { Output } from "../../../protocol/ops.ts";

interface Merging {
  readonly repo: string;
  readonly branch: string;
  /** The commit that was looked at. The branch may go on meanwhile. */
  readonly head: string;
  readonly into: string;
  readonly base: string;
  /** Null: there is none to push to. */
  readonly remote: string | null;
}

type Commands = Output<"worktree_merge_check">["commands"];

export function mergeCommands({ repo, branch, head, into, base, remote }: Merging): Commands {
  const git = (...words: string[]) => shellLine(["git", "-C", repo, ...words]);
  const onto = git("switch", into);
  const patch = `${branch.replaceAll("/", "-")}.patch`;
  const push = git("push", remote ?? "", `${head}:refs/heads/${branch}`);
  const request = shellLine(["gh", "pr", "create", "--base", into, "--head", branch, "--fill"]);
  return [
    {
      what: "merge",
      title: `Merge into ${into}`,
      command: `${onto} && ${git("merge", "--no-ff", "-m", `Merge ${branch}`, head)}`,
    },
    {
      what: "squash",
      title: `As one commit on ${into}`,
      command: `${onto} && ${git("merge", "--squash", head)} && ${git("commit")}`,
    },
    {
      what: "patch",
      title: "As a patch",
      command: `${git("diff", "--binary", `${base}...${head}`)} > ${shellLine([patch])}`,
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
