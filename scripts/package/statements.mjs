// A file of declarations as the compiler writes it, cut into its statements. Nothing else is read: the compiler's form is
// always the same.

const NAMED = /^(?:export )?(?:declare )?(?:abstract )?(?:function|const|let|class|interface|type|namespace) (\w+)/;
const BLOCK = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|namespace) /;
const FROM = /^(import|export) (type )?(?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$/;
const COMMENT = /^\s*(?:\/\*\*|\*)/;

/**
 * `passed`: what is imported or passed on, as { from, kind, names: [{ theirs, ours }] }. `declared`: what is declared here,
 * as { name, comment, text }.
 */
export function statementsIn(text) {
  const [passed, declared] = [[], []];
  let [comment, lines, depth] = [[], [], 0];
  for (const line of text.split("\n")) {
    const from = FROM.exec(line);
    if (lines.length === 0 && from) passed.push(passedIn(from));
    else if (lines.length === 0 && COMMENT.test(line)) comment.push(line);
    else if (lines.length > 0 || NAMED.test(line)) {
      lines.push(line);
      depth += depthOf(line);
      const ends = depth === 0 && (line.endsWith(";") || (BLOCK.test(lines[0]) && line.endsWith("}")));
      if (!ends) continue;
      declared.push({ name: NAMED.exec(lines[0])[1], comment: comment.join("\n"), text: lines.join("\n") });
      [comment, lines] = [[], []];
    } else comment = [];
  }
  return { passed, declared };
}

function passedIn([, word, type = "", list, namespace, from]) {
  const names = namespace
    ? [{ theirs: "*", ours: namespace, type }]
    : list
        .split(",")
        .map((part) => /^\s*(type )?(\w+)(?: as (\w+))?\s*$/.exec(part))
        .filter((found) => found !== null)
        .map(([, own = type, theirs, ours = theirs]) => ({ theirs, ours, type: own }));
  return { kind: word, from, names };
}

/** How many brackets a line opens more than it closes. */
function depthOf(line) {
  if (COMMENT.test(line)) return 0;
  const code = line.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*.*?\*\//g, "");
  return [...code].reduce((sum, char) => sum + ("{([".includes(char) ? 1 : "})]".includes(char) ? -1 : 0), 0);
}
