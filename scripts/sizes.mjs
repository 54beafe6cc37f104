// The size budget: no file over 300 lines, a median under 120, no function over 60 lines, no folder over 20
// files, the holder under 400 lines in all.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILE_MAX = 300;
const MEDIAN_MAX = 120;
const FUNCTION_MAX = 60;
const HOLDER_MAX = 400;
const FOLDER_MAX = 20;
/** Tables of data: all files have one shape, and nobody reads them one after the other. */
const TABLES = new Map([["src/core/gate/risk/tables", "one file per family of programs"]]);

const files = ["src", "web", "scripts"].flatMap((root) =>
  readdirSync(root, { recursive: true })
    .filter((file) => /\.(tsx?|mjs)$/.test(file))
    .map((file) => join(root, file)),
);
const linesOf = (file) => readFileSync(file, "utf8").split("\n").slice(0, -1);
// The formatter guarantees the shape: a function's head ends in "{" and its end is a "}" at the same indent.
const HEAD =
  /^(\s*)(?:export )?(?:async )?(?:function\b|(?:static |get |set |async |private )*#?\w+\(.*\).*\{$|const \w+ = (?:async )?\(.*=>)/;

const errors = [];
for (const file of files) {
  const lines = linesOf(file);
  if (lines.length > FILE_MAX) errors.push(`${file}: ${lines.length} lines (at most ${FILE_MAX})`);
  for (const [i, line] of lines.entries()) {
    const head = HEAD.exec(line);
    if (!head || /^\s*(?:if|for|while|switch|return|else)\b/.test(line) || !line.endsWith("{")) continue;
    const length = lines.slice(i).findIndex((other, n) => n > 0 && other.startsWith(`${head[1]}}`)) + 1;
    if (length > FUNCTION_MAX) errors.push(`${file}:${i + 1}: function of ${length} lines (at most ${FUNCTION_MAX})`);
  }
}
const counts = new Map();
for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
for (const [folder, count] of counts) {
  if (count > FOLDER_MAX && !TABLES.has(folder)) errors.push(`${folder}: ${count} files (at most ${FOLDER_MAX})`);
}
for (const folder of TABLES.keys()) {
  if ((counts.get(folder) ?? 0) <= FOLDER_MAX) errors.push(`${folder}: needs no exception any more`);
}
const sizes = files.map((file) => linesOf(file).length).sort((a, b) => a - b);
const median = sizes[sizes.length >> 1] ?? 0;
if (median > MEDIAN_MAX) errors.push(`median file has ${median} lines (at most ${MEDIAN_MAX})`);
const holder = files
  .filter((file) => file.startsWith("src/holder/"))
  .reduce((sum, file) => sum + linesOf(file).length, 0);
if (holder > HOLDER_MAX) errors.push(`the holder has ${holder} lines (at most ${HOLDER_MAX})`);

for (const error of errors) console.error(error);
console.log(`${files.length} files, median ${median} lines, largest ${sizes.at(-1)}, holder ${holder}`);
process.exitCode = errors.length > 0 ? 1 : 0;
