// Programs that read text and print text. Those with their own language (sed, awk, jq) are safe only where we can
// prove that they only print.
import { any, asks, code, each, reads, safeWith, searches, type Table } from "../spec.ts";
import { awk, jq, sed } from "../text-languages.ts";

export const textTools: Table = {
  ...each("grep egrep fgrep zgrep", searches),
  ...each("tr numfmt", any),
  ...each("paste join comm fold fmt expand unexpand column colrm pr rev tsort cmp diff", reads),
  cut: safeWith(
    "-d~ -f: -c: -b: -s -n -z --complement --delimiter~ --output-delimiter~ --fields: --characters: --only-delimited",
    { words: "reads" },
  ),
  // -o writes, --compress-program starts a program.
  sort: safeWith(
    "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k: -t~ -S: --key: --field-separator~ --reverse --unique --numeric-sort --human-numeric-sort --version-sort --general-numeric-sort --ignore-case --ignore-leading-blanks --dictionary-order --month-sort --random-sort --stable --check --merge --zero-terminated --sort: --parallel: --debug",
    { words: "reads" },
  ),
  // A second word is a file it writes.
  uniq: safeWith(
    "-0 -c -d -D -i -u -z -f: -s: -w: --count --repeated --all-repeated --ignore-case --unique --zero-terminated --skip-fields: --skip-chars: --check-chars: --group",
    { words: "reads", wordsMax: 1 },
  ),
  shuf: safeWith("-e -i: -n: -r -z --echo --input-range: --head-count: --repeat --zero-terminated"),
  base64: safeWith("-d -D --decode -i --ignore-garbage -w: --wrap:", { words: "reads" }),
  base32: safeWith("-d --decode -i -w:"),
  iconv: safeWith("-f: -t: -c -l -s --from-code: --to-code: --list"),
  sed: code(sed),
  gsed: code(sed),
  ...each("awk gawk mawk nawk", code(awk)),
  ...each("jq jaq gojq", code(jq)),
  // -i and -s write.
  yq: safeWith(
    "-0 -r --raw-output -e --exit-status -o: --output-format: -p: --input-format: -P --prettyPrint -C --colors -M --no-colors -N --no-doc -I: --indent: -j --tojson -c --compact-output -y --yaml-output -S --sort-keys",
    { words: /^(?:eval|e|ea|eval-all|(?!.*(?:env|load|system|eval|exec|input_filename|split_doc))[\s\S]*)$/ },
  ),
  ...each("dasel gron xq tomlq htmlq", asks("not known well enough")),
  ...each("split csplit", asks("writes files")),
  ...each("patch", asks("writes files")),
};
