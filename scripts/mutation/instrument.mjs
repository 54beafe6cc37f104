// Finds mutants with StrykerJS's instrumenter, and places chosen ones behind a switch that works in every process:
// the test worker, the daemon, the holder and the CLI read the active mutant from the environment.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/** Mutated messages are noise: no test should depend on the exact words of each. */
const EXCLUDED = ["StringLiteral"];
const PARSING = { plugins: null, excludedMutations: EXCLUDED, ignorers: [], noHeader: true };
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  isDebugEnabled: () => false,
  warn: console.warn,
  error: console.error,
};
/**
 * Replaces StrykerJS's own header. `MUTANT` names the active mutant. `MUTANT_COVERAGE` is a folder with a file per test file,
 * which lists the mutants that were reached; a process appends at the first hit, so that kill -9 loses nothing.
 */
const HEADER = `const [stryMutAct_9fa48, stryCov_9fa48] = (globalThis.__mutation ??= (() => {
  const process = globalThis.process;
  const active = process?.env?.MUTANT;
  const folder = process?.env?.MUTANT_COVERAGE;
  const hits = new Map();
  const state = { file: process?.env?.MUTANT_TEST };
  const cover = (...ids) => {
    if (!folder || !state.file) return;
    let seen = hits.get(state.file);
    if (!seen) hits.set(state.file, (seen = new Set()));
    for (const id of ids) {
      if (seen.has(id)) continue;
      seen.add(id);
      try {
        process.getBuiltinModule("node:fs").appendFileSync(folder + "/" + state.file, id + "\\n");
      } catch {}
    }
  };
  return [(id) => id === active, cover, state];
})());
`;

/** The TypeScript files of an area. */
export function sourcesOf(root, { sources, except = [] }) {
  const files = sources.flatMap((path) => {
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return readdirSync(join(root, path), { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(path, name));
  });
  return files.filter((file) => !except.some((prefix) => file.startsWith(prefix))).sort();
}

/** Every mutant of these files, with an identity that survives edits elsewhere in the file. */
export async function mutantsOf(root, files) {
  const mutants = [];
  for (const file of files) {
    const content = readFileSync(join(root, file), "utf8");
    const { mutants: found } = await new Instrumenter(SILENT).instrument(
      [{ name: file, mutate: true, content }],
      PARSING,
    );
    const occurrences = new Map();
    for (const { mutatorName, replacement, location, status } of found) {
      if (status === "Ignored") continue;
      const original = textAt(content, location);
      const key = JSON.stringify([mutatorName, original, replacement]);
      const occurrence = occurrences.get(key) ?? 0;
      occurrences.set(key, occurrence + 1);
      const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
      const line = location.start.line + 1;
      mutants.push({ file, line, mutator: mutatorName, original, replacement, digest, occurrence, location });
    }
  }
  return mutants;
}

export const isSame = (a, b) => a.file === b.file && a.digest === b.digest && a.occurrence === b.occurrence;

/** Rewrites the files of a tree in place. Returns the id in the environment of each sampled mutant: others may share its range. */
export async function place(root, sampled) {
  const byFile = new Map();
  for (const mutant of sampled) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
  const switches = new Map();
  let next = 0;
  for (const [file, wanted] of byFile) {
    const content = readFileSync(join(root, file), "utf8");
    const mutate = wanted.map(({ location }) => location);
    const result = await new Instrumenter(SILENT).instrument([{ name: file, mutate, content }], PARSING);
    const base = next;
    for (const mutant of wanted) {
      const index = result.mutants.findIndex(
        ({ mutatorName, replacement, location }) =>
          mutatorName === mutant.mutator &&
          replacement === mutant.replacement &&
          JSON.stringify(location) === JSON.stringify(mutant.location),
      );
      if (index < 0) throw new Error(`${mutant.id} was not placed in ${file}`);
      switches.set(mutant.id, String(base + Number(result.mutants[index].id)));
    }
    next += result.mutants.length;
    // Each file counts its mutants from 0.
    const renumbered = result.files[0].content.replaceAll(
      /stry(MutAct|Cov)_9fa48\(((?:"\d+"(?:, )?)+)\)/g,
      (_, kind, ids) => {
        const shifted = [...ids.matchAll(/\d+/g)].map(([id]) => `"${Number(id) + base}"`);
        return `stry${kind}_9fa48(${shifted.join(", ")})`;
      },
    );
    writeFileSync(join(root, file), HEADER + renumbered);
  }
  return switches;
}

function textAt(content, { start, end }) {
  const lines = content.split("\n").slice(start.line, end.line + 1);
  lines.push(lines.pop().slice(0, end.column));
  lines[0] = lines[0].slice(start.column);
  return lines.join("\n");
}
