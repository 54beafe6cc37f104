// Which parts of a command line are commands, options, strings and so on, as bash and zsh read them, and fish nearly. Pure. It never
// loses or changes a character: the pieces together are the text. Refuses: to know what a command does; it only colours.

type Tone = "plain" | "command" | "option" | "string" | "variable" | "operator" | "comment" | "path";
export interface Piece {
  readonly tone: Tone;
  readonly text: string;
}

/** A longer text was pasted, and nobody reads its colours. */
const CHARS_MAX = 5_000;
/** Commands in commands in commands: beyond it they are plain. */
const DEPTH_MAX = 20;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** After these comes a command. */
const LEADING = words("if then elif else while until do time ! { begin and or not coproc");
const KEYWORDS = words("fi done esac case in for select function } [[ ]] end switch");
/** After these comes a name. */
const NAMING = words("for select function case switch");
const OPERATOR = /(?:\d*(?:>>|>\||<>|[<>]&|<<<|<<-?|[<>])|&>>?|&&|\|\||\|&|;;&?|;&|[|&;()])/y;
const REDIRECTS = /[<>]/;
const VARIABLE = /\$(?:\w+|\{[^}\n]*\}?|[#?!$@*-])/y;
const LITERAL = /[^\s'"\\$`|&;()<>]+/y;
const BLANKS = /[^\S\n]+/y;

/** What the next word is. */
type Next = "command" | "argument" | "path" | "name";

export function piecesOf(text: string): readonly Piece[] {
  if (text.length > CHARS_MAX) return [{ tone: "plain", text }];
  const scan = new Scan(text);
  scan.commands("", 0);
  return scan.pieces;
}

/** A command that is called by a plain name. */
export interface Called {
  readonly name: string;
  /** Which piece it is. */
  readonly at: number;
  /** Something stands behind it. */
  readonly isWritten: boolean;
}

/** What names may have that the shell reads as nothing else. */
const NAME = /^\w[\w.+@:-]{0,99}$/;
const CALLED_MAX = 20;

/**
 * The commands of a line's first pipeline. What comes later may be made by what comes before: a function, a folder, a PATH. What
 * stands behind an assignment, a keyword or another command's name, or in a substitution, is not among them.
 */
export function calledIn(pieces: readonly Piece[]): readonly Called[] {
  const called: Called[] = [];
  let isNext = true;
  for (const [at, { tone, text }] of pieces.entries()) {
    const after = pieces[at + 1]?.text ?? "";
    if (text.trim() === "" && tone === "plain") {
      if (text.includes("\n")) break;
    } else if (tone === "command" && isNext) {
      isNext = false;
      if (NAME.test(text) && /^(?:[\s|&;<>]|$)/.test(after)) called.push({ name: text, at, isWritten: after !== "" });
    } else if (tone === "operator" && !/^(?:\||\|&)$/.test(text.trim())) {
      if (!REDIRECTS.test(text)) break;
    } else if (tone === "operator") isNext = true;
    else if (isNext) break;
  }
  return called.slice(0, CALLED_MAX);
}

class Scan {
  readonly pieces: { tone: Tone; text: string }[] = [];
  #text: string;
  #at = 0;
  /** Words that end the texts which begin at the next line. */
  #heredocs: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to the closing character, which is left, or to the end. */
  commands(close: string, depth: number): void {
    let next: Next = "command";
    let after: Next = "argument";
    while (this.#at < this.#text.length) {
      const char = this.#char;
      if (char === close) return;
      if (this.#match("plain", BLANKS) !== "") continue;
      if (char === "\n") {
        this.#lineEnd();
        next = "command";
      } else if (char === "#" && this.#isWordStart()) this.#upTo("comment", "\n");
      else {
        const operator = this.#match("operator", OPERATOR);
        if (REDIRECTS.test(operator)) {
          if (next !== "path") after = next;
          next = "path";
          if (operator.endsWith("<<") || operator.endsWith("<<-")) this.#heredocs.push(this.#delimiter());
        } else if (operator !== "") next = operator === ")" && !this.#isDefined() ? "argument" : "command";
        else {
          const read = this.#word(next, depth);
          next = next === "path" ? after : read;
          after = "argument";
        }
      }
    }
  }

  get #char(): string {
    return this.#text.charAt(this.#at);
  }

  /** One word with its quotes. Says what the one after it is. */
  #word(as: Next, depth: number): Next {
    const [from, first] = [this.#at, this.pieces.length];
    while (this.#at < this.#text.length && !/[\s|&;()<>]/.test(this.#char)) {
      const before = this.#at;
      this.#part(depth);
      // A closing character that nobody opened.
      if (this.#at === before) this.#add("plain", 1);
      if (this.#closes) break;
    }
    const word = this.#text.slice(from, this.#at);
    const [tone, next] = readAs(word, as, this.#isCalled());
    for (const piece of this.pieces.slice(first)) if (piece.tone === "plain") piece.tone = tone;
    return next;
  }

  /** Inside backquotes the next one ends the word. */
  get #closes(): boolean {
    return this.#quoted > 0 && this.#char === "`";
  }
  #quoted = 0;

  #part(depth: number): void {
    const char = this.#char;
    if (char === "'") return this.#upTo("string", "'", 1);
    if (char === '"') return this.#quotes(depth);
    if (char === "\\") return this.#add("plain", 2);
    if (char === "$") return this.#dollar(depth, "plain");
    if (char === "`") return this.#nested("`", "`", depth);
    this.#match("plain", LITERAL);
  }

  #quotes(depth: number): void {
    this.#add("string", 1);
    while (this.#at < this.#text.length) {
      const char = this.#char;
      if (char === '"') return this.#add("string", 1);
      if (char === "\\") this.#add("string", 2);
      else if (char === "$") this.#dollar(depth, "string");
      else this.#add("string", 1);
    }
  }

  #dollar(depth: number, otherwise: Tone): void {
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (rest === "$((") return this.#arithmetic();
    if (rest.startsWith("$(")) return this.#nested("$(", ")", depth);
    if (rest.startsWith("$'")) {
      this.#add("string", 1);
      return this.#ansi();
    }
    if (this.#match("variable", VARIABLE) === "") this.#add(otherwise, 1);
  }

  #ansi(): void {
    this.#add("string", 1);
    while (this.#at < this.#text.length && this.#char !== "'") this.#add("string", this.#char === "\\" ? 2 : 1);
    this.#add("string", 1);
  }

  #arithmetic(): void {
    const end = this.#text.indexOf("))", this.#at);
    this.#add("variable", (end < 0 ? this.#text.length : end + 2) - this.#at);
  }

  #nested(open: string, close: string, depth: number): void {
    this.#add("operator", open.length);
    if (depth >= DEPTH_MAX) return;
    if (close === "`") this.#quoted += 1;
    this.commands(close, depth + 1);
    if (close === "`") this.#quoted -= 1;
    if (this.#char === close) this.#add("operator", 1);
  }

  #lineEnd(): void {
    this.#add("plain", 1);
    for (const end of this.#heredocs.splice(0))
      while (this.#at < this.#text.length) {
        const line = this.#text.slice(this.#at).split("\n", 1)[0] ?? "";
        this.#add("string", Math.min(line.length + 1, this.#text.length - this.#at));
        if (line.trim() === end) break;
      }
  }

  /** The word after `<<`, without quotes. It is read as a word later. */
  #delimiter(): string {
    const found = /^\s*(\S+)/.exec(this.#text.slice(this.#at, this.#at + 200))?.[1] ?? "";
    return found.replace(/['"\\]/g, "");
  }

  #isWordStart(): boolean {
    return this.#at === 0 || /[\s;&|()]/.test(this.#text.charAt(this.#at - 1));
  }

  /** After `f()` comes what it does. */
  #isDefined(): boolean {
    return this.#text.slice(this.#at - 2, this.#at) === "()";
  }

  /** A function is defined. */
  #isCalled(): boolean {
    return /^\s{0,9}\(\s{0,9}\)/.test(this.#text.slice(this.#at, this.#at + 20));
  }

  #match(tone: Tone, what: RegExp): string {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text)?.[0] ?? "";
    this.#add(tone, found.length);
    return found;
  }

  /** Up to this character, or with it and the one that we are at. */
  #upTo(tone: Tone, char: string, own = 0): void {
    const end = this.#text.indexOf(char, this.#at + own);
    this.#add(tone, (end < 0 ? this.#text.length : end + own) - this.#at);
  }

  #add(tone: Tone, length: number): void {
    const text = this.#text.slice(this.#at, this.#at + length);
    this.#at += text.length;
    if (text === "") return;
    const last = this.pieces.at(-1);
    // Fewer pieces are drawn sooner, and a blank has no colour.
    const isBlank = tone === "plain" && last?.tone !== "command" && text.trim() === "";
    const isMore = last?.tone === tone ? tone !== "plain" : isBlank;
    if (last && isMore) last.text += text;
    else this.pieces.push({ tone, text });
  }
}

/** The tone of a word's plain parts, and what comes after it. */
function readAs(word: string, as: Next, isDefined: boolean): readonly [Tone, Next] {
  if (as === "command") {
    if (/^\w+\+?=/.test(word)) return ["variable", "command"];
    if (LEADING.has(word)) return ["operator", "command"];
    if (KEYWORDS.has(word)) return ["operator", NAMING.has(word) ? "name" : "argument"];
    return isDefined ? ["plain", "argument"] : ["command", "argument"];
  }
  if (as === "path") return ["path", "argument"];
  if (as === "name") return ["variable", "argument"];
  if (word === "in" || word === "]]") return ["operator", "argument"];
  if (/^-/.test(word)) return ["option", "argument"];
  return [/^~|\//.test(word) ? "path" : "plain", "argument"];
}
