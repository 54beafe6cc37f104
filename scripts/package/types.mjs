// Ships the declarations of what users import: what each entry exports and all that this needs, and nothing else. A type of
// the machine's own that no user can reach stays here. The compiler leaves `.ts` in them, which users cannot import.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { declarations } from "./entries.mjs";
import { statementsIn } from "./statements.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Types that everybody has who uses these entries. */
const GIVEN = /^(?:node:|electron$)/;
const INLINE = /\bimport\("([^"]+)"\)(?:\.(\w+))?/g;
/** Older settings of TypeScript do not know `AsyncDisposable`. */
const HEAD = '/// <reference lib="esnext.disposable" />\n';

/** One folder of declarations. Owns: which names of which files it has. */
class Shipment {
  #files = new Map();

  addAll(name) {
    const { passed, declared } = this.#file(name);
    for (const { kind, names } of passed) if (kind === "export") for (const { ours } of names) this.#add(name, ours);
    for (const one of declared) if (one.text.startsWith("export ")) this.#add(name, one.name);
  }

  #file(name) {
    const known = this.#files.get(name);
    if (known) return known;
    const file = { ...statementsIn(readFileSync(join(root, "build", `${name}.d.ts`), "utf8")), needed: new Set() };
    this.#files.set(name, file);
    return file;
  }

  #add(file, name) {
    const { passed, declared, needed } = this.#file(file);
    const own = declared.filter((one) => one.name === name);
    const source = passed.find(({ names }) => names.some(({ ours }) => ours === name));
    if (needed.has(name) || (own.length === 0 && !source)) return;
    needed.add(name);
    if (source) this.#from(file, source.from, source.names.find(({ ours }) => ours === name).theirs);
    for (const { text } of own) {
      for (const [, from, theirs] of text.matchAll(INLINE)) this.#from(file, from, theirs);
      for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) this.#add(file, word);
    }
  }

  #from(file, from, name) {
    if (from.startsWith(".")) return this.#add(normalize(join(dirname(file), from)).replace(/\.[jt]s$/, ""), name);
    const [owner] = /^(?:@[^/]+\/)?[^/]+/.exec(from);
    if (!GIVEN.test(from) && !(owner in dependencies))
      throw new Error(`${file}.d.ts needs ${name} of ${from}, which no user has`);
  }

  write(folder, entries) {
    for (const [name, { passed, declared, needed }] of this.#files) {
      const imports = passed.map((one) => passedText(one, needed)).filter(Boolean);
      const own = declared.filter((one) => needed.has(one.name));
      const texts = own.map(({ comment, text }) => [comment, text].filter(Boolean).join("\n"));
      const all = [...imports, ...texts, "export {};", ""].join("\n").replace(/"(\.[^"]+)\.ts"/g, '"$1.js"');
      const file = join(root, folder, `${name}.d.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, entries.includes(name) ? HEAD + all : all);
    }
  }
}

function passedText({ kind, from, names }, needed) {
  const kept = names.filter(({ ours }) => needed.has(ours));
  if (kept.length === 0) return "";
  const [{ theirs, ours, type }] = kept;
  if (theirs === "*") return `${kind} ${type}* as ${ours} from "${from}";`;
  const list = kept.map((one) => `${one.type}${one.theirs === one.ours ? "" : `${one.theirs} as `}${one.ours}`);
  return `${kind} { ${list.join(", ")} } from "${from}";`;
}

for (const folder of new Set(declarations().map((one) => one.folder))) {
  const names = declarations()
    .filter((one) => one.folder === folder)
    .map(({ name }) => name);
  const shipment = new Shipment();
  for (const name of names) shipment.addAll(name);
  shipment.write(folder, names);
  // The same declarations, read by `require`: a folder says what its files are.
  if (folder.startsWith("dist/cjs")) writeFileSync(join(root, folder, "package.json"), '{ "type": "commonjs" }\n');
}
