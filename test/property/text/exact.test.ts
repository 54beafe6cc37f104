// What a person agrees to is shown exactly: every visible word, in order and close together, and nothing that is not seen.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editable, exact } from "../../../src/core/base/exact.ts";

const point = (code: number) => String.fromCodePoint(code);
const ALL = Array.from({ length: 0x110000 }, (_, code) => point(code));
/** Not seen, or seen only as an empty place. A list of our own, so that it can disagree with the code's. */
const UNSEEN = ALL.filter((char) =>
  /[\p{Default_Ignorable_Code_Point}\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{Cs}\p{Variation_Selector}\u2800\ufff9-\ufffc]/u.test(
    char,
  ),
);
const IS_UNSEEN = new Set(UNSEEN);
/** How many characters may stand between two words. */
const BETWEEN_MAX = 200;

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ019-/.;&|$(){}<>é漢ж가😀❤"), minLength: 1, maxLength: 6 });
/** Two halves of a character would make a visible one. */
const one = fc.constantFrom(...UNSEEN.filter((char) => !/\p{Cs}/u.test(char)));
const gap = fc.oneof(
  one,
  fc.array(one, { minLength: 1, maxLength: 400 }).map((all) => all.join("")),
  fc
    .tuple(fc.oneof(fc.constantFrom(" ", "\n", "\t", "\r", "\u2800"), one), fc.integer({ min: 1, max: 3_000 }))
    .map(([char, n]) => char.repeat(n)),
  fc.tuple(one, one, fc.integer({ min: 1, max: 1_000 })).map(([a, b, n]) => (a + b).repeat(n)),
);

describe("an exact text", () => {
  test("has every visible word in order, with little between them and nothing unseen", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 8 }), gap, (pairs, before) => {
        const shown = exact(before + pairs.flat().join(""));
        expect([...shown].filter((char) => char !== " " && char !== "\n" && IS_UNSEEN.has(char))).toEqual([]);
        let at = 0;
        for (const [text] of pairs) {
          // A mark has letters of its own, which are not the text's.
          const rest = shown.slice(at).replace(/⟦[^⟧]*⟧/gu, (mark) => "⟦".repeat(mark.length));
          const found = rest.indexOf(text);
          expect(found).toBeGreaterThanOrEqual(0);
          expect(found).toBeLessThanOrEqual(BETWEEN_MAX);
          at += found + text.length;
        }
        expect(shown.length - at).toBeLessThanOrEqual(BETWEEN_MAX);
      }),
      { numRuns: 300 },
    );
  });

  test("tells each unseen character of Unicode", () => {
    const kept = UNSEEN.filter(
      (char) =>
        char !== " " &&
        exact(`a${char}b`)
          .replace("⏎\n", "")
          .match(/^a(?:⟦U\+\w+⟧|\W)?b$/u) === null,
    );
    expect(kept).toEqual([]);
    expect(UNSEEN.filter((char) => !exact(`a${char.repeat(300)}b`).includes("300 "))).toEqual([]);
  });

  test.each([
    [`make deploy${"\u2800".repeat(2_500)}; rm -rf x`, "make deploy⟦2500 × U+2800⟧; rm -rf x"],
    [`a${" ".repeat(300)}b`, "a⟦300 spaces⟧b"],
    [`a${"\n".repeat(40)}b`, "a⟦40 newlines⟧b"],
    [`a${"\n ".repeat(40)}b`, "a⟦40 newlines, 40 spaces⟧b"],
    [`a${"\u2800 ".repeat(1_000)}b`, "a⟦1000 spaces⟧⟦1000 × U+2800⟧b"],
    [`a${"\u2800\u200b\u3164".repeat(1_000)}b`, "a⟦3000 invisible characters⟧b"],
    ["if x:\n\n        y\n", "if x:⏎\n⏎\n        y⏎\n"],
    ["a\tb\r\nc\x1b[m", "a⇥b⏎⏎\nc␛[m"],
    [`a${"\u0301".repeat(40)}b`, "a⟦40 × U+0301⟧b"],
  ])("%#", (text, shown) => expect(exact(text)).toBe(shown));

  test("has no character of the text that looks like a mark", () => {
    expect(exact("echo ⟦3 spaces⟧ a⏎b")).toBe("echo ⟦U+27E6⟧3 spaces⟦U+27E7⟧ a⟦U+23CE⟧b");
    const shown = fc.string({ unit: fc.constantFrom(..."⟦⟧⏎⇥␛␀ab ", "\n", "\t") });
    // Only what was there can be read out of it again: no two texts look the same.
    fc.assert(
      fc.property(shown, (text) => editable(exact(text)) === text.replace(/ {41,}/gu, " ").replace(/\n{4,}/gu, "\n")),
    );
  });

  test("can be edited: what nobody saw is gone", () => {
    expect(editable(exact("rm\u200b -r x\r\n\techo ⟦ok⟧\x1b"))).toBe("rm -r x\n\techo ⟦ok⟧");
    expect(editable(exact(`a${" ".repeat(300)}b${"\n ".repeat(90)}c${"\u2800".repeat(90)}d`))).toBe("a b\ncd");
  });
});
