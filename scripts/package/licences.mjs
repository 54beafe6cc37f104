// What we ship contains code of others: their licences go with it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

export function writeLicences(file, modules) {
  const folders = [...new Set(modules.map((path) => PACKAGE.exec(path)?.[0]).filter(Boolean))].sort();
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const own = readdirSync(folder).find((entry) => LICENCE.test(entry));
    const text = own ? readFileSync(join(folder, own), "utf8").trim() : `License: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  writeFileSync(file, texts.join(`\n${"-".repeat(80)}\n\n`));
}
