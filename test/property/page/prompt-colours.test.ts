// Colours of the prompt: no character is lost or changed, whatever is written, and the parts of usual lines are told apart.
import fc from "fast-check";
import { expect, test } from "vitest";
import { calledIn, piecesOf } from "../../../web/composer/ink/pieces.ts";

const whole = (text: string) =>
  piecesOf(text)
    .map((piece) => piece.text)
    .join("");
const SIGNS = [
  "'",
  '"',
  "\\",
  "`",
  "$(",
  ")",
  "$((",
  "((",
  "<<E",
  "\nE\n",
  "${",
  "}",
  "$'",
  "#",
  " ",
  "\n",
  ";",
  "|",
  "&&",
];
const OTHERS = [
  "-a",
  "~/x",
  "a=1",
  "for",
  "in",
  "case",
  "f()",
  "2>",
  "\u202e",
  "\x1b[2J",
  "\ud800",
  "é",
  "😀",
  "\t",
  "\r",
  "\0",
];

test("the pieces together are the text, for any text", () => {
  const hostile = fc.array(fc.constantFrom(...SIGNS, ...OTHERS, "word"), { maxLength: 30 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ maxLength: 80 })), (text) => {
      expect(whole(text)).toBe(text);
      expect(piecesOf(text).every((piece) => piece.text !== "")).toBe(true);
    }),
  );
});

test("deep and long texts end, and are whole", () => {
  for (const sign of SIGNS)
    for (const text of [sign.repeat(900), `x ${sign}`.repeat(900)]) expect(whole(text)).toBe(text);
  const long = "echo 'a' ".repeat(2_000);
  expect(piecesOf(long)).toEqual([{ tone: "plain", text: long }]);
});

const SHORT = {
  command: "C",
  option: "O",
  string: "S",
  variable: "V",
  operator: "P",
  comment: "#",
  path: "/",
  plain: ".",
};
const toned = (text: string) =>
  piecesOf(text)
    .filter((piece) => piece.text.trim() !== "")
    .map((piece) => `${SHORT[piece.tone]}${piece.text.trim()}`);

test.each([
  ["git commit -m 'a b'", ["Cgit", ".commit", "O-m", "S'a b'"]],
  ['A=1 echo "x $HOME" # end', ["VA=1", "Cecho", 'S"x', "V$HOME", 'S"', "## end"]],
  ["ls ~/a | wc -l > out.txt && true", ["Cls", "/~/a", "P|", "Cwc", "O-l", "P>", "/out.txt", "P&&", "Ctrue"]],
  ["2>err make x", ["P2>", "/err", "Cmake", ".x"]],
  ["echo $(ls -a) `pwd` b", ["Cecho", "P$(", "Cls", "O-a", "P) `", "Cpwd", "P`", ".b"]],
  ["for i in 1 2; do echo $i; done", ["Pfor", "Vi", "Pin", ".1", ".2", "P;", "Pdo", "Cecho", "V$i", "P;", "Pdone"]],
  ["if ! true; then (a); fi", ["Pif", "P!", "Ctrue", "P;", "Pthen (", "Ca", "P);", "Pfi"]],
  ["f() { ls; }", [".f", "P()", "P{", "Cls", "P;", "P}"]],
  ["cat <<E\n$x\nE\nls", ["Ccat", "P<<", "/E", "S$x\nE", "Cls"]],
  [`echo $((1 + 2)) $${"{a:-b}"} $'x\\'y' a#b`, ["Cecho", `V$((1 + 2)) $${"{a:-b}"}`, "S$'x\\'y'", ".a#b"]],
  ["./run --all=~/x", ["C./run", "O--all=~/x"]],
])("%s", (text, pieces) => expect(toned(text)).toEqual(pieces));

test("commands are looked up only where the shell reads a plain name, and nothing before it can have made it", () => {
  const called = (line: string) => calledIn(piecesOf(line)).map(({ name, isWritten }) => name + (isWritten ? " " : ""));
  const LINES: readonly (readonly [string, readonly string[]])[] = [
    ["gti", ["gti"]],
    ["  gti status", ["gti "]],
    ["gti | grpe x > out | hed", ["gti ", "grpe ", "hed"]],
    ["a | b && c", ["a ", "b "]],
    ["a; b", ["a "]],
    ["a\nb", ["a "]],
    // Paths, quotes, variables, patterns, assignments, keywords, what sudo runs, definitions, substitutions, history.
    ...["./gti x", "~/gti", "g'ti' x", "$x y", "g*i x", "X=1 gti y", "if gti; then", "time gti x", "{ gti x; }"].map(
      none,
    ),
    ...["f() { x; }", "function gti", "$(gti) x", "`gti` x", "(gti x)", "!gti x", "=gti x", "\\gti x", "", "# gti"].map(
      none,
    ),
    ["sudo gti x", ["sudo "]],
    ["echo $(gti x)", ["echo "]],
  ];
  for (const [line, names] of LINES) expect(called(line), line).toEqual(names);
});

function none(line: string): readonly [string, readonly string[]] {
  return [line, []];
}
