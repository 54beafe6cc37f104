// The public declarations of an entry, as the compiler wrote them: what it exports, found where it is declared.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FROM = /^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm;
const NAME = /^export (?:declare )?(?:abstract )?(?:async )?(?:function|const|class|interface|type) (\w+)/;

/** `{ name, text }` of each, in the order of the entry. */
export function declared(file) {
  const text = readFileSync(file, "utf8");
  const passedOn = [...text.matchAll(FROM)].flatMap(([, names, from]) => {
    const there = declared(join(dirname(file), from.replace(/\.js$/, ".d.ts")));
    return namesIn(names).map((name) => there.find((one) => one.name === name) ?? missing(name, file));
  });
  return [...passedOn, ...statementsIn(text)];
}

const namesIn = (list) =>
  list
    .split(",")
    .map((name) => name.trim().replace(/^type /, ""))
    .filter((name) => name !== "");

/** The compiler's own form: a statement begins at the margin and ends with the next line there that closes it. */
function statementsIn(text) {
  const found = [];
  let [comment, lines] = [[], []];
  for (const line of text.split("\n")) {
    if (lines.length > 0) lines.push(line);
    else if (/^(?:\/\*\*| \*)/.test(line)) comment.push(line);
    else if (NAME.test(line)) lines = [line];
    else comment = [];
    if (lines.length === 0 || !/^(?:\S.*;|\}.*)$/.test(line)) continue;
    found.push({ name: NAME.exec(lines[0])[1], text: [...comment, ...lines].map(plain).filter(Boolean).join("\n") });
    [comment, lines] = [[], []];
  }
  return found;
}

/** As a user writes it: two blanks, nothing of the compiler's own. */
function plain(line) {
  if (/^ +(?:#private;|private .*;)$/.test(line)) return "";
  return line.replace(/^export (?:declare )?/, "").replace(/^ {4,}/, (blanks) => " ".repeat(blanks.length / 2));
}

function missing(name, file) {
  throw new Error(`${file}: ${name} is passed on, and its declaration was not found`);
}
