// A unified difference falls into files and hunks, and together they are the same text again.
import fc from "fast-check";
import { expect, it } from "vitest";
import { chosenPatch, filesIn, hunkBody, patchOf } from "../../../src/core/worktree/diff-text.ts";

/** Lines of files may look like lines of the difference, behind their first character. */
const line = fc
  .tuple(fc.constantFrom(" ", "+", "-"), fc.constantFrom("", "x", "@@ -1 +1 @@", "diff --git a/x b/x", "--- a/x"))
  .map(([mark, text]) => `${mark}${text}\n`);
const hunk = fc
  .tuple(fc.nat(99), fc.array(line, { minLength: 1, maxLength: 4 }))
  .map(([at, lines]) => `@@ -${at} +${at} @@\n${lines.join("")}`);
const file = fc
  .tuple(fc.constantFrom("a", "b c", "ü"), fc.array(hunk, { maxLength: 3 }))
  .map(([name, hunks]) => ({ name, head: `diff --git a/${name} b/${name}\nindex 1..2 100644\n`, hunks }));
const files = fc.uniqueArray(file, { selector: ({ name }) => name });

it("files and hunks are found where they begin, and nowhere else", () => {
  fc.assert(
    fc.property(files, (all) => {
      const texts = all.map(({ head, hunks }) => head + hunks.join(""));
      expect(filesIn(texts.join(""))).toEqual(texts);
      for (const [at, { head, hunks }] of all.entries()) {
        const text = texts[at] ?? "";
        expect(patchOf(text)).toEqual({ head, hunks });
        expect(chosenPatch(text, undefined)).toBe(text);
        for (const [n, one] of hunks.entries()) expect(chosenPatch(text, n)).toBe(head + one);
        expect(chosenPatch(text, hunks.length)).toBe(undefined);
      }
    }),
  );
});

it("a link in place of a file is one change, and a hunk that moved is the same one", () => {
  const [gone, made] = ["deleted file mode 100644", "new file mode 120000"].map(
    (how) => `diff --git a/x b/x\n${how}\n`,
  );
  expect(filesIn(`${gone}${made}`)).toEqual([`${gone}${made}`]);
  expect(hunkBody("@@ -1 +1 @@ f\n-a\n")).toBe(hunkBody("@@ -9 +7 @@\n-a\n"));
});
