// Search in lines: every match once and in order, as a JavaScript regular expression finds it, however long the line is.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Fault, isFault } from "../../../src/core/base/fault.ts";
import { type Find, placesIn, textFinder } from "../../../src/core/base/finder.ts";
import { patternFinder } from "../../../src/core/base/pattern.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "A", ".", "🙂", "é", "\ud83d"), maxLength: 30 });

function found(line: string, find: Find | Fault): string[] {
  if (isFault(find)) throw new Error(find.message);
  return placesIn(line, find).map(({ at, length }) => `${at} ${line.slice(at, at + length)}`);
}

const matchesOf = (line: string, regex: RegExp) =>
  [...line.matchAll(regex)].filter(([all]) => all !== "").map((one) => `${one.index} ${one[0]}`);

it("the finder finds literal text anywhere", () => {
  fc.assert(
    fc.property(text, text, (line, query) => {
      if (query === "") return;
      const exact = found(line, textFinder(query, "sensitive"));
      expect(exact.length).toBe(line.split(query).length - 1);
      const any = found(line, textFinder(query, "insensitive"));
      expect(any).toEqual(matchesOf(line, new RegExp(query.replaceAll(".", "\\."), "giu")));
    }),
  );
});

it("the finder finds patterns, also those that may be empty", () => {
  const patterns = fc.constantFrom(
    "a*",
    "^",
    "b?",
    "a.",
    "[^a]",
    "🙂|b",
    "\\b",
    "$",
    "(?<=a)b",
    "a+b",
    "\\s",
    "\\S+",
    "[\\s.]",
  );
  fc.assert(
    fc.property(text, patterns, (line, query) => {
      expect(found(line, patternFinder(query))).toEqual(matchesOf(line, new RegExp(query, "gu")));
    }),
  );
});

it("the finder finds each match far out in a long line once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 1, maxLength: 8 }), (gaps) => {
      const line = gaps.map((gap) => `${".".repeat(gap)}word 7;`).join("");
      expect(found(line, patternFinder("Wo.d \\d;", "insensitive"))).toEqual(matchesOf(line, /wo.d \d;/gu));
    }),
  );
  expect(found("a".repeat(3_000), patternFinder("a")).length).toBe(3_000);
});
