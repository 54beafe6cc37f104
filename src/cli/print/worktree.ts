// What the verbs of worktrees print. Paths and differences are an agent's: `lines` makes them harmless.
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { line, lines } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { table } from "./table.ts";

export const printers: Printers = {
  worktree_list: { text: printTrees },
  worktree_diff: { text: printDiff },
  worktree_merge_check: { text: printCheck, code: ({ clean }) => (clean ? EXIT.ok : EXIT.error) },
  worktree_remove: { text: printRemoval, code: ({ removed }) => (removed ? EXIT.ok : EXIT.needs_person) },
  task: { text: printTask },
};

function printTrees({ worktrees }: Output<"worktree_list">): void {
  if (worktrees.length === 0) return line("no worktrees; make one with: duetty open --worktree BRANCH");
  const rows = worktrees.map((one) => [
    one.branch,
    one.session_id ?? "-",
    one.trouble === null ? (one.under_way ?? one.state ?? "-") : "unreadable",
    String(one.changed),
    `+${one.ahead} -${one.behind}`,
    one.path,
  ]);
  table([["BRANCH", "SESSION", "STATE", "CHANGED", "COMMITS", "FOLDER"], ...rows], ["FOLDER"]);
  for (const { branch, trouble } of worktrees) if (trouble !== null) line(`${branch}: ${trouble}`);
}

function printDiff({ branch, files, only_committed, cut }: Output<"worktree_diff">): void {
  for (const { text } of files) lines(text.trimEnd());
  for (const { text, path } of only_committed) {
    lines(`[${path} as the commits have it: a merge brings this]`);
    lines(text.trimEnd());
  }
  const [added, removed] = [
    files.reduce((sum, one) => sum + one.added, 0),
    files.reduce((sum, one) => sum + one.removed, 0),
  ];
  if (cut) line("[the diff is cut here]");
  const loose = files.filter(({ committed }) => !committed).length;
  if (loose > 0) line(`${counted(loose)} not committed`);
  const past = only_committed.length;
  if (past > 0) line(`${counted(past)} ${past === 1 ? "differs" : "differ"} from the commits`);
  const isSame = files.length + only_committed.length === 0;
  line(isSame ? `${branch}: nothing changed` : `${branch}: ${counted(files.length)}, +${added} -${removed}`);
}

function counted(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}

function printCheck({
  branch,
  into,
  clean,
  merged,
  conflicts,
  uncommitted,
  commands,
}: Output<"worktree_merge_check">): void {
  const words = merged ? "is merged already into" : clean ? "merges into" : "conflicts with";
  line(`${branch} ${words} ${into}`);
  for (const path of conflicts) line(`  conflict  ${path}`);
  if (uncommitted > 0) line(`  ${uncommitted} changed ${uncommitted === 1 ? "file is" : "files are"} in no commit yet`);
  for (const { title, command } of commands) {
    line("");
    line(`${title}:`);
    line(`  ${command}`);
  }
}

function printRemoval({ branch, path, removed, losses, saved, branch_kept }: Output<"worktree_remove">): void {
  for (const loss of losses) line(`${removed ? "removed" : "nowhere else"}: ${loss}`);
  if (!removed)
    return line(
      `Nothing was removed. To lose these all the same: duetty worktree remove ${word(branch)} --lose ${word(branch)}`,
    );
  line(
    `${path} is removed; ${branch_kept ? `the branch ${branch} is still there` : `${branch} had nothing that is not merged, and is gone`}`,
  );
  if (saved !== null) line(`what it had is kept as ${saved}`);
}

/** As one word of a shell: an agent may have chosen the name. */
function word(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function printTask({ session_id, agent, worktree }: Output<"task">): void {
  line(`${session_id}  ${agent ?? ""}${worktree ? ` on ${worktree.branch}` : ""}`);
  line(`Look: duetty attach ${session_id}${worktree ? `   Diff: duetty worktree diff ${session_id}` : ""}`);
}
