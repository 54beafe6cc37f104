// Patterns from outside: what can take too long is refused, what people search for is not, and whatever is accepted
// answers quickly on rows made to hurt it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { REGEX_ROW_CHARS_MAX, safeRegex } from "../../../src/core/base/safe-regex.ts";
import { workMs } from "../../fixtures/work-time.ts";

const HOSTILE = [
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
  "(a)\\1+$",
  "(?<q>a)\\k<q>",
  "(?:a|ab|b)*$",
  "(?=a+)+b",
  "a{1,2000}",
  "(a|)*b",
  "([a-z]|[A-Z])*$",
];

const HARMLESS = [
  "\\d+ passed",
  "^\\$ $",
  "(foo|bar) ?(baz)?",
  "error(s)?: .*",
  "[a-z]+@[a-z.]+",
  "(\\d{1,3}\\.){3}\\d{1,3}",
  "([a-z]+\\.)+com",
  "(foo|bar)+",
  "(\\s\\w+)*",
  "\\bTODO\\b",
  "listening on .*:\\d+",
  "foo.*bar.*baz",
  "(?<=v)\\d+\\.\\d+",
  "^(?!#)\\S+",
  "[^\\]]+\\]",
  "\\u{1f600}+",
  "(a|b)*c",
  "password for [^:]+:$",
  "✓ .+ \\(\\d+ ms\\)",
];

describe("safeRegex", () => {
  it.each(HOSTILE)("refuses %s", (source) => {
    const flags = source.includes("A-Z]") && source.includes("|[") ? "iu" : "u";
    const found = safeRegex(source, flags);
    expect(isFault(found) && found.code).toBe("input.invalid");
  });

  it.each(HARMLESS)("accepts %s", (source) => {
    expect(safeRegex(source)).toBeInstanceOf(RegExp);
  });

  it("refuses an invalid or too long regular expression", () => {
    for (const source of ["(", "[z-a]", "a**", "a".repeat(501)])
      expect(safeRegex(source)).toMatchObject({ fault: true, hint: expect.stringContaining("literal text") });
  });

  it("an accepted expression is fast on any row", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\w",
      "\\s",
      "[ab]",
      "[^a]",
      "(",
      ")",
      "(?:",
      "|",
      "*",
      "+",
      "?",
      "{2,9}",
      "{3}",
      "$",
      "^",
    );
    const row = fc
      .array(fc.constantFrom("a", "b", "ab", "aa", " "), { minLength: 1, maxLength: 4 })
      .map((parts) => `${parts.join("").repeat(REGEX_ROW_CHARS_MAX)}`.slice(0, REGEX_ROW_CHARS_MAX - 1));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 9 }), row, (parts, text) => {
        const regex = safeRegex(parts.join(""));
        if (isFault(regex)) return;
        // Not a benchmark: what is exponential would not come back at all.
        expect(workMs(() => regex.test(`${text}!`))).toBeLessThan(5_000);
      }),
      { numRuns: 400 },
    );
  });
});
