// A change as git writes it is read without loss, whatever its lines look like; cut anywhere it does no harm. Colours take
// nothing away and add nothing.
import fc from "fast-check";
import { expect, it } from "vitest";
import { coloured } from "../../../web/review/colours.ts";
import { type Comment, isSamePlace, placed } from "../../../web/review/comments.ts";
import { type DiffLine, readDiff } from "../../../web/text/diff.ts";

/** Lines that look like heads, too. */
const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll("\n", "")),
  fc.constantFrom("", "diff --git a/x b/x", "@@ -1 +1 @@", "--- a/x", "+++ b/x", "\\ No newline", "-", "+"),
);
const kind = fc.constantFrom("same" as const, "more" as const, "less" as const);
const hunk = fc.array(fc.record({ kind, text: line }), { minLength: 1, maxLength: 8 });
const path = fc.constantFrom("a.ts", "dir/b c.py", "--- a", "b/ü.txt", 'quo"te\t.md', "rename to x");
const file = fc.record({ path, hunks: fc.array(hunk, { maxLength: 3 }) });

const SIGNS = { same: " ", more: "+", less: "-" } as const;

/** As git does. */
function quoted(name: string): string {
  if (!/["\t]/.test(name)) return name;
  return `"${name.replace(/"/g, '\\"').replace(/\t/g, "\\t")}"`;
}

function textOf(files: readonly { path: string; hunks: readonly (readonly DiffLine[])[] }[]): string {
  const rows = files.flatMap((each) => [
    `diff --git ${quoted(`a/${each.path}`)} ${quoted(`b/${each.path}`)}`,
    "index 1234567..89abcde 100644",
    ...(each.hunks.length > 0 ? [`--- ${quoted(`a/${each.path}`)}`, `+++ ${quoted(`b/${each.path}`)}`] : []),
    ...each.hunks.flatMap((lines) => {
      const [olds, nows] = [lines.filter((one) => one.kind !== "more"), lines.filter((one) => one.kind !== "less")];
      return [
        `@@ -7,${olds.length} +9,${nows.length} @@ function f()`,
        ...lines.flatMap((one) => [
          `${SIGNS[one.kind]}${one.text}`,
          ...(one.isOpen ? ["\\ No newline at end of file"] : []),
        ]),
      ];
    }),
  ]);
  return rows.map((row) => `${row}\n`).join("");
}

it("a unified diff is read as it was written", () => {
  fc.assert(
    fc.property(fc.array(file, { maxLength: 4 }), (files) => {
      const read = readDiff(textOf(files));
      expect(read.map((each) => each.path)).toEqual(files.map((each) => each.path));
      const bare = read.map((each) => each.hunks.map(({ lines }) => lines.map(({ kind, text }) => ({ kind, text }))));
      expect(bare).toEqual(files.map((each) => each.hunks));
      for (const { lines } of read.flatMap((each) => each.hunks)) {
        const [olds, nows] = [lines.flatMap(({ old }) => old ?? []), lines.flatMap(({ now }) => now ?? [])];
        expect(olds).toEqual(olds.map((_, i) => 7 + i));
        expect(nows).toEqual(nows.map((_, i) => 9 + i));
      }
    }),
  );
});

it("a diff that is cut anywhere tells what is whole", () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), fc.nat(), (files, at) => {
      const text = textOf(files);
      const whole = readDiff(text);
      const cut = readDiff(text.slice(0, at % text.length));
      const count = (of: typeof whole) => of.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines)).length;
      expect(cut.length).toBeLessThanOrEqual(whole.length);
      expect(count(cut)).toBeLessThanOrEqual(count(whole));
    }),
  );
  const names =
    'diff --git "a/\\303\\274" "b/\\303\\274"\nBinary files differ\ndiff --git a/x b/y\nrename from x\nrename to y\n';
  expect(readDiff(names).map((each) => each.path)).toEqual(["ü", "y"]);
  const open = readDiff("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n");
  expect(open[0]?.hunks[0]?.lines).toEqual([
    { kind: "less", text: "a", old: 1, isOpen: true },
    { kind: "more", text: "b", now: 1 },
  ]);
});

it("colours change no text, and know strings, comments, words and numbers", () => {
  const name = fc.constantFrom("a.ts", "b.py", "c.sql", "d.css", "e.html", "Makefile", "g.unknown", "h.lua");
  const code = fc.string({ unit: fc.constantFrom(..."/*#-'\"`\\<!>x1 if"), maxLength: 30 });
  fc.assert(
    fc.property(name, fc.array(code, { maxLength: 6 }), (path, lines) => {
      expect(coloured(path, lines).map((pieces) => pieces.map(({ text }) => text).join(""))).toEqual(lines);
    }),
  );
  const tones = (path: string, ...lines: string[]) =>
    coloured(path, lines).map((pieces) =>
      pieces.filter(({ tone }) => tone !== "plain").map(({ tone, text }) => `${tone} ${text}`),
    );
  expect(tones("x.ts", 'const a = "b // c"; // d', "/* e", "if */ return 12;")).toEqual([
    ["word const", 'string "b // c"', "comment // d"],
    ["comment /* e"],
    ["comment if */", "word return", "number 12"],
  ]);
  expect(tones("x.sh", 'if [ $# = 2 ]; then # "two"')).toEqual([
    ["word if", "number 2", "word then", 'comment # "two"'],
  ]);
});

it("a comment on a line that is gone quotes it, at the line that stands there now", () => {
  const said: Comment = { path: "b.ts", line: 0, text: " keep it " };
  const gone: Comment = { ...said, line: 3, removed: { number: 7, text: "  old();" } };
  expect(placed(said)).toEqual({ path: "b.ts", line: 1, text: "keep it" });
  expect(placed(gone).text).toBe("(about the removed line `old();`) keep it");
  const places = [
    said,
    gone,
    { ...said, line: 3 },
    { ...gone, removed: { number: 8, text: "" } },
    { ...said, path: "c" },
  ];
  for (const a of places) for (const b of places) expect(isSamePlace(a, b)).toBe(a === b);
});
