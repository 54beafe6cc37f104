// git. Read-only commands (git-read-only.ts) are safe by verb and options, though a repository's configuration can name
// helpers: without a box they are asked about (verdicts.ts), and code that starts git itself switches them off. Options that choose a repository, a configuration or a program are
// not safe.
import { type PartRisk, risky, unknown, worse } from "../risk.ts";
import { any, asks, code, each, type Rule, risk, type Starts, safeWith, type Table, verbs, when } from "../spec.ts";
import type { Arg } from "../words.ts";
import { gitReadOnly } from "./git-read-only.ts";

const network = (why: string): Rule => risk("network", why);
const destroys = (why: string): Rule => risk("destructive", why);
const discards = destroys("throws changes away");

export const git: Table = each("git", gitRule());

function gitRule(): Rule {
  const chosen = verbs(
    { ...gitReadOnly, ...changeVerbs() },
    {
      options:
        "--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --icase-pathspecs --version --help -v",
      bare: any,
    },
  );
  // They choose another configuration, repository or set of programs.
  const trick = code((args, id) => {
    const verb = args.findIndex((arg) => !arg.prefix.startsWith("-"));
    const before = args.slice(0, verb < 0 ? args.length : verb);
    const odd = before.find((arg) =>
      /^(?:-c|--config-env|--exec-path|--git-dir|--work-tree|--namespace|-p|--paginate|--super-prefix|--attr-source)/.test(
        arg.prefix,
      ),
    );
    return odd
      ? risky(`${id}.option`, "network", `${odd.text} chooses another configuration or program`)
      : unknown(id, "not understood");
  });
  const ruled = when(
    "-c --config-env --exec-path --git-dir --work-tree --namespace -p --paginate --super-prefix",
    firstOnly(trick, chosen),
    chosen,
  );
  // A folder below may be another repository, whose configuration names programs.
  return code((args, id, starts) => {
    const verdict = starts.rule(ruled, args, id);
    return starts.moved && args[0]?.text !== "rev-parse"
      ? worse(verdict, unknown(id, "may be another repository"))
      : verdict;
  });
}

/** The same letters mean something else after the verb: git log -p. */
function firstOnly(trick: Rule, chosen: Rule): Rule {
  return code((args, id, starts) => {
    const verdict = trick.form === "code" ? trick.judge(args, id, starts) : unknown(id, "not understood");
    return verdict.class === "risky" ? verdict : starts.rule(chosen, args, id);
  });
}

function changeVerbs(): Table {
  return {
    "push send-pack send-email request-pull": network("sends to another machine"),
    "pull fetch clone fetch-pack remote-http svn p4 http-fetch archive-remote": network("fetches from another machine"),
    reset: when("--hard --merge --keep", discards, asks("changes what is staged")),
    clean: when("-n --dry-run", safeWith("-n --dry-run -d -x -X -q", { words: "any" }), destroys("deletes files")),
    checkout: checkout(),
    "checkout-index": when("-f --force", discards, asks("writes files")),
    restore: when("--worktree -W", discards, when("--staged -S", asks("changes what is staged"), discards)),
    switch: when("-f --force --discard-changes -C", discards, asks("changes the working tree")),
    "rebase filter-branch filter-repo gc prune repack update-ref replace reflog-expire pack-refs update-index read-tree write-tree commit-tree fast-import symbolic-ref-set maintenance rerere":
      destroys("rewrites history or its storage"),
    "rm mv": destroys("deletes or moves files"),
    commit: when("--amend", destroys("rewrites history"), asks("changes the repository")),
    "merge cherry-pick revert am": when("--abort --skip", discards, asks("changes the repository")),
    apply: when("-R --reverse", discards, asks("writes files")),
    "add stage format-patch archive bundle init sparse-checkout mergetool difftool instaweb gui gitk citool daemon hook":
      asks("writes files"),
  };
}

/** A branch of another machine, a release, a commit before another one. */
const REVISION = /^(?:(?:origin|upstream)\/[\w./-]+|v?\d+(?:\.\d+)+|[\w-]+(?:[~^]\d*)+|@\{?[\w-]*\}?)$/;

/** Its words are a branch or files, whose changes it throws away. What is not certainly a branch counts as files. */
function checkout(): Rule {
  const makes = when("-b -t --track --orphan --detach", asks("makes a branch"), code(checkoutWords));
  return when("-f --force -B -p --patch --ours --theirs --pathspec-from-file", discards, makes);
}

function checkoutWords(args: readonly Arg[], id: string, { isFree }: Starts): PartRisk {
  const [word, ...more] = args.filter(({ prefix }) => !/^-./.test(prefix) || prefix === "--");
  const isBranch =
    !word || (more.length === 0 && word.literal && /^[^.:*?[\\]/.test(word.text) && !isPath(word.text, isFree));
  return isBranch ? unknown(id, "changes the working tree") : risky(id, "destructive", "throws changes away");
}

/** The disk knows it better than the word tells. */
function isPath(word: string, isFree: Starts["isFree"]): boolean {
  if (isFree) return !isFree(word) || /[*?[\\]/.test(word);
  return /[./*?[\\]/.test(word) && !REVISION.test(word);
}
