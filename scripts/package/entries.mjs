// What users import: the `exports` of package.json are the one table of it, and each target is built of the file of src
// that it is named after. dist/entry/client.js is for Node, dist/browser/entry/… for pages and dist/cjs/entry/….cjs for
// `require`; its declarations lie in dist/types or dist/cjs/types. dist/element is built by web/element.config.ts.
import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const CODE = {
  node: /^\.\/dist\/(?!browser\/|cjs\/|element\/)(.+)\.js$/,
  browser: /^\.\/dist\/browser\/(.+)\.js$/,
  cjs: /^\.\/dist\/cjs\/(.+)\.cjs$/,
};
const DECLARATION = /^\.\/(dist\/(?:cjs\/)?types)\/(.+)\.d\.ts$/;

const targetsIn = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targetsIn));
const targets = [...new Set(targetsIn(exports))];
const matching = (shape) => targets.map((target) => shape.exec(target)).filter((found) => found !== null);

/** The files of src that are built for a kind of user, without their endings. */
export const files = (kind) => matching(CODE[kind]).map(([, name]) => name);

/** The files of src whose declarations are shipped, and the folder for them: `require` wants its own. */
export const declarations = () => matching(DECLARATION).map(([, folder, name]) => ({ folder, name }));
