// What agents write becomes a few kinds of pieces and nothing else; no text is lost and no address leads elsewhere.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Inline, MARKDOWN_CHARS_MAX, markdownOf, type Piece } from "../../web/agent/markdown.ts";
import { took } from "../fixtures/took.ts";

const PIECES = new Set(["paragraph", "heading", "code", "bullets", "numbers"]);
const INLINES = new Set(["text", "code", "bold", "link"]);
/** Random text that hits the grammar often. */
const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom("`", "**", "*", "```", "~~~", "- ", "1. ", "# ", "\n", "\n\n", "[", "](", ")", "<script>", " "),
      fc.constantFrom("https://a.b/c", "javascript:x", "HTTP://A", "data:text/html,", "[x](javascript:y)", "\r\n"),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

const inlines = (piece: Piece): readonly Inline[] => {
  if (piece.kind === "code") return [];
  return "items" in piece ? piece.items.flat() : piece.parts;
};
const flat = (parts: readonly Inline[]): Inline[] =>
  parts.flatMap((part) => (part.kind === "bold" ? [part, ...flat(part.parts)] : [part]));

describe("markdown", () => {
  test("only the allowed kinds, only http and https", () => {
    fc.assert(
      fc.property(markup, (text) => {
        for (const piece of markdownOf(text)) {
          expect(PIECES.has(piece.kind)).toBe(true);
          for (const part of flat(inlines(piece))) {
            expect(INLINES.has(part.kind)).toBe(true);
            if (part.kind === "link") expect(["http:", "https:"]).toContain(new URL(part.href).protocol);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("every line that says something is in a piece", () => {
    fc.assert(
      fc.property(markup, (text) => {
        const kept = markdownOf(text)
          .map(({ source }) => source)
          .join("\n");
        const lines = (all: string) =>
          all
            .replaceAll("\r\n", "\n")
            .split("\n")
            .filter((line) => line.trim() !== "");
        expect(lines(kept)).toEqual(lines(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test("known texts", () => {
    const [heading, words, list, code] = markdownOf("# A **b**\nc `d` (see https://e.f/g.)\n- h\n  i\n- j\n```ts\nk\n");
    expect(heading).toMatchObject({ kind: "heading" });
    expect(words).toMatchObject({
      parts: [
        { kind: "text", text: "c " },
        { kind: "code", text: "d" },
        { kind: "text", text: " (see " },
        { kind: "link", href: "https://e.f/g" },
        { kind: "text", text: "." },
        { kind: "text", text: ")" },
      ],
    });
    expect(list).toMatchObject({ kind: "bullets", items: [[{ text: "h\ni" }], [{ text: "j" }]] });
    // Half-said: its end is still to come.
    expect(code).toMatchObject({ kind: "code", text: "k\n" });
  });

  test("long and nasty texts take no time", () => {
    for (const part of ["`", "**", "[", "[a](", "https://", "- ", "#", "**a", "\n"]) {
      expect(took(() => markdownOf(part.repeat(MARKDOWN_CHARS_MAX)))).toBeLessThan(2_000);
    }
  });
});
