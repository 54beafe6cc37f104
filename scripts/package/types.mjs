// Ships the declarations of what users import: each entry's, and those that it needs. The compiler leaves `.ts` in them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { declarations } from "./entries.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Types that everybody has who uses these entries. */
const GIVEN = /^(?:node:|electron$)/;
const IMPORT = /(\bfrom |\bimport\(|^import )"([^"]+)"/gm;
/** Older settings of TypeScript do not know `AsyncDisposable`. */
const HEAD = '/// <reference lib="esnext.disposable" />\n';

const HEADED = new Set(declarations().map(({ name }) => name));
const shipped = new Set();
function ship(folder, name) {
  const file = join(root, folder, `${name}.d.ts`);
  if (shipped.has(file)) return;
  shipped.add(file);
  const text = readFileSync(join(root, "build", `${name}.d.ts`), "utf8").replace(IMPORT, (all, before, from) => {
    if (!from.startsWith(".")) return checked(name, from) && all;
    ship(folder, normalize(join(dirname(name), from)).replace(/\.[jt]s$/, ""));
    return `${before}"${from.replace(/\.ts$/, ".js")}"`;
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, HEADED.has(name) ? HEAD + text : text);
}

function checked(name, from) {
  const [, owner] = /^((?:@[^/]+\/)?[^/]+)/.exec(from);
  if (GIVEN.test(from) || owner in dependencies) return true;
  throw new Error(`${name}.d.ts needs the types of ${from}, which no user has`);
}

for (const { folder, name } of declarations()) {
  ship(folder, name);
  // The same declarations, read by `require`: a folder says what its files are.
  if (folder.startsWith("dist/cjs")) writeFileSync(join(root, folder, "package.json"), '{ "type": "commonjs" }\n');
}
