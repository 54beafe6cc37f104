// What outputs are drawn as, and copied as: tables, JSON, diffs, Markdown, HTML, pictures; for any text, and never as markup.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlOf, markdownOf, sheetOf, svgOf } from "../../../web/reading/forms.ts";
import { readJson } from "../../../web/reading/json.ts";
import { looksLike } from "../../../web/reading/kinds.ts";
import { readTable, sortedBy } from "../../../web/reading/table.ts";
import { readDiff } from "../../../web/text/diff.ts";

describe("tables", () => {
  test.each([
    [
      "a,b\n1,2\n3,4",
      "csv",
      ["a", "b"],
      [
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    [
      'a,b\n"x, y","say ""hi"""\n"two\nlines",z',
      "csv",
      ["a", "b"],
      [
        ["x, y", 'say "hi"'],
        ["two\nlines", "z"],
      ],
    ],
    [
      "a;b\r\n1;2\r\n3;\r\n",
      "csv",
      ["a", "b"],
      [
        ["1", "2"],
        ["3", ""],
      ],
    ],
    ["a\tb\n1,5\t2", "tsv", ["a", "b"], [["1,5", "2"]]],
    ["+---+----+\n| a | b  |\n+---+----+\n| 1 | x y|\n+---+----+", "bars", ["a", "b"], [["1", "x y"]]],
    [
      " id | name \n----+------\n  1 | Ann\n  2 | Bob\n(2 rows)",
      "bars",
      ["id", "name"],
      [
        ["1", "Ann"],
        ["2", "Bob"],
      ],
    ],
    [
      "NAME   READY  AGE\npod-1  1/1    3d\nx      0/1    2h",
      "columns",
      ["NAME", "READY", "AGE"],
      [
        ["pod-1", "1/1", "3d"],
        ["x", "0/1", "2h"],
      ],
    ],
    [
      "ID     IMAGE NAME  UP\nabc    my image    2 days ago\nd      b           now",
      "columns",
      ["ID", "IMAGE NAME", "UP"],
      [
        ["abc", "my image", "2 days ago"],
        ["d", "b", "now"],
      ],
    ],
  ] as const)("%j", (text, form, head, rows) => {
    expect(readTable(text)).toEqual({ form, head, rows, total: rows.length });
  });

  test.each(["", "one line", "a,b", "words without any order\nthat go on and on", "a,b\n1,2,3\n4\n5,6,7,8"])(
    "%j is none, or has no lost text",
    (text) => {
      const table = readTable(text);
      if (table) expect(table.form).toBe("columns");
    },
  );

  test("any values come back from CSV as they were", () => {
    const cell = fc.string({ maxLength: 8 }).map((text) => text.replaceAll("\r", ""));
    const row = fc.array(cell, { minLength: 3, maxLength: 3 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 6 }), (all) => {
        const read = readTable(
          `,,\n${all.map((each) => each.map(quoted).join(",")).join("\n")}`.replace(",,", "a,b,c"),
        );
        // Bars and tabs in all rows are tables of their own.
        return read?.form !== "csv" || JSON.stringify(read.rows) === JSON.stringify(all);
      }),
    );
  });

  test("they sort by number, size and text", () => {
    const sorted = (values: readonly string[], down = false) =>
      sortedBy(
        values.map((value) => [value]),
        0,
        down,
      ).map(([value]) => value);
    expect(sorted(["10", "9", "-1", "1,000", "x"])).toEqual(["-1", "9", "10", "1,000", "x"]);
    expect(sorted(["1K", "2M", "3"], true)).toEqual(["2M", "1K", "3"]);
    expect(sorted(["b", "a"])).toEqual(["a", "b"]);
  });

  test("huge ones are cut, and say so", () => {
    const table = readTable(`a,b\n${"1,2\n".repeat(10_000)}`);
    expect([table?.rows.length, table?.total]).toEqual([2_000, 10_000]);
    for (const text of [
      '"'.repeat(200_000),
      ",".repeat(200_000),
      "|\n".repeat(50_000),
      `${"a ".repeat(5_000)}\n`.repeat(20),
    ])
      readTable(text);
  });
});

