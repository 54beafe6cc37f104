// Outputs on the page: the same text as the daemon's, in the same columns as its screen, and styles that can do
// nothing but style.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineText } from "../../../src/core/base/clean.ts";
import { textFinder } from "../../../src/core/base/finder.ts";
import { marked } from "../../../src/core/base/invisible.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { cellsOf } from "../../../web/text/cells.ts";
import { hitsIn, type Line, piecesOf } from "../../../web/text/lines.ts";
import { lookOf } from "../../../web/text/sgr.ts";

const odd = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom("\u200d", "\u202e", "\u{e0041}", "漢", "a"),
  ),
});

describe("text", () => {
  test("frozen text shows concealed text and hidden characters by name", () => {
    const hidden = (sgr: string) => lineText([{ text: "a\u202eb ", sgr }]);
    expect(["", "31", "38;5;8", "48;2;8;8;8", "4:3;58:5:8"].map(hidden)).toEqual(Array(5).fill("a⟦U+202E⟧b"));
    expect(["8", "1;8", "38;5;8;8"].map(hidden)).toEqual(Array(3).fill("⟦3 concealed⟧"));
    fc.assert(fc.property(odd, (text) => !/[\u202e\u{e0041}\x00-\x1f]/u.test(marked(text))));
  });

  test("frozen text stands in the columns of the daemon's screen", () => {
    const engine = makeGhostty({ cols: 40, rows: 2, scrollback: 10 });
    const wrong: string[] = [];
    const check = (text: string) => {
      engine.feed(new TextEncoder().encode(`\r\x1b[2K${text}`));
      const columns = cellsOf(text).reduce((all, cell) => all + cell.columns, 0);
      if (engine.cursor().col !== columns) wrong.push(`U+${text.codePointAt(0)?.toString(16)} ${columns}`);
    };
    const ranges = [
      [0xa1, 0x2ff],
      [0x370, 0x52f],
      [0x2010, 0x2027],
      [0x2030, 0x205e],
      [0x2190, 0x27bf],
      [0x2e80, 0x2ef3],
      [0x3001, 0x30ff],
      [0x4e00, 0x4e40],
      [0xac00, 0xac40],
      [0xff01, 0xff60],
      [0x1f300, 0x1f64f],
      [0x1f680, 0x1f6c5],
      [0x1f900, 0x1f9ff],
      [0x20000, 0x20020],
    ] as const;
    for (const [from, to] of ranges)
      for (let code = from; code <= to; code += 1) {
        const char = String.fromCodePoint(code);
        // A mark alone has nothing to stand on; a soft hyphen is shown by its name.
        if (!/[\p{M}\xad]/u.test(char)) check(char);
      }
    for (const text of ["e\u0301", "👨‍👩‍👧", "❤️", "👍🏽", "🇩🇪", "ก็", "漢字 ok"]) check(text);
    engine.dispose();
    expect(wrong).toEqual([]);
  });

  test("frozen text is split at matches and nowhere else", () => {
    const run = fc.record({
      text: fc.string({ unit: "grapheme", maxLength: 12 }),
      sgr: fc.constantFrom("", "31", "1;44"),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), fc.string({ minLength: 1, maxLength: 2 }), (line: Line, query) => {
        const text = line.map((one) => marked(one.text)).join("");
        const hits = hitsIn(text, textFinder(query, "insensitive"));
        const pieces = piecesOf(line, hits);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        const hit = pieces.filter((piece) => piece.hit).map((piece) => piece.text);
        expect(hit.join("").length).toBe(hits.reduce((all, { from, to }) => all + to - from, 0));
        expect(lineText(line)).toBe(text.trimEnd());
      }),
    );
  });
});

describe("styles", () => {
  test("styles use only our class names and colours for any parameters", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (sgr) => {
        const { classes, color = "", background = "", decoration = "" } = lookOf(sgr);
        expect(classes.every((name) => /^[a-z]+$/.test(name))).toBe(true);
        for (const value of [color, background, decoration])
          expect(value).toMatch(
            /^(?:|#[\da-f]{6}|var\(--[a-z\d-]+\)|rgb\([\d ]+\)|oklch\(from rgb\([\d ]+\) clamp\([^)]*\), l, var\(--ink-max\)\) c h\))$/,
          );
      }),
    );
  });

  test("styles follow the SGR parameters", () => {
    expect(lookOf("1;31")).toMatchObject({ classes: ["bold"], color: "var(--ink-1)" });
    expect(lookOf("30;42")).toMatchObject({ color: "var(--ansi-0)", background: "var(--ansi-2)" });
    expect(lookOf("7")).toMatchObject({ color: "var(--paper)", background: "var(--ink)" });
    expect(lookOf("48;5;208")).toMatchObject({ background: "rgb(255 135 0)" });
    expect(lookOf("38;5;232").color).toContain("rgb(8 8 8)");
    expect(lookOf("4:3;58:2::1:2:3")).toMatchObject({ classes: ["under", "curly"], decoration: "rgb(1 2 3)" });
  });
});
