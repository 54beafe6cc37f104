// The import law: layers.json lists, for each folder or file, what it may import. Anything else fails, and so does a
// cycle, also one of types or of imports on demand.
// The longest key that begins a path is its layer ("cli/main" before "cli"). An entry of ours names one layer, or with
// "/*" also all below it; "type:" before it allows only `import type`. Other entries name packages and what is in them.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const law = JSON.parse(readFileSync("layers.json", "utf8"));
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

function layerOf(path) {
  const parts = path
    .replace(/^src\//, "")
    .replace(/\.tsx?$/, "")
    .split("/");
  const begins = parts.map((_, i) => parts.slice(0, parts.length - i).join("/"));
  return begins.find((begin) => begin in law) ?? parts[0];
}
const sources = ["src", "web"].flatMap((root) =>
  readdirSync(root, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".config.ts"))
    .map((file) => join(root, file)),
);
const importsOf = (file) =>
  [...readFileSync(file, "utf8").matchAll(IMPORT)]
    .map(([, type, a, b]) => ({ spec: a ?? b, type: Boolean(type) }))
    .filter(({ spec }) => !/\.css(?:\?inline)?$/.test(spec));
const targetOf = (file, spec) => relative(".", resolve(dirname(file), spec));

function allowed(from, to, { spec, type }) {
  if (to === from) return true;
  const may = law[from]
    .filter((entry) => type || !entry.startsWith("type:"))
    .map((entry) => entry.replace("type:", ""));
  if (!spec.startsWith(".")) return may.some((entry) => to === entry || to.startsWith(`${entry}/`));
  return may.some((entry) => to === entry || (entry.endsWith("/*") && `${to}/`.startsWith(entry.slice(0, -1))));
}

const errors = [];
const graph = new Map();
for (const file of sources) {
  const from = layerOf(file);
  if (!law[from]) errors.push(`${file}: no law for folder "${from}"`);
  const imports = importsOf(file);
  for (const one of imports) {
    const to = one.spec.startsWith(".") ? layerOf(targetOf(file, one.spec)) : one.spec.replace(/^node:.*/, "node:*");
    if (law[from] && !allowed(from, to, one)) errors.push(`${file}: ${from} may not import ${to} (${one.spec})`);
  }
  const ours = imports.filter(({ spec }) => spec.startsWith("."));
  graph.set(
    file,
    ours.map(({ spec }) => targetOf(file, spec)),
  );
}

// Imports of types and imports on demand count: they tie the same knot for a reader.
const done = new Set();
function walk(file, trail) {
  if (trail.includes(file))
    return void errors.push(`cycle: ${[...trail.slice(trail.indexOf(file)), file].join(" → ")}`);
  if (done.has(file)) return;
  for (const next of graph.get(file) ?? []) walk(next, [...trail, file]);
  done.add(file);
}
for (const file of sources) walk(file, []);

for (const error of errors) console.error(error);
console.log(`${sources.length} files, ${errors.length} layer errors`);
process.exitCode = errors.length > 0 ? 1 : 0;
