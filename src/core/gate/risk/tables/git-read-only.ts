// git's read-only verbs, each with the options that keep it read-only.
import { type PartRisk, risky, safe } from "../risk.ts";
import { any, asks, code, options, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";
import type { Arg } from "../words.ts";

const DIFF =
  "-0 -p -u --patch -s --no-patch -U: --unified: --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored: --diff-algorithm: --stat --numstat --shortstat --dirstat --summary --compact-summary --name-only --name-status --submodule --color --no-color --color-moved --color-words --word-diff --word-diff-regex: --no-renames --find-renames -M -C -B -D -l: --diff-filter: -S~ -G~ --find-object: --pickaxe-all --pickaxe-regex --relative --no-relative -a --text --ignore-space-at-eol --ignore-cr-at-eol -b -w --ignore-space-change --ignore-all-space --ignore-blank-lines -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules --src-prefix: --dst-prefix: --no-prefix --full-index --abbrev --binary -z --check --ws-error-highlight: --find-copies --find-copies-harder --inter-hunk-context: -R --rotate-to: --skip-to: --stat-width: --cc -c -m --combined-all-paths --cached --staged --merge-base -1 -2 -3 --base --ours --theirs --no-commit-id --root -r -t --always";
const LOG =
  "-n: --max-count: --skip: --since~ --after~ --until~ --before~ --author~ --committer~ --grep~ --all-match --invert-grep -i --regexp-ignore-case -E -F -P --merges --no-merges --first-parent --all --branches --tags --remotes --glob: --exclude: --reflog --cherry-pick --cherry-mark --cherry --left-right --left-only --right-only --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path --date-order --author-date-order --topo-order --reverse --oneline --pretty --format~ --abbrev-commit --no-abbrev-commit --encoding: --notes --no-notes --show-signature --relative-date --date~ --parents --children --graph --no-graph --show-linear-break --decorate --no-decorate --decorate-refs: --source --follow --full-diff -L: -g --walk-reflogs --stdin --mailmap --no-mailmap --log-size --no-walk --show-pulls --clear-decorations";

const seen = (allowed: string): Rule => safeWith(options(allowed), { words: "any" });
const network = (why: string): Rule => risk("network", why);
const destroys = (why: string): Rule => risk("destructive", why);
const writesFile = network("--output writes a file, a helper runs a program");
/** With one of these options even a read-only verb starts a program or writes a file. */
const withoutHelpers = (rule: Rule): Rule =>
  when("--output --ext-diff --textconv --open-files-in-pager --exec --upload-pack", writesFile, rule);
const diff = withoutHelpers(seen(DIFF));
const log = withoutHelpers(seen(`${DIFF} ${LOG}`));

const READS =
  /^(?:-l|--list|--get|--get-all|--get-regexp|--show-origin|--show-scope|--name-only|--local|--global|--system|--worktree|-z|--null|--all|--includes|--bool|--int|--type=\w+|--default=.*)$/;

export const gitReadOnly: Table = {
  status: seen(
    "-s --short -b --branch --show-stash --porcelain --long -v -u --untracked-files -uno -unormal -uall --ignore-submodules --ignored -z --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames",
  ),
  "diff diff-tree diff-index diff-files": diff,
  "log show whatchanged": log,
  shortlog: seen(`-s -n -e -c -w --summary --numbered --email --group: --no-merges ${LOG}`),
  "blame annotate": seen(
    "-b --root --show-stats -L: -l -t -S~ --reverse -p --porcelain --line-porcelain --incremental --encoding: --contents: --date~ -M -C -f -n -s -e -w --show-name --show-number --show-email --ignore-rev: --ignore-revs-file: --color-lines --color-by-age --abbrev --first-parent",
  ),
  "rev-parse rev-list name-rev merge-base describe var": withoutHelpers(
    seen(
      `-q --verify --short --abbrev-ref --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --git-path --show-object-format --not --revs-only --no-revs --flags --count --objects --tags --always --long --dirty --broken --contains --match: --candidates: --exact-match --abbrev --first-parent --exclude: --refs: --name-only --no-undefined --is-ancestor --octopus --independent --fork-point -a --all -l ${LOG}`,
    ),
  ),
  "ls-files ls-tree": seen(
    "-0 -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed --directory --no-empty-directory --eol -z -t -v -f --full-name --recurse-submodules --error-unmatch --exclude-standard -x: --exclude: -X: --exclude-from: --exclude-per-directory: --abbrev --debug --deduplicate --format~ -r -l --long --name-only --name-status --object-only --full-tree --resolve-undo",
  ),
  grep: withoutHelpers(
    when(
      "-O",
      writesFile,
      seen(
        "-0 --cached --untracked --exclude-standard --recurse-submodules -a -I -i --ignore-case -w --word-regexp -v --invert-match -h -H --full-name -E -G -P -F --fixed-strings --extended-regexp --perl-regexp -n --line-number --column -l --files-with-matches --name-only -L --files-without-match -z -o --only-matching -c --count --color --no-color --break --heading -p --show-function -A: -B: -C: -W --function-context -m: --max-count: --max-depth: -r --recursive --threads: -f: -e: --and --or --not --all-match -q --quiet -t --text",
      ),
    ),
  ),
  branch: when(
    "-D -d --delete -m -M --move -c -C --copy -f --force -u --set-upstream-to --unset-upstream --edit-description",
    destroys("changes or deletes branches"),
    branchLook(),
  ),
  tag: when(
    "-d --delete -f --force",
    destroys("changes or deletes tags"),
    listOnly(
      "-l --list -n --contains: --no-contains: --merged --no-merged --points-at: --sort: --format~ --column --no-column -i --ignore-case --color",
    ),
  ),
  remote: verbs(
    {
      "-v --verbose": any,
      "get-url": safeWith("--push --all"),
      show: asks("asks another machine"),
      "add remove rm rename set-url set-head set-branches prune": network("changes where this repository comes from"),
      update: network("fetches"),
    },
    { options: "-v --verbose", bare: any },
  ),
  stash: verbs(
    {
      list: log,
      show: diff,
      "drop clear": destroys("deletes what was stashed"),
      "push save pop apply branch create store": asks("changes the working tree"),
    },
    { bare: asks("changes the working tree") },
  ),
  worktree: verbs({ list: safeWith("--porcelain -v -z"), "remove prune": destroys("deletes a working tree") }),
  submodule: verbs(
    {
      status: safeWith("--cached --recursive --quiet"),
      "update add init sync deinit": network("fetches or changes submodules"),
      foreach: destroys("runs a command in every submodule"),
    },
    { bare: any, options: "--quiet" },
  ),
  config: code(config),
  reflog: verbs(
    { show: log, "expire delete": destroys("deletes history"), exists: any, list: any },
    { bare: log, other: log, options: "-0 -n:" },
  ),
  bisect: verbs({ "log view": safeWith("") }, { other: asks("changes the working tree") }),
  notes: verbs({ "list show": safeWith("") }, { bare: any }),
  "cat-file": safeWith("-t -s -e -p --batch-check", { words: "any" }),
  "show-ref for-each-ref": safeWith(
    "-0 --head --tags --heads --branches --verify --hash -d --dereference -q --format~ --sort: --count: --points-at: --merged --no-merged --contains: --no-contains: --ignore-case --abbrev -s --exclude-existing",
    { words: "any" },
  ),
  "show-branch cherry range-diff": withoutHelpers(
    seen(
      `-a -r --list --sha1-name --no-name --more --topics --current -v --abbrev --no-dual-color --creation-factor: ${DIFF}`,
    ),
  ),
  "count-objects check-ignore check-attr check-ref-format check-mailmap verify-commit verify-tag": safeWith(
    "-v --verbose -H --human-readable -q --quiet -n --non-matching -a --all --cached --raw --branch --normalize",
    { words: "any" },
  ),
  version: safeWith("--build-options", { words: "none" }),
  fsck: safeWith(
    "--full --strict --no-dangling --connectivity-only --no-progress --unreachable --dangling --root --tags --cache --verbose",
  ),
  "ls-remote": network("asks another machine"),
  lfs: network("fetches or changes large files"),
  "symbolic-ref": safeWith("--short -q", { wordsMax: 1 }),
};

/** Reading a setting, by an option or as the only word. Everything else sets one, and some settings name programs. */
function config(args: readonly Arg[], id: string): PartRisk {
  const reads = args.some((arg) => /^(?:-l|--list|--get|--get-all|--get-regexp|--get-urlmatch)$/.test(arg.text));
  const verb = /^(?:list|get)$/.test(args[0]?.text ?? "");
  const plain = args.every((arg) => arg.literal && (!arg.text.startsWith("-") || READS.test(arg.text)));
  const single = args.length === 1 && plain && /^[a-z]+\.[\w.-]+$/i.test(args[0]?.text ?? "");
  if (plain && (reads || verb || single)) return safe(id);
  return risky(id, "destructive", "changes what git runs");
}

/** Without a word that would make a branch. */
function branchLook(): Rule {
  return code((args, id, starts) => {
    const lists = args.some((arg) =>
      /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|--show-current)/.test(arg.prefix),
    );
    const allowed =
      "-a --all -r --remotes -v -vv --verbose -q -l --list --show-current --contains --no-contains --merged --no-merged --points-at: --sort: --format~ --column --no-column -i --ignore-case --abbrev --no-abbrev --color --no-color";
    return starts.rule(safeWith(options(allowed), lists ? { words: "any" } : { words: "none" }), args, id);
  });
}

function listOnly(allowed: string): Rule {
  return code((args, id, starts) => {
    const lists = args.some((arg) =>
      /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|-n)/.test(arg.prefix),
    );
    return starts.rule(safeWith(options(allowed), lists ? { words: "any" } : { words: "none" }), args, id);
  });
}
