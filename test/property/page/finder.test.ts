// Search in lines: every match once and in order, as a JavaScript regular expression finds it, however long the line is.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { finder, placesIn, type Wanted } from "../../../src/core/base/finder.ts";
import { REGEX_ROW_CHARS_MAX } from "../../../src/core/base/safe-regex.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "A", ".", "🙂", "é", "\ud83d"), maxLength: 30 });

function found(line: string, wanted: Wanted): string[] {
  const find = finder(wanted);
  if (isFault(find)) throw new Error(find.message);
  return placesIn(line, find).map(({ at, length }) => `${at} ${line.slice(at, at + length)}`);
}

const matchesOf = (line: string, regex: RegExp) =>
  [...line.matchAll(regex)].filter(([all]) => all !== "").map((one) => `${one.index} ${one[0]}`);

it("the finder finds literal text anywhere", () => {
  fc.assert(
    fc.property(text, text, (line, query) => {
      if (query === "") return;
      const exact = found(line, { query, regex: false, case: "sensitive" });
      expect(exact.length).toBe(line.split(query).length - 1);
      const any = found(line, { query, regex: false, case: "insensitive" });
      expect(any).toEqual(matchesOf(line, new RegExp(query.replaceAll(".", "\\."), "giu")));
    }),
  );
});

it("the finder finds patterns, also those that may be empty", () => {
  const patterns = fc.constantFrom("a*", "^", "b?", "a.", "[^a]", "🙂|b", "\\b", "$", "(?<=a)b", "a+b");
  fc.assert(
    fc.property(text, patterns, (line, query) => {
      expect(found(line, { query, regex: true, case: "sensitive" })).toEqual(matchesOf(line, new RegExp(query, "gu")));
    }),
  );
});

it("the finder finds each match far out in a long line once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 1, maxLength: 8 }), (gaps) => {
      const line = gaps.map((gap) => `${".".repeat(gap)}word 7;`).join("");
      const wanted = { query: "wo.d \\d;", regex: true, case: "insensitive" } as const;
      expect(found(line, wanted)).toEqual(matchesOf(line, /wo.d \d;/gu));
    }),
  );
  expect(found("a".repeat(REGEX_ROW_CHARS_MAX * 3), { query: "a", regex: true, case: "sensitive" }).length).toBe(3_000);
});
