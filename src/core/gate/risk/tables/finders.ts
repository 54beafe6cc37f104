// Programs that search, and may start others on what they find.
import { find } from "../find.ts";
import { any, asks, code, each, safeWith, type Table } from "../spec.ts";

export const finders: Table = {
  ...each("find gfind", code(find)),
  // --pre, --hostname-bin and -z start programs.
  rg: safeWith(
    "-0 -a --text -A: --after-context: -B: --before-context: -C: --context: -b -c --count --count-matches --color: --colors: --column --crlf -e~ --regexp~ -f: --file: -F --fixed-strings --files -l --files-with-matches --files-without-match -g~ --glob~ --iglob~ --glob-case-insensitive -h --help -. --hidden -i --ignore-case -I --no-filename -H --with-filename --heading --no-heading --ignore-file: --include-zero -v --invert-match --json -j: --threads: -M: --max-columns: --max-columns-preview -m: --max-count: -d: --max-depth: --maxdepth: --max-filesize: --multiline -U --multiline-dotall -n --line-number -N --no-line-number --no-config --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-global --no-messages --no-require-git --no-unicode --null -o --only-matching -P --pcre2 --engine: --passthru -p --pretty --path-separator: -q --quiet -r: --replace: -s --case-sensitive -S --smart-case --sort: --sortr: --stats --trim -t: --type: -T: --type-not: --type-list -u -uu -uuu --unrestricted --vimgrep -w --word-regexp -x --line-regexp -L --follow --line-buffered --encoding: -E: --version -V --one-file-system --binary --debug",
    { words: "searched" },
  ),
  // -x and -X start programs.
  ...each(
    "fd fdfind",
    safeWith(
      "-0 -H --hidden -I --no-ignore -u --unrestricted -s --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings -a --absolute-path -l --list-details -L --follow -p --full-path -d: --max-depth: --min-depth: --exact-depth: -E: --exclude: -t: --type: -e: --extension: -S: --size: --changed-within: --changed-before: -o: --owner: -c: --color: -j: --threads: -1 --max-results: -q --quiet -0 --print0 --prune --no-ignore-vcs --base-directory: --strip-cwd-prefix --one-file-system --format:",
      { words: "any" },
    ),
  ),
  ...each("locate mlocate plocate mdfind", any),
  fzf: asks("interactive program: what matters is what gets typed into it"),
};
