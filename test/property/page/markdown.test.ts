// Markdown of agents becomes a few kinds of pieces and nothing else. No text is lost, and no link leads to an unsafe address.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marked } from "../../../src/core/base/invisible.ts";
import { type Inline, keptFrom, MARKDOWN_CHARS_MAX, markdownOf, type Piece } from "../../../web/agent/markdown.ts";
import { depth } from "../../fixtures/depth.ts";
import { workMs } from "../../fixtures/work-time.ts";

const PIECES = new Set(["paragraph", "heading", "code", "list", "quote", "rule", "table"]);
const INLINES = new Set(["text", "code", "strong", "em", "del", "link"]);
/** Deeper than this nothing is nested, whatever is written. */
const DEPTH_MAX = 14;
/** Random text that hits the grammar often. */
const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "`",
        "**",
        "*",
        "_",
        "~~",
        "```",
        "~~~",
        "- ",
        "1. ",
        "# ",
        "> ",
        "\n",
        "\n\n",
        "\n  ",
        "|",
        "-|-",
      ),
      fc.constantFrom(
        "[",
        "](",
        ")",
        "<script>",
        "<!--",
        "-->",
        " ",
        "![",
        "[ ] ",
        "[a]: ",
        "---",
        "&lt;",
        "\\",
        "  \n",
      ),
      fc.constantFrom(
        "https://a.b/c",
        "javascript:x",
        "HTTP://A",
        "data:text/html,",
        "[x](javascript:y)",
        "\r\n",
        "\r",
      ),
      fc.constantFrom(
        "<javascript:x>",
        "<https://a.b>",
        "a@b.cd",
        "www.a.bc",
        "[x]: javascript:y",
        "[x]",
        "\u200b",
        "\u202e",
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

/** Every piece and every part of it, however deep, and how deep that is. */
function* walk(pieces: readonly Piece[], depth = 1): Generator<{ piece: Piece; depth: number; parts: Inline[] }> {
  for (const piece of pieces) {
    yield { piece, depth, parts: flat(partsOf(piece)) };
    if (piece.kind === "quote") yield* walk(piece.pieces, depth + 1);
    if (piece.kind === "list") for (const item of piece.items) yield* walk(item.pieces, depth + 1);
  }
}
function partsOf(piece: Piece): readonly Inline[] {
  if (piece.kind === "table") return [piece.head, ...piece.rows].flat(2);
  return "parts" in piece ? piece.parts : [];
}
const flat = (parts: readonly Inline[]): Inline[] =>
  parts.flatMap((part) => ("parts" in part ? [part, ...flat(part.parts)] : [part]));
const said = (pieces: readonly Piece[]): string =>
  [...walk(pieces)]
    .map(({ piece, parts }) => (piece.kind === "code" ? piece.text : parts.map((part) => textOf(part)).join("")))
    .join("\n");
const textOf = (part: Inline): string => ("text" in part ? part.text : "");
const text = (words: string): Inline => ({ kind: "text", text: words });

describe("markdown", () => {
  test("any text gives only allowed nodes, links only to http, https and mailto, and no deep nesting", () => {
    fc.assert(
      fc.property(markup, (written) => {
        for (const { piece, depth, parts } of walk(markdownOf(written))) {
          expect(PIECES.has(piece.kind)).toBe(true);
          expect(depth).toBeLessThanOrEqual(DEPTH_MAX);
          for (const part of parts) {
            expect(INLINES.has(part.kind)).toBe(true);
            if (part.kind === "link") expect(["http:", "https:", "mailto:"]).toContain(new URL(part.href).protocol);
          }
        }
      }),
      { numRuns: depth(250, 1_000) },
    );
  });

  test("every line with text is in a node", () => {
    fc.assert(
      fc.property(markup, (written) => {
        const kept = markdownOf(written)
          .map(({ source }) => source)
          .join("\n");
        const lines = (all: string) =>
          marked(all.replace(/\r\n?/g, "\n"), { controls: "text" })
            .split("\n")
            .map((line) => line.trim())
            .filter((line) => line !== "");
        expect(lines(kept)).toEqual(lines(written));
      }),
      { numRuns: depth(250, 1_000) },
    );
  });

  test("unsupported markup stays text: HTML, comments, definitions, unsafe addresses", () => {
    const written = [
      "<img src=x onerror=alert(1)>",
      "<!-- not seen elsewhere -->",
      "a <b>bold</b> word",
      "[click](javascript:alert(1))",
      "<javascript:alert(1)>",
      "![](data:image/png;base64,AAAA)",
      "[hidden]: javascript:alert(1)",
    ];
    const shown = said(markdownOf(written.join("\n\n")));
    for (const line of written) expect(shown).toContain(line);
    expect(
      [...walk(markdownOf(written.join("\n\n")))].flatMap(({ parts }) => parts).some((part) => part.kind === "link"),
    ).toBe(false);
  });

  test("pictures become links, so that an agent cannot make the page load anything", () => {
    expect(markdownOf("![a cat](https://a.b/c.png)")).toMatchObject([
      { parts: [{ kind: "link", href: "https://a.b/c.png", parts: [text("a cat")] }] },
    ]);
  });

  test("common markup is read", () => {
    const [heading, words, list, code] = markdownOf("# A **b**\nc `d` (see https://e.f/g.)\n- h\n  i\n- j\n```ts\nk\n");
    expect(heading).toMatchObject({
      kind: "heading",
      depth: 1,
      parts: [text("A "), { kind: "strong", parts: [text("b")] }],
    });
    expect(words).toMatchObject({
      kind: "paragraph",
      parts: [
        text("c "),
        { kind: "code", text: "d" },
        text(" (see "),
        { kind: "link", href: "https://e.f/g", parts: [text("https://e.f/g")] },
        text(".)"),
      ],
    });
    expect(list).toMatchObject({
      kind: "list",
      start: undefined,
      items: [{ pieces: [{ parts: [text("h\ni")] }] }, { pieces: [{ parts: [text("j")] }] }],
    });
    // Half-said: its end is still to come.
    expect(code).toMatchObject({ kind: "code", language: "ts", text: "k" });
  });

  test("emphasis of every kind is read", () => {
    expect(markdownOf("*a* _b_ **c** ~~d~~ ***e***")).toMatchObject([
      {
        parts: [
          { kind: "em", parts: [text("a")] },
          text(" "),
          { kind: "em", parts: [text("b")] },
          text(" "),
          { kind: "strong", parts: [text("c")] },
          text(" "),
          { kind: "del", parts: [text("d")] },
          text(" "),
          { kind: "em", parts: [{ kind: "strong", parts: [text("e")] }] },
        ],
      },
    ]);
  });

  test("tables have alignment and marked-up cells", () => {
    expect(markdownOf("| a | b |\n|:--|--:|\n| `c` | **d** |\n| e | |")).toMatchObject([
      {
        kind: "table",
        align: ["left", "right"],
        head: [[text("a")], [text("b")]],
        rows: [
          [[{ kind: "code", text: "c" }], [{ kind: "strong", parts: [text("d")] }]],
          [[text("e")], []],
        ],
      },
    ]);
  });

  test("quotes and rules are read", () => {
    expect(markdownOf("> a\n> - b\n\n---\n\nc")).toMatchObject([
      { kind: "quote", pieces: [{ kind: "paragraph", parts: [text("a")] }, { kind: "list" }] },
      { kind: "rule" },
      { kind: "paragraph", parts: [text("c")] },
    ]);
  });

  test("lists may have lists, tasks, and numbers that continue after a paragraph", () => {
    expect(markdownOf("- a\n  - b\n    1. c\n- [x] d\n- [ ] e")).toMatchObject([
      {
        kind: "list",
        items: [
          {
            task: undefined,
            pieces: [
              { parts: [text("a")] },
              { kind: "list", items: [{ pieces: [{ parts: [text("b")] }, { kind: "list", start: 1 }] }] },
            ],
          },
          { task: "done", pieces: [{ parts: [text("d")] }] },
          { task: "open", pieces: [{ parts: [text("e")] }] },
        ],
      },
    ]);
    expect(markdownOf("3. a\n\n   more of it\n\n4. b")).toMatchObject([
      { kind: "list", start: 3, items: [{ pieces: [{ parts: [text("a")] }, { parts: [text("more of it")] }] }, {}] },
    ]);
  });

  test("more text keeps the earlier pieces and items", () => {
    const before = markdownOf("a\n\n- b\n- c");
    const after = keptFrom(before, markdownOf("a\n\n- b\n- c and\n- d"));
    expect(after[0]).toBe(before[0]);
    const items = (piece: Piece | undefined) => (piece?.kind === "list" ? piece.items : []);
    expect(items(after[1])[0]).toBe(items(before[1])[0]);
    expect(after).toEqual(markdownOf("a\n\n- b\n- c and\n- d"));
  });

  const nasty = [
    "`",
    "**",
    "[",
    "[a](",
    "https://",
    "- ",
    "#",
    "**a",
    "\n",
    "*a_",
    "_a*",
    "a_b_",
    "!",
    "<",
    "<a ",
    "<!--",
  ];
  const deep = ["> ", ">", "1. ", "* ", "+ ", "> - ", "- > ", "\t- "];
  const long = [
    "- [ ] a\n",
    "1. a\n",
    "a|b\n-|-\n",
    "|a|\n|-|\n",
    "a\n---\n",
    "[a]: b\n",
    "x\n\n",
    "a@",
    "www.",
    "&",
    "\\",
    "~",
  ];
  test.each([40, 800, 3_500])(
    "a table of %i columns and as many rows makes no more cells than a page can draw",
    (n) => {
      const written = `|${"a|".repeat(n)}\n|${"-|".repeat(n)}\n${"|a|\n".repeat(n)}`;
      const cells = markdownOf(written).map((piece) =>
        piece.kind === "table" ? piece.head.length * (piece.rows.length + 1) : 0,
      );
      expect(cells.reduce((sum, count) => sum + count, 0)).toBe(n === 40 ? 41 * 40 : 0);
    },
  );
  const capped = ["*a_", "a_b_", "**a", "!", "[", "`a", "~a"].map((part) => `${part.repeat(60)}\n\n`);
  test.each([...nasty, ...deep, ...long, ...capped].map((part) => [part.slice(0, 12), part]))(
    "a long text of %j is read in bounded time and depth",
    (_, part) => {
      const written = part.repeat(Math.ceil((2 * MARKDOWN_CHARS_MAX) / part.length));
      let pieces: Piece[] = [];
      expect(workMs(() => (pieces = markdownOf(written)))).toBeLessThan(2_000);
      for (const { depth } of walk(pieces)) expect(depth).toBeLessThanOrEqual(DEPTH_MAX);
    },
  );
});
