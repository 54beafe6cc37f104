// Patterns from outside: each is matched in a time that grows with the text alone, or refused with a hint.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { placesIn } from "../../../src/core/base/finder.ts";
import { patternFinder } from "../../../src/core/base/pattern.ts";
import { depth } from "../../fixtures/depth.ts";
import { workMs } from "../../fixtures/work-time.ts";

/** Each takes a backtracking matcher longer than anybody waits. */
const HOSTILE = [
  "[a-z]+[a-z]+[a-z]+\\d",
  "(a+)+$",
  "(a|aa)+$",
  "(.*)*x",
  "(\\w+\\s?)*$",
  "^(a?){50}a{50}$",
  "([a-zA-Z]+)*$",
  "(a|a)*$",
  "(\\w|\\d)+$",
  "(x+x+)+y",
  "(.*a){20}$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(a*)*b",
  "((a|b)*c?)*d",
  ".*.*.*.*=",
  "(?:a|ab|b)*$",
  "(a|)*b",
];

const COMMON = [
  "\\d+ passed",
  "^\\$ $",
  "(foo|bar) ?(baz)?",
  "error(s)?: .*",
  "[a-z]+@[a-z.]+",
  "(\\d{1,3}\\.){3}\\d{1,3}",
  "([a-z]+\\.)+com",
  "\\bTODO\\b",
  "listening on .*:\\d+",
  "(?<=v)\\d+\\.\\d+",
  "(?<port>\\d+)",
  "[^\\]]+\\]",
  "\\u{1f600}+",
  "password for [^:]+:$",
  "✓ .+ \\(\\d+ ms\\)",
  "\\p{Lu}\\w+",
];

/** Long enough that a matcher which tries all ways would not come back at all. */
const ROW_CHARS = 4_000;

describe("a pattern from outside", () => {
  it.each(HOSTILE)("M1: %s answers at once on letters made to hurt it", (source) => {
    const find = patternFinder(source);
    if (isFault(find)) throw new Error(find.message);
    for (const unit of ["a", "ab", "x", "aA "]) {
      const text = `${unit.repeat(ROW_CHARS / unit.length)}!`;
      // Not a benchmark: what backtracks takes minutes.
      expect(workMs(() => find(text))).toBeLessThan(5_000);
    }
  });

  it.each(COMMON)("accepts %s", (source) => {
    expect(isFault(patternFinder(source))).toBe(false);
  });

  it.each([
    ["(a)\\1+$", "backreference"],
    ["(?<q>a)\\k<q>", "backreference"],
    ["^(?!#)\\S+", "lookahead"],
    ["a(?=b)", "lookahead"],
    ["a{1,2000}", "counted repetitions"],
    ["(a{1,900}){1,900}", "counted repetitions"],
    ["(a{1,30}){1,30}", "counted repetitions"],
    [".{1,1000}".repeat(20), "counted repetitions"],
    ["(", "Unterminated group"],
    ["[z-a]", "out of order"],
    ["a**", "Nothing to repeat"],
    ["\\Z", "Invalid escape"],
    ["a".repeat(501), "500 characters"],
  ])("refuses %s and says why and what to write", (source, why) => {
    const found = patternFinder(source);
    if (!isFault(found)) throw new Error("accepted");
    expect(found).toMatchObject({ code: "input.invalid", message: expect.stringContaining(why) });
    expect(found.hint).toMatch(/\w/);
  });

  it("finds what JavaScript's own matcher finds", () => {
    const piece = fc.constantFrom(..."a|b|.|\\w|\\s|[ab]|[^a]|(a)|(?:ba)|a*|b+|a?|^|$|\\b|é|\\S".split("|"));
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "\u00a0", "🙂", "1"), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), text, (parts, line) => {
        const source = parts.join("");
        const find = patternFinder(source);
        if (isFault(find)) {
          expect(() => new RegExp(source, "u")).toThrow();
          return;
        }
        const own = [...line.matchAll(new RegExp(source, "gu"))].filter(([all]) => all !== "");
        expect(placesIn(line, find)).toEqual(own.map((one) => ({ at: one.index, length: one[0].length })));
      }),
      { numRuns: depth(500, 2_000) },
    );
  });
});
