// What users import: the `exports` of package.json are the one table of it, and each target is built of the file of
// src/entry that it is named after. dist/entry/NAME.js is for Node, dist/browser/entry/NAME.js for pages and
// dist/cjs/entry/NAME.cjs for `require`.
import { readFileSync } from "node:fs";

const { exports = {} } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const FOLDERS = { node: "dist/", browser: "dist/browser/", cjs: "dist/cjs/" };

const targetsIn = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targetsIn));
const targets = [...new Set(targetsIn(exports))];

/** The files of src that are built for a kind of user, without their endings: entry/client. */
export function files(kind) {
  const code = new RegExp(`^\\./${FOLDERS[kind]}(entry/[\\w-]+)\\.c?js$`);
  return targets.map((target) => code.exec(target)?.[1]).filter((name) => name !== undefined);
}

/** The declarations that are shipped, with the folder that they lie in: a CommonJS reader wants its own. */
export function declarations() {
  return targets
    .filter((target) => target.endsWith(".d.ts"))
    .map((target) => {
      const [, folder, name] = /^\.\/(dist\/(?:cjs\/)?types)\/(entry\/[\w-]+)\.d\.ts$/.exec(target);
      return { folder, name };
    });
}
