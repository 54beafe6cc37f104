// Which parts of a line of code are words of its language, strings, comments or numbers. By families of languages: right enough
// to read a change by. Pure. Refuses: to know grammars.

type Tone = "plain" | "word" | "string" | "comment" | "number";
export interface Piece {
  readonly tone: Tone;
  readonly text: string;
}

interface Family {
  /** To the end of the line. */
  readonly line?: string;
  /** Over several lines. */
  readonly block?: readonly [string, string];
  readonly quotes: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** A longer line was made by a program, and nobody reads its colours. */
const LINE_CHARS_MAX = 1_000;

const set = (words: string) => new Set(words.split(" "));
const C_WORDS = set(
  "abstract as async await bool boolean break case catch char class const continue default defer delete do double else enum export extends false final finally float fn for from func function if impl implements import in instanceof int interface internal let long loop match mod mut namespace new nil null override package private protected pub public readonly record return self short static string struct super switch this throw throws trait true try type typeof undefined union unsafe use using val var virtual void volatile when where while yield",
);
const SCRIPT_WORDS = set(
  "alias and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export False fi finally for from function global if import in is lambda local module next nil None nonlocal not or pass raise require rescue return self then True try unless until when while with yield true false null",
);
const SQL_WORDS = set(
  "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full function group having if in index inner insert into is join key left like limit local not null on or order outer primary references return right rollback select set table then union unique update using values view when where while with do elseif false for nil repeat true until",
);
const NONE: ReadonlySet<string> = new Set();

const C: Family = { line: "//", block: ["/*", "*/"], quotes: ['"', "'", "`"], words: C_WORDS };
const SCRIPT: Family = { line: "#", quotes: ['"', "'"], words: SCRIPT_WORDS };
const PYTHON: Family = { ...SCRIPT, block: ['"""', '"""'] };
const SQL: Family = { line: "--", block: ["/*", "*/"], quotes: ['"', "'"], words: SQL_WORDS };
const STYLE: Family = { block: ["/*", "*/"], quotes: ['"', "'"], words: NONE };
const MARKUP: Family = { block: ["<!--", "-->"], quotes: ['"', "'"], words: NONE };
const DATA: Family = { line: "#", quotes: ['"', "'"], words: set("true false null yes no on off") };

const FAMILIES: readonly (readonly [Family, string])[] = [
  [
    C,
    "c cc cpp cs cts dart go groovy h hpp java js jsx json json5 jsonc kt kts m mjs cjs mts php proto rs scala swift ts tsx zig",
  ],
  [PYTHON, "py pyi"],
  [SCRIPT, "bash cmake dockerfile ex exs fish jl makefile mk nix pl pm ps1 r rb sh tcl zsh gemfile rakefile"],
  [DATA, "cfg conf env ini properties toml yaml yml"],
  [SQL, "sql lua hs elm ada"],
  [STYLE, "css scss less"],
  [MARKUP, "html htm xml svg vue svelte astro"],
];
const BY_ENDING = new Map(FAMILIES.flatMap(([family, endings]) => endings.split(" ").map((end) => [end, family])));

/** Lines of one file that follow each other, each as pieces. Text of a kind that we do not know stays plain. */
export function coloured(path: string, lines: readonly string[]): Piece[][] {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const family = BY_ENDING.get(name.slice(name.lastIndexOf(".") + 1));
  if (!family) return lines.map(plain);
  const split = splitter(family);
  let isInBlock = false;
  return lines.map((line) => {
    if (line.length > LINE_CHARS_MAX) return plain(line);
    const read = piecesOf(line, family, split, isInBlock);
    isInBlock = read.isInBlock;
    return read.pieces;
  });
}

const plain = (text: string): Piece[] => [{ tone: "plain", text }];

function piecesOf(line: string, family: Family, split: RegExp, wasInBlock: boolean) {
  const pieces: Piece[] = [];
  const [, close = ""] = family.block ?? [];
  let [at, isInBlock] = [0, wasInBlock];
  const add = (tone: Tone, to: number) => {
    if (to > at) pieces.push({ tone, text: line.slice(at, to) });
    at = to;
  };
  const leave = () => {
    const end = line.indexOf(close, at);
    isInBlock = end === -1;
    return isInBlock ? line.length : end + close.length;
  };
  if (isInBlock) add("comment", leave());
  while (at < line.length) {
    split.lastIndex = at;
    const found = split.exec(line);
    if (!found) break;
    add("plain", found.index);
    const [text] = found;
    if (text === family.block?.[0]) {
      const start = at;
      at += text.length;
      const end = leave();
      at = start;
      add("comment", end);
    } else add(toneOf(text, family), at + text.length);
  }
  add("plain", line.length);
  return { pieces, isInBlock };
}

function toneOf(text: string, { line, quotes, words }: Family): Tone {
  if (line !== undefined && text.startsWith(line)) return "comment";
  if (quotes.includes(text[0] ?? "")) return "string";
  if (/^\d/.test(text)) return "number";
  return words.has(text) || (words === SQL_WORDS && words.has(text.toLowerCase())) ? "word" : "plain";
}

/** Finds the next thing that may have a tone. No part of it repeats another, so that it takes one step for each character. */
function splitter({ line, block, quotes }: Family): RegExp {
  const literal = (text: string) => text.replace(/[^\w\s]/g, "\\$&");
  const strings = quotes.map((quote) => `${literal(quote)}(?:[^\\\\${literal(quote)}]|\\\\.)*${literal(quote)}?`);
  // A # inside a word is no comment: $#, a#b.
  const comment = line === undefined ? [] : [`${line === "#" ? "(?<![^\\s])" : ""}${literal(line)}.*`];
  const parts = [...(block ? [literal(block[0])] : []), ...comment, ...strings, "[A-Za-z_$][\\w$]*", "\\d[\\w.]*"];
  return new RegExp(parts.join("|"), "g");
}
