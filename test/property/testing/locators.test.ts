// Laws of what the test kit finds on a screen, with wide characters, escapes and boxes anywhere.
import fc from "fast-check";
import { expect, it } from "vitest";
import { columnOf } from "../../../src/core/base/cell-width.ts";
import { rowsHtml } from "../../../src/core/screen/html.ts";
import { nearest } from "../../../src/embed/testing/nearest.ts";
import { type Picture, pictureOf, styleOf, textOf } from "../../../src/embed/testing/picture.ts";
import { resolve } from "../../../src/embed/testing/query.ts";
import { styleWord } from "../../../src/embed/testing/style-names.ts";

const LETTERS = [..."aB9<>&\"' 漢é⟩;|"];
const SGR = ["", "1", "7", "32", "44;1", "38;2;1;2;3", "48;5;200", "2;9"];
const text = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 12 }).map((all) => all.join(""));
const run = fc.record({ text, sgr: fc.constantFrom(...SGR) });

/** A screen of styled rows, as the operation answers. */
function pictured(rows: readonly { text: string; sgr: string }[][]): Picture {
  const lines = rows.map((runs) =>
    runs
      .map((one) => one.text)
      .join("")
      .trimEnd(),
  );
  const cursor = { row: 0, col: 0, visible: true };
  const facts = { session_id: "s_00000000", seq: 1, hash: "000000000000", title: "", alt_screen: false, mouse: "none" };
  const rest = { bracketed_paste: false, echo: "on", foreground: null, state: "running", hold: "nobody", ts: 0 };
  const more = { scrollback: [], scrollback_total: 0, cursor_bytes: 0, cols: 200, rows_count: rows.length };
  const content = rowsHtml(rows.map((runs) => ({ runs, wraps: false })));
  const screen = { ...facts, ...rest, ...more, rows: lines, cursor, content };
  return pictureOf(screen as unknown as Parameters<typeof pictureOf>[0]);
}

const plainRows = (lines: readonly string[]) => lines.map((line) => [{ text: line, sgr: "" }]);

it("every run keeps its text, its columns and its style, whatever it is made of", () => {
  fc.assert(
    fc.property(fc.array(fc.array(run, { maxLength: 5 }), { minLength: 1, maxLength: 5 }), (rows) => {
      const picture = pictured(rows);
      for (const [row, runs] of rows.entries()) {
        expect((picture.spans[row] ?? []).map((span) => span.text).join("")).toBe(runs.map((one) => one.text).join(""));
        let col = 0;
        for (const { text: shown, sgr } of runs) {
          const width = columnOf(shown, shown.length);
          if (shown.trim() !== "") {
            const style = styleOf(picture, { row, col, width, height: 1 });
            expect(style.length === 0).toBe(sgr === "");
            if (sgr === "44;1") expect(style).toEqual(["bg-blue", "bold"].map(styleWord));
            if (sgr === "38;2;1;2;3") expect(style).toEqual([styleWord("#010203")]);
          }
          col += width;
        }
      }
    }),
  );
});

it("a text is found everywhere it stands, and its place has exactly this text", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, fc.nat(5), (lines, wanted, at) => {
      fc.pre(wanted.trim() === wanted);
      const all = lines.map((line, row) => (row === at % lines.length ? `${line}${wanted}${line}` : line));
      const picture = pictured(plainRows(all));
      const found = resolve(picture, [{ by: "text", wanted, exact: false }]);
      const count = picture.lines.reduce((sum, line) => sum + line.split(wanted).length - 1, 0);
      expect(found).toHaveLength(count);
      for (const { rect } of found) expect(rect && textOf(picture, rect)).toBe(wanted);
      const last = resolve(picture, [
        { by: "text", wanted, exact: false },
        { by: "index", index: -1 },
      ]);
      expect(last).toEqual(found.slice(-1));
    }),
  );
});

const CORNERS = ["┌┐└┘─│", "╔╗╚╝═║", "╭╮╰╯─│", "┏┓┗┛━┃"];

it("boxes are found with their titles and texts, side by side and inside each other", () => {
  const size = fc.record({ width: fc.integer({ min: 12, max: 20 }), height: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 3 }), fc.constantFrom(...CORNERS), (sizes, corners) => {
      const [tl, tr, bl, br, h, v] = [...corners] as [string, string, string, string, string, string];
      const blank = (width: number) => `${v}${" ".repeat(width)}${v}`;
      const boxes = sizes.map(({ width, height }, i) => {
        const inside = Array.from({ length: height }, (_, n) =>
          n === 0 ? `${v}${`漢 ${i}`.padEnd(width - 1)}${v}` : blank(width),
        );
        return [`${tl}${h} T${i} ${h.repeat(width - 5)}${tr}`, ...inside, `${bl}${h.repeat(width)}${br}`];
      });
      const tall = Math.max(...boxes.map((box) => box.length));
      const rows = Array.from({ length: tall }, (_, row) =>
        boxes.map((box) => box[row] ?? " ".repeat(box[0]?.length ?? 0)).join(" "),
      );
      const wide = rows[0]?.length ?? 0;
      const around = [
        `${tl}${h.repeat(wide)}${tr}`,
        ...rows.map((row) => `${v}${row}${v}`),
        `${bl}${h.repeat(wide)}${br}`,
      ];
      const picture = pictured(plainRows(around));
      const box = (name?: string) => resolve(picture, [{ by: "role", role: "box", name }]);
      expect(box()).toHaveLength(sizes.length + 1);
      for (const [i, { width, height }] of sizes.entries()) {
        const [one] = resolve(picture, [
          { by: "role", role: "box", name: undefined },
          { by: "index", index: i + 1 },
        ]);
        expect(one).toMatchObject({
          text: `漢 ${i}`,
          name: `T${i}`,
          rect: { row: 1, width: width + 2, height: height + 2 },
        });
      }
    }),
  );
});

it("the nearest text is the one that was meant", () => {
  const word = fc.stringMatching(/^[a-z]{8,14}$/);
  fc.assert(
    fc.property(word, fc.nat(7), fc.constantFrom("drop", "swap", "case", "add"), (meant, at, slip) => {
      const cut = { drop: "", swap: "#", case: meant[at]?.toUpperCase() ?? "", add: `${meant[at]}#` }[slip];
      const wanted = meant.slice(0, at) + cut + meant.slice(at + 1);
      const lines = ["1234 5678 90", `12 ${meant} 34`, "", "(((((((((((((((("];
      const near = nearest(lines, wanted);
      expect(near).toMatchObject({ row: 1 });
      expect(meant).toContain(near?.text.trim());
      expect(near?.text.length).toBeGreaterThanOrEqual(meant.length - 2);
      expect(nearest(["1234 5678 90", "(((((((((((((((("], wanted)).toBeUndefined();
    }),
  );
});
