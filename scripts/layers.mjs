// The import law: layers.json lists, for each folder, what it may import. Anything else fails, and so does a cycle.
// A key has one or two path segments ("protocol", "core/gate"); the longer one wins.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const law = JSON.parse(readFileSync("layers.json", "utf8"));
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

const layerOf = (path) => {
  const [a, b] = path.replace(/^src\//, "").split("/");
  return `${a}/${b}` in law ? `${a}/${b}` : a;
};
const sources = ["src", "web"].flatMap((root) =>
  readdirSync(root, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith("vite.config.ts"))
    .map((file) => join(root, file)),
);
const importsOf = (file) =>
  [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, type, a, b]) => ({
    spec: a ?? b,
    type: Boolean(type),
    lazy: b !== undefined,
  }));
const targetOf = (file, spec) => relative(".", resolve(dirname(file), spec));

function allowed(from, to, spec) {
  const may = law[from];
  if (to === from) return true;
  if (!spec.startsWith(".")) return may.some((entry) => to === entry || to.startsWith(`${entry}/`));
  return may.some((entry) => to === entry || to.startsWith(`${entry}/`));
}

const errors = [];
const graph = new Map();
for (const file of sources) {
  const from = layerOf(file);
  if (!law[from]) errors.push(`${file}: no law for folder "${from}"`);
  const edges = [];
  for (const { spec, type, lazy } of importsOf(file)) {
    if (/\.css$/.test(spec)) continue;
    const local = spec.startsWith(".");
    const to = local ? layerOf(targetOf(file, spec)) : spec.replace(/^node:.*/, "node:*");
    if (law[from] && !allowed(from, to, spec)) errors.push(`${file}: ${from} may not import ${to} (${spec})`);
    if (local && !type && !lazy) edges.push(targetOf(file, spec));
  }
  graph.set(file, edges);
}

const done = new Set();
function walk(file, trail) {
  if (trail.includes(file)) return errors.push(`cycle: ${[...trail.slice(trail.indexOf(file)), file].join(" → ")}`);
  if (done.has(file)) return undefined;
  for (const next of graph.get(file) ?? []) walk(next, [...trail, file]);
  done.add(file);
  return undefined;
}
for (const file of sources) walk(file, []);

for (const error of errors) console.error(error);
console.log(`${sources.length} files, ${errors.length} layer errors`);
process.exitCode = errors.length > 0 ? 1 : 0;
