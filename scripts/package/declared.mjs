// The public declarations of an entry, as the compiler wrote them: what it exports, found where it is declared.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statementsIn } from "./statements.mjs";

/** `{ name, text }` of each, in the order of the entry. */
export function declared(file) {
  const { passed, declared: own } = statementsIn(readFileSync(file, "utf8"));
  const passedOn = passed
    .filter(({ kind }) => kind === "export")
    .flatMap(({ from, names }) => {
      const there = declared(join(dirname(file), from.replace(/\.js$/, ".d.ts")));
      return names.map(({ theirs }) => there.find((one) => one.name === theirs) ?? missing(theirs, file));
    });
  const here = own.filter(({ text }) => text.startsWith("export "));
  return [...passedOn, ...here.map(({ name, comment, text }) => ({ name, text: shown(comment, text) }))];
}

const shown = (comment, text) => `${comment}\n${text}`.split("\n").map(plain).filter(Boolean).join("\n");

/** As a user writes it: two blanks, nothing of the compiler's own. */
function plain(line) {
  if (/^ +(?:#private;|private .*;)$/.test(line)) return "";
  return line.replace(/^export (?:declare )?/, "").replace(/^ {4,}/, (blanks) => " ".repeat(blanks.length / 2));
}

function missing(name, file) {
  throw new Error(`${file}: ${name} is passed on, and its declaration was not found`);
}
