// The prompt editor against a simple model of one: a list of characters and a place in it; and its rows on a terminal.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Edit,
  type Editor,
  EMPTY_EDITOR,
  edited,
  PROMPT_CHARS_MAX,
  remembered,
} from "../../../src/cli/attach/editor/editor.ts";
import { promptKey } from "../../../src/cli/attach/editor/keys.ts";
import { graphemes, layout } from "../../../src/cli/attach/editor/layout.ts";
import { textWidth } from "../../../src/cli/text/width.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";

const chars = fc.constantFrom("a", "b", " ", "_", "\n", "界", "é", "e\u0301", "😀", "👩‍👧", "\t", "🇩🇪", "ｗ", "-");
const targets = fc.constantFrom(
  "left",
  "right",
  "word_left",
  "word_right",
  "blank_left",
  "line_begin",
  "line_end",
) as fc.Arbitrary<Extract<Edit, { to: unknown }>["to"]>;
const edits: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("insert" as const), text: chars }) },
  fc.record({ do: fc.constantFrom("move" as const, "delete" as const, "kill" as const), to: targets }),
  fc.record({ do: fc.constant("vertical" as const), by: fc.constantFrom(-1 as const, 1 as const) }),
  fc.constantFrom({ do: "yank" } as const, { do: "clear" } as const),
);

function typed(keys: readonly string[], from: Editor = EMPTY_EDITOR, cols = 20): Editor {
  return keys.reduce((editor, key) => {
    const meaning = promptKey(key);
    if (meaning?.do === "edit") return edited(editor, meaning.edit, cols);
    return meaning ? editor : edited(editor, { do: "insert", text: key }, cols);
  }, from);
}

/** The text with a bar where the cursor is. */
const barred = ({ text, at }: Editor) => `${text.slice(0, at)}|${text.slice(at)}`;

