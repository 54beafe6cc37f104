// A regular expression from outside as a finder. It is written as JavaScript's and matched by re2js in a time that is linear in the
// text, so no pattern can keep the daemon busy. Pure. Refuses: what cannot be matched so (backreferences, lookahead), with a hint.
import { RE2JS } from "re2js";
import type { SearchCase } from "../../protocol/ops/time.ts";
import { type Fault, fault } from "./fault.ts";
import type { Find } from "./finder.ts";

/** Longer patterns are more likely mistakes than searches. */
const PATTERN_CHARS_MAX = 500;
/** The time for each character grows with the compiled size. Counted repetitions multiply it: `a{1,300}` has 600. */
const COMPILED_SIZE_MAX = 1_000;
/** re2js knows only ASCII blanks; JavaScript's `\s` has these, too. Programs like to print U+00A0 after a prompt. */
const MORE_BLANKS = "\\x0b\\x{a0}\\x{feff}\\p{Z}";

const LITERAL = "Search for literal text instead.";

export function patternFinder(source: string, letters: SearchCase = "sensitive"): Find | Fault {
  if (source.length > PATTERN_CHARS_MAX) return refused(`it has more than ${PATTERN_CHARS_MAX} characters`, LITERAL);
  try {
    // Only its syntax is checked here, because re2js reads some unknown escapes as plain letters.
    new RegExp(source, "u");
  } catch (error) {
    return fault("input.invalid", `not a regular expression: ${String(error)}`, LITERAL);
  }
  const unsupported = needsBacktracking(source);
  if (unsupported) return unsupported;
  const counted = [...source.matchAll(/\{(?:\d+,)?(\d+)\}/g)].reduce((sum, [, most]) => sum + Number(most), 0);
  if (counted > COMPILED_SIZE_MAX) return tooLarge();
  try {
    const flags = RE2JS.LOOKBEHINDS | (letters === "insensitive" ? RE2JS.CASE_INSENSITIVE : 0);
    const compiled = RE2JS.compile(withBlanks(RE2JS.translateRegExp(source)), flags);
    if (compiled.programSize() > COMPILED_SIZE_MAX) return tooLarge();
    return (text, from = 0) => {
      const matcher = compiled.matcher(text);
      return from <= text.length && matcher.find(from)
        ? { at: matcher.start(), length: matcher.end() - matcher.start() }
        : undefined;
    };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace("error parsing regexp: ", "") : String(error);
    return refused(
      why,
      "Classes like \\p{…} take a general category or the plain name of a script; or search for text.",
    );
  }
}

function needsBacktracking(source: string): Fault | undefined {
  const pieces = source.match(/\\k<|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|./gsu) ?? [];
  if (pieces.some((piece) => /^\\(?:[1-9]|k<)/.test(piece)))
    return refused(
      "it has a backreference, which cannot be matched in linear time",
      "Write the repeated text out, or match more and compare yourself.",
    );
  if (pieces.some((piece) => /^\(\?[=!]/.test(piece)))
    return refused(
      "it has a lookahead, which cannot be matched in linear time",
      "Match what follows as well, or list what may stand there: [^x] instead of (?!x).",
    );
  return undefined;
}

/** `\s` and `\S` with JavaScript's meaning, except for `\S` inside a class. */
function withBlanks(source: string): string {
  let inClass = false;
  return source.replace(/\\.|\[|\]/gsu, (piece) => {
    if (piece === "[") inClass = true;
    if (piece === "]") inClass = false;
    if (piece === "\\s") return inClass ? `\\s${MORE_BLANKS}` : `[\\s${MORE_BLANKS}]`;
    return piece === "\\S" && !inClass ? `[^\\s${MORE_BLANKS}]` : piece;
  });
}

function tooLarge(): Fault {
  return refused("its counted repetitions are too large", "Use + or * instead of a large count.");
}

function refused(why: string, hint: string): Fault {
  return fault("input.invalid", `this regular expression cannot be used: ${why}`, hint);
}