test("JSON is read whole, by line, or between words; and nothing else is", () => {
  expect(readJson('{"a":[1,2]}')).toEqual({ values: [{ a: [1, 2] }], more: 0 });
  expect(readJson('{"a":1}\n{"a":2}\n')).toEqual({ values: [{ a: 1 }, { a: 2 }], more: 0 });
  expect(readJson('> fetching\n[{"a":1},{"b":2},{"c":3}]\ndone')).toEqual({
    values: [[{ a: 1 }, { b: 2 }, { c: 3 }]],
    more: 0,
  });
  for (const text of ["", "1", '"a"', "null", "{a:1}", "[1,", `x ${"y".repeat(50)} {"a":1}`])
    expect(readJson(text)).toBeUndefined();
  expect(readJson('{"a":1}\n'.repeat(1_500))?.more).toBe(500);
  expect(() => readJson("[".repeat(100_000))).not.toThrow();
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      expect(JSON.stringify(readJson(JSON.stringify(value, null, 2))?.values)).toBe(JSON.stringify([value]));
    }),
    { numRuns: 50 },
  );
});

test.each([
  [["diff --git a/x b/x"], "diff"],
  [["--- a/x", "+++ b/x"], "diff"],
  [["{"], "json"],
  [['[{"a":1}]'], "json"],
  [["[", "  1"], "json"],
  [["CONTAINER ID   IMAGE", "abc            x"], "table"],
  [["+----+", "| id |"], "table"],
  [["[INFO] building"], undefined],
  [["hello"], undefined],
  [[], undefined],
])("%j looks like %s", (lines, kind) => {
  expect(looksLike(lines, "cmd")).toBe(kind);
});

test("a diff without git is read, too, and a removed line of dashes begins no file", () => {
  const text =
    "--- a.txt\t2026-01-01\n+++ b.txt\t2026-01-02\n@@ -1,3 +1,2 @@\n same\n--- x\n-+++ y\n+new\n--- c\n+++ d\n@@ -1 +1 @@\n-a\n+b";
  const files = readDiff(text);
  expect(files.map(({ hunks }) => hunks.map(({ lines }) => lines.map(({ kind, text }) => `${kind} ${text}`)))).toEqual([
    [["same same", "less -- x", "less +++ y", "more new"]],
    [["less a", "more b"]],
  ]);
  expect(files[1]?.path).toBe("d");
});

describe("copies", () => {
  const hex = (css: string) => (css === "var(--paper)" ? "#000000" : "#ffffff");
  const odd = fc.string({
    unit: fc.constantFrom("<", ">", "&", '"', "'", "`", "a", "漢", "\u202e", "]]>", "<script>", "\x1b"),
  });

  test("Markdown has a longer fence than any in the text", () => {
    expect(markdownOf("cat x", ["```", "a"])).toBe("````console\n$ cat x\n```\na\n````\n");
    fc.assert(
      fc.property(fc.array(odd), (lines) => {
        const text = markdownOf(null, lines);
        const fence = /^`+/.exec(text)?.[0] ?? "";
        return text.split(fence).length === 3 && text.endsWith(`\n${fence}\n`);
      }),
    );
  });

  test("HTML and SVG have nothing of the text as markup, and all of it", () => {
    const run = fc.record({ text: odd, sgr: fc.constantFrom("", "1;31", "7", "4;48;5;20", "2;3;9") });
    fc.assert(
      fc.property(fc.array(fc.array(run, { maxLength: 4 }), { maxLength: 4 }), odd, (lines, cmd) => {
        const sheet = sheetOf(cmd, lines, hex);
        const text = sheet.rows.map((row) => row.map((one) => one.text).join("")).join("\n");
        const bare = (markup: string) => markup.replace(/<\/?(?:pre|span)(?: style="[\w:#;.,/ -]*")?>/g, "");
        const back = (escaped: string) =>
          escaped.replace(
            /&(lt|gt|quot|#39|amp);/g,
            (_all, name: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" })[name] ?? "",
          );
        expect(back(bare(htmlOf(sheet)))).toBe(text);
        const left = svgOf(sheet).replace(/<\/?(?:svg|rect|g|text)(?: [\w:-]+="[^"<>]*")*\/?>/g, "");
        return !/[<>]/.test(left) && !/[<>]/.test(bare(htmlOf(sheet)));
      }),
      { numRuns: 100 },
    );
  });

  test("long lines go on in the next row", () => {
    const sheet = sheetOf(null, [[{ text: "漢".repeat(100), sgr: "" }]], hex);
    expect([sheet.rows.length, sheet.columns]).toEqual([2, 160]);
  });
});
