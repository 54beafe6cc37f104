// Nothing is exported that no other file imports. Code of src and web is checked; tests, benches and scripts count as
// readers. Names are read from the text, which the rules keep simple: named exports only, no barrels but src/entry, which
// is what users import.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const CHECKED = ["src", "web"];
const READERS = [...CHECKED, "test", "bench", "scripts"];
/** Exports that are needed though no file names them. */
const NEEDED = new Map([["src/protocol/op.ts Op", "the compiler names it in the declarations of the operations"]]);
/** What others import from the package. */
const PUBLIC = new Set(["src/client/connection.ts", "src/embed/listener.ts", "src/embed/terminals.ts"]);
const EXPORT = /^export (?:async )?(?:function\*?|const|let|class|abstract class|interface|type) (\w+)/gm;
const STATIC = /^(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+["'](\.[^"']+)["']/gm;
const LAZY = /\bimport\(\s*["'](\.[^"']+)["']/g;

const filesIn = (roots) =>
  roots.flatMap((root) =>
    readdirSync(root, { recursive: true })
      .filter((file) => /\.(?:tsx?|mts|mjs)$/.test(file) && !file.includes("node_modules"))
      .map((file) => join(root, file)),
  );

/** Scripts and benches read the built files. */
function targetOf(file, spec) {
  const path = relative(".", resolve(dirname(file), spec));
  return path.startsWith("build/") ? path.replace("build/", "src/").replace(/\.js$/, ".ts") : path;
}

/** `{ a, type B, c as d }` names a, B and c; `* as ns` names everything that follows `ns.` in the text. */
function namesIn(clause, text) {
  const [, namespace] = /^\*\s+as\s+(\w+)/.exec(clause) ?? [];
  if (namespace) return [...text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, "g"))].map(([, name]) => name);
  return [...clause.matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)].map(([, name]) => name);
}

const used = new Set();
for (const file of filesIn(READERS)) {
  const text = readFileSync(file, "utf8");
  for (const [, clause, spec] of text.matchAll(STATIC))
    for (const name of namesIn(clause, text)) used.add(`${targetOf(file, spec)} ${name}`);
  // A file that is loaded on demand: every word of the reader may be a name from it.
  for (const [, spec] of text.matchAll(LAZY))
    for (const [word] of text.matchAll(/\w+/g)) used.add(`${targetOf(file, spec)} ${word}`);
}

const unused = filesIn(CHECKED).flatMap((file) => {
  if (PUBLIC.has(file)) return [];
  const names = [...readFileSync(file, "utf8").matchAll(EXPORT)].map(([, name]) => name);
  return [...new Set(names)]
    .filter((name) => !used.has(`${file} ${name}`) && !NEEDED.has(`${file} ${name}`))
    .map((name) => `${file}: ${name}`);
});
for (const one of unused) console.error(`${one} is exported, and no other file imports it`);
console.log(`${unused.length} exports without a reader`);
process.exitCode = unused.length > 0 ? 1 : 0;
