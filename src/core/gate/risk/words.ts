// A shell word as an argument: its text where that is certain, and what it may become where it is not.
import type { CommandArgument, DoubleQuotedChild, Word, WordPart } from "unbash";

export interface Arg {
  /** The literal text, or the source of what is not literal. */
  readonly text: string;
  readonly literal: boolean;
  /** The part of its beginning that is certain. The whole text when literal. */
  readonly prefix: string;
  /** It may become an option. */
  readonly wild: boolean;
  /** It may become several words, or none. */
  readonly many: boolean;
  /** It may become several words of any kind: an expansion outside quotes. */
  readonly splits: boolean;
  /** Another program fills it in: xargs with what it reads, find with what it finds. */
  readonly filled: boolean;
  /** A process substitution: a file name for a program's output. */
  readonly process: boolean;
}

export function literal(text: string): Arg {
  return { text, literal: true, prefix: text, wild: false, many: false, splits: false, filled: false, process: false };
}

/** Words that are unknown until it runs. */
export function anything(text: string): Arg {
  return { ...literal(text), literal: false, prefix: "", wild: true, many: true, splits: true };
}

export function argOf(arg: CommandArgument): Arg {
  if (arg.type === "Word") return wordOf(arg);
  if (arg.value.type === "ArrayValue" || arg.index) return anything(arg.text);
  const value = wordOf(arg.value);
  const head = `${arg.name}${arg.append ? "+=" : "="}`;
  if (value.literal) return literal(head + value.text);
  return { ...value, text: arg.text, prefix: head + value.prefix, wild: value.many };
}

/** Text without quotes, in which only patterns are left. */
export function bareWord(text: string): Arg {
  return joined([unquoted(text, text)], { text, value: text, process: false });
}

export function wordOf(word: Word): Arg {
  const pieces = word.parts ? word.parts.map(pieceOf) : [unquoted(word.text, word.value)];
  const process = word.parts?.some((part) => part.type === "ProcessSubstitution") ?? false;
  return joined(pieces, { text: word.text, value: word.value, process });
}

function joined(pieces: readonly Piece[], word: Pick<Word, "text" | "value"> & Pick<Arg, "process">): Arg {
  const { process } = word;
  let prefix = "";
  let exact = true;
  let many = false;
  let expands = false;
  for (const piece of pieces) {
    if (exact) prefix += piece.text;
    exact &&= piece.exact;
    many ||= piece.many;
    expands ||= piece.expands;
  }
  if (exact) return { ...literal(word.value), process };
  const tilde = /^~/.test(word.text);
  const anchored = tilde || process || (prefix !== "" && (!prefix.startsWith("-") || prefix.includes("=")));
  return {
    ...literal(word.text),
    ...{ literal: false, prefix, wild: expands || !anchored, many: many || expands, splits: expands, process },
  };
}

interface Piece {
  /** The part of its beginning that is certain. */
  readonly text: string;
  readonly exact: boolean;
  /** Several words that all begin alike: a file pattern, braces. */
  readonly many: boolean;
  /** Several words of any kind: an expansion outside quotes. */
  readonly expands: boolean;
}

const exactly = (text: string): Piece => ({ text, exact: true, many: false, expands: false });
const pattern: Piece = { text: "", exact: false, many: true, expands: false };
const split: Piece = { text: "", exact: false, many: true, expands: true };
const single: Piece = { text: "", exact: false, many: false, expands: false };

function pieceOf(part: WordPart): Piece {
  switch (part.type) {
    case "Literal":
      return unquoted(part.text, part.value);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return exactly(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return quoted(part.parts);
    case "Glob":
    case "ExtendedGlob":
      return pattern;
    case "BraceExpansion":
      // Anchored when no alternative is empty or begins with a dash.
      return /^\{[\w./][\w./*@-]*(?:,[\w./][\w./*@-]*)*\}$/.test(part.text) ? { ...pattern, text: "{" } : pattern;
    case "ProcessSubstitution":
      return single;
    case "CommandExpansion":
      // Always one number, so it counts as literal: make -j$(nproc).
      return part.text === "$(nproc)" ? exactly(part.text) : split;
    case "SimpleExpansion":
      // Always one number.
      return /^\$[?#$]$/.test(part.text) ? { ...single, text: "0" } : split;
    default:
      return split;
  }
}

/** Inside double quotes nothing is split, except "$@" and similar. */
function quoted(parts: readonly DoubleQuotedChild[]): Piece {
  let text = "";
  for (const part of parts) {
    if (part.text === "$(nproc)" && part.type === "CommandExpansion") text += part.text;
    else if (part.type !== "Literal") return { ...(/@/.test(part.text) ? split : single), text };
    else text += part.value;
  }
  return exactly(text);
}

/** Text that the parser calls literal but the shell still expands: a tilde, and braces or patterns it did not see. */
function unquoted(text: string, value: string): Piece {
  const bare = text.replace(/\\[\s\S]/g, "_");
  if (/^~/.test(bare)) return { ...single, text: "" };
  if (/\{.*(?:,|\.\.).*\}/s.test(bare) || /[*?]/.test(bare) || /\[.*\]/s.test(bare)) {
    const certain = /^[^{*?[\\]*/.exec(text)?.[0] ?? "";
    return { ...pattern, text: certain };
  }
  return exactly(value);
}
