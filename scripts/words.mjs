// Prints every string that a person or an agent reads, with its place, so that somebody can read them all.
// `npm run words [folder]`.
import { wordsIn } from "./words/read.mjs";

/** Who reads it, by its place. */
const READERS = [
  ["page", /^web\//],
  ["attach", /^src\/cli\/(?:attach|conversation)\//],
  ["cli", /^src\/(?:cli|client)\//],
  ["mcp", /^src\/mcp\//],
  ["verbs", /^src\/protocol\//],
  ["faults and answers", /^src\//],
];

const words = wordsIn(["tsconfig.json", "tsconfig.web.json"], process.argv[2]);
for (const [reader, place] of READERS) {
  const theirs = words.filter(({ file }) => READERS.find(([, one]) => one.test(file))?.[1] === place);
  const lines = theirs.map(({ file, line, text }) => `${file}:${line}\t${text}`);
  if (lines.length > 0) console.log([`# ${reader}: ${lines.length}`, ...lines, ""].join("\n"));
}