describe("editing", () => {
  it.each<[string, string[], string]>([
    ["letters are typed", ["abc"], "abc|"],
    ["letters are typed in the middle", ["abc", "\x1b[D", "\x1b[D", "X"], "aX|bc"],
    ["Backspace removes a whole character", ["a👩‍👧e\u0301", "\x7f", "\x7f"], "a|"],
    ["Delete removes a whole character", ["a👩‍👧b", "\x01", "\x1b[C", "\x1b[3~"], "a|b"],
    ["Home goes to the beginning of the line", ["one\ntwo", "\x1b[H"], "one\n|two"],
    ["End goes to the end of the line", ["one\ntwo", "\x10", "\x05"], "one|\ntwo"],
    ["Ctrl+U removes the beginning of the line", ["one\ntwo", "\x1b[D", "\x15"], "one\n|o"],
    ["Ctrl+U at the beginning of a line removes the line break before it", ["one\ntwo", "\x15", "\x15"], "one|"],
    ["Ctrl+K removes the rest of the line", ["one two", "\x1bb", "\x0b"], "one |"],
    ["Ctrl+K at the end of a line removes the line break", ["one\ntwo", "\x10", "\x05", "\x0b"], "one|two"],
    ["Ctrl+W removes everything back to a blank", ["cat a/b-c ", "\x17"], "cat |"],
    ["Ctrl+Y inserts what was removed", ["cat x", "\x17", "\x19", "\x19"], "cat xx|"],
    ["Alt+B goes back by words", ["cat a/b-c", "\x1bb", "\x1bb"], "cat a/|b-c"],
    ["Alt+F goes forward by words", ["cat a/b-c", "\x01", "\x1bf", "\x1bf"], "cat a|/b-c"],
    ["Alt+D removes the next word", ["cat dog", "\x01", "\x1bd"], "| dog"],
    ["Ctrl+J begins a line", ["a", "\n", "b"], "a\nb|"],
    ["Alt+Enter begins a line", ["a", "\x1b\r", "b"], "a\nb|"],
    ["arrows go through wrapped rows", ["0123456789abcdefghijKLM", "\x1b[A"], "012|3456789abcdefghijKLM"],
    ["arrows keep their column", ["abcd\nx\nefgh", "\x1b[A", "\x1b[A"], "abcd|\nx\nefgh"],
    ["a flag is one character", ["🇩🇪🇫🇷", "\x7f"], "🇩🇪|"],
  ])("%s", (_, keys, wanted) => {
    expect(barred(typed(keys))).toBe(wanted);
  });

  it("the arrow keys go through past prompts and back to the draft", () => {
    const asked = ["first", "second\nline", "third", "third"].reduce(remembered, EMPTY_EDITOR);
    const own = typed(["dra", "ft"], asked);
    expect(barred(typed(["\x1b[A"], own))).toBe("third|");
    expect(barred(typed(["\x1b[A", "\x1b[A"], own))).toBe("second\nline|");
    expect(barred(typed(["\x1b[A", "\x1b[A", "\x1b[A", "\x1b[A", "\x1b[A", "\x1b[A"], own))).toBe("first|");
    expect(barred(typed(["\x1b[A", "\x1b[A", "\x1b[B", "\x1b[B", "\x1b[B"], own))).toBe("draft|");
    // What is asked meanwhile does not move the place in it.
    const older = remembered(typed(["\x1b[A", "\x1b[A", "\x1b[A"], own), "fourth");
    expect(barred(typed(["\x1b[B"], older))).toBe("second\nline|");
  });

  it("a paste is taken as it is, without characters that act on a terminal", () => {
    const pasted = edited(EMPTY_EDITOR, { do: "insert", text: "a\r\nb\rc\td\x1b[31m\x07\x00é" }, 20);
    expect(barred(pasted)).toBe("a\nb\nc\td[31mé|");
    const long = edited(EMPTY_EDITOR, { do: "insert", text: "😀".repeat(PROMPT_CHARS_MAX) }, 20);
    expect(long.text).toHaveLength(PROMPT_CHARS_MAX);
    expect(edited(long, { do: "insert", text: "x" }, 20)).toBe(long);
  });

  it("the editor behaves like a list of characters and never splits one", () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 60 }), fc.integer({ min: 2, max: 12 }), (all, cols) => {
        let editor = EMPTY_EDITOR;
        for (const edit of all) {
          const before = editor;
          editor = edited(editor, edit, cols);
          const places = [...graphemes(editor.text).map(({ index }) => index), editor.text.length];
          expect(places).toContain(editor.at);
          if (edit.do === "insert")
            expect(editor.text).toBe(before.text.slice(0, before.at) + edit.text + before.text.slice(before.at));
          if (edit.do === "move" || (edit.do === "vertical" && editor.back === before.back))
            expect(editor.text).toBe(before.text);
          if (edit.do === "delete" || edit.do === "kill") {
            const [head, rest] = [before.text.slice(0, before.at), before.text.slice(before.at)];
            const isBack = edit.to.endsWith("left") || edit.to === "line_begin";
            const kept = editor.text.slice(0, editor.text.length - rest.length);
            if (isBack) expect([editor.text.endsWith(rest), head.startsWith(kept)]).toEqual([true, true]);
            else expect(editor.text.startsWith(head)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("its rows", () => {
  it("rows hold all of the text, none is wider than the terminal, and the cursor is in one", () => {
    fc.assert(
      fc.property(fc.array(chars, { maxLength: 40 }), fc.nat(), fc.integer({ min: 4, max: 15 }), (all, n, cols) => {
        const text = all.join("");
        const places = [...graphemes(text).map(({ index }) => index), text.length];
        const at = places[n % places.length] ?? 0;
        const { rows, cursor } = layout(text, at, cols);
        for (const { shown } of rows) expect(textWidth(shown)).toBeLessThanOrEqual(cols);
        const parts = rows.map(({ from, to }, i) => text.slice(from, rows[i + 1]?.from ?? to));
        expect(parts.join("")).toBe(text);
        const row = rows[cursor.row];
        expect(row && at >= row.from && at <= row.to).toBe(true);
        expect(cursor.col).toBeGreaterThanOrEqual(0);
        expect(cursor.col).toBeLessThan(cols);
      }),
      { numRuns: 400 },
    );
  });

  it("rows appear on a terminal where they say", () => {
    const words = fc.array(fc.constantFrom("a", "界", "é", "e\u0301", "😀", "👩‍👧", "\t", "ｗ"), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 15 }), (all, cols) => {
        const text = all.join("");
        const { rows, cursor } = layout(text, text.length, cols);
        const engine = makeGhostty({ cols, rows: rows.length + 1, scrollback: 0 });
        engine.feed(Buffer.from(rows.map(({ shown }) => shown).join("\r\n")));
        expect(engine.cursor()).toMatchObject(cursor);
        engine.dispose();
      }),
      { numRuns: 60 },
    );
  });

  it("rows show invisible characters", () => {
    expect(layout("a\u202eb\u200bc", 0, 40).rows[0]?.shown).toBe("a⟦U+202E⟧b⟦U+200B⟧c");
  });
});

it("no key of any terminal breaks the editor", () => {
  const sequence = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.string({ maxLength: 4 }).map((end) => `\x1b[${end}`),
  );
  fc.assert(
    fc.property(fc.array(sequence, { maxLength: 30 }), fc.integer({ min: 2, max: 30 }), (keys, cols) => {
      const editor = typed(keys, EMPTY_EDITOR, cols);
      expect(editor.text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      expect(editor.at).toBeLessThanOrEqual(editor.text.length);
      layout(editor.text, editor.at, cols);
    }),
    { numRuns: 300 },
  );
});
