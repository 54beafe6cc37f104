// Which parts of a printed line are links: addresses and places of files, and no others, for any text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marked } from "../../../src/core/base/invisible.ts";
import { isPlain, linksIn, safeAddress } from "../../../web/text/links.ts";

/** Each link as it is written, with what it leads to: an address, or path|line|column. */
const linked = (text: string) =>
  linksIn(text).map((link) => {
    const to = link.kind === "address" ? link.href : [link.path, link.line, link.column ?? ""].join("|");
    return `${text.slice(link.from, link.to)} → ${to}`;
  });

describe("addresses", () => {
  test.each([
    ["see https://a.example/x?y=1", "https://a.example/x?y=1"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["  ➜  Local:   http://127.0.0.1:5173/", "http://127.0.0.1:5173/"],
    ["http://[::1]:8080/a", "http://[::1]:8080/a"],
    ["(https://a.example/x)", "https://a.example/x"],
    ["[docs](https://a.example/x)", "https://a.example/x"],
    ["<https://a.example/x>", "https://a.example/x"],
    ['"https://a.example/x"', "https://a.example/x"],
    ["'https://a.example/x'", "https://a.example/x"],
    ["`https://a.example/x`", "https://a.example/x"],
    ["https://a.example/x.", "https://a.example/x"],
    ["https://a.example/x, and", "https://a.example/x"],
    ["https://a.example/x...", "https://a.example/x"],
    ["is it https://a.example/x?", "https://a.example/x"],
    ["https://a.example/x!", "https://a.example/x"],
    ["https://a.example/x: not found", "https://a.example/x"],
    ["**https://a.example/x**", "https://a.example/x"],
    ["https://a.example/wiki/Foo_(bar)", "https://a.example/wiki/Foo_(bar)"],
    ["(see https://a.example/wiki/Foo_(bar))", "https://a.example/wiki/Foo_(bar)"],
    ["{https://a.example/x}", "https://a.example/x"],
    ["│ https://a.example/x │", "https://a.example/x"],
    ["│https://a.example/x│", "https://a.example/x"],
    ["|https://a.example/x|", "https://a.example/x"],
    ["https://a.example/日本", "https://a.example/日本"],
    ["「https://a.example/x」です", "https://a.example/x"],
    ["（https://a.example/x）", "https://a.example/x"],
    ["“https://a.example/x”", "https://a.example/x"],
    ["HTTPS://A.EXAMPLE/x", "HTTPS://A.EXAMPLE/x"],
    ["mailto:me@a.example", "mailto:me@a.example"],
    ["remote: https://git.example/o/r/pull/new/fix", "https://git.example/o/r/pull/new/fix"],
    ["https://a.example/#L3-L5", "https://a.example/#L3-L5"],
    ["https://user@a.example/x", "https://user@a.example/x"],
    ["https://a.example/x\u200b", "https://a.example/x"],
    ["https://a.example/\u202egpj.exe", "https://a.example/"],
  ])("%s", (text, address) => {
    const shown = marked(text);
    expect(linksIn(shown).map(({ from, to }) => shown.slice(from, to))).toEqual([address]);
  });

  test.each([
    ["javascript:alert(1)"],
    ["JaVaScRiPt:alert(1)//https"],
    ["data:text/html,<script>alert(1)</script>"],
    ["vbscript:msgbox"],
    ["file:///etc/passwd"],
    ["ftp://a.example/x"],
    ["ws://a.example:80"],
    ["ssh://a.example:22/x"],
    ["postgres://u@a.example:5432/db"],
    ["https://"],
    ["http:///x"],
    ["https:a"],
    ["xhttps://a.example"],
    ["_http://a.example"],
    ["mailto:"],
    ["mailto:nobody"],
    ["http://a b"].map((text) => text.replace("a b", "<b>")),
    ["http://%zz"],
    ["http://a:99999999"],
    ["no links here"],
    [""],
    ["a:b:c:d"],
    ["::::"],
    [`https://a.example/${"x".repeat(3_000)}`],
  ])("%s is none", (text) => {
    expect(linked(text)).toEqual([]);
  });

  test("only addresses that can just be visited are safe", () => {
    for (const link of [
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      " https://a",
      "vbscript:x",
      "https:x",
      "https://a\n/b",
      "https://a\tb",
      "blob:https://a/x",
      "view-source:https://a",
      "\u0001https://a",
    ])
      expect(safeAddress(link), link).toBeUndefined();
    expect(safeAddress("https://example.org/?a=1")).toBe("https://example.org/?a=1");
    expect(safeAddress("mailto:a@b")).toBe("mailto:a@b");
  });

  test.each([
    ["https://a.example/x", "https://a.example/x", true],
    ["https://a.example", "https://a.example/", true],
    ["HTTPS://A.Example/", "https://a.example/", true],
    ["mailto:a@b", "mailto:a@b", true],
    ["click here", "https://a.example/", false],
    ["https://bank.example/", "https://evil.example/", false],
    ["https://bank.example", "https://bank.example.evil.example/", false],
    ["https://bank.example@evil.example/", "https://bank.example@evil.example/", false],
    ["https://u:p@evil.example/", "https://u:p@evil.example/", false],
    ["https://аpple.example/", "https://xn--pple-43d.example/", false],
    ["bank.example", "https://bank.example/", false],
    ["", "https://a.example/", false],
  ])("%s says that it leads to %s: %s", (text, href, plain) => {
    expect(isPlain(text, href)).toBe(plain);
  });
});

describe("places of files", () => {
  test.each([
    ["error in src/app.ts:12:3, see", "src/app.ts:12:3 → src/app.ts|12|3"],
    ["src/app.ts:12", "src/app.ts:12 → src/app.ts|12|"],
    ["./a.c:1:1: error: x", "./a.c:1:1 → ./a.c|1|1"],
    ["../up/a.c:1", "../up/a.c:1 → ../up/a.c|1|"],
    ["/abs/a.go:7:2", "/abs/a.go:7:2 → /abs/a.go|7|2"],
    ["~/a/b.rb:3:in `x'", "~/a/b.rb:3 → ~/a/b.rb|3|"],
    ["  --> src/main.rs:2:5", "src/main.rs:2:5 → src/main.rs|2|5"],
    ["    at foo (/x/y.js:10:20)", "/x/y.js:10:20 → /x/y.js|10|20"],
    ["    at file:///x/y%20z.mjs:10:20", "file:///x/y%20z.mjs:10:20 → /x/y z.mjs|10|20"],
    ["at async (file:///x/y.mjs:1:2)", "file:///x/y.mjs:1:2 → /x/y.mjs|1|2"],
    ["src/a.ts(12,3): error TS2322", "src/a.ts(12,3) → src/a.ts|12|3"],
    ["app/[id]/page.tsx:3:1", "app/[id]/page.tsx:3:1 → app/[id]/page.tsx|3|1"],
    ["app/(group)/page.tsx:3", "app/(group)/page.tsx:3 → app/(group)/page.tsx|3|"],
    ["(app/(group)/page.tsx:3)", "app/(group)/page.tsx:3 → app/(group)/page.tsx|3|"],
    ["foo)src/a.ts:1", "src/a.ts:1 → src/a.ts|1|"],
    ["[src/a.ts:1]", "src/a.ts:1 → src/a.ts|1|"],
    ["{src/a.ts:1}", "src/a.ts:1 → src/a.ts|1|"],
    ["'src/a.ts:1'", "src/a.ts:1 → src/a.ts|1|"],
    ["a.py:3: AssertionError", "a.py:3 → a.py|3|"],
    ["    foo_test.go:12: got 1", "foo_test.go:12 → foo_test.go|12|"],
    ["src/a.ts:12:const x = 1", "src/a.ts:12 → src/a.ts|12|"],
    ["Makefile:12: *** missing", "Makefile:12 → Makefile|12|"],
    ["Dockerfile:1", "Dockerfile:1 → Dockerfile|1|"],
    ["bin/run:3: not found", "bin/run:3 → bin/run|3|"],
    ["naïve/日本.ts:1", "naïve/日本.ts:1 → naïve/日本.ts|1|"],
    ["a.ts:12.", "a.ts:12 → a.ts|12|"],
    ["a.ts:12-15", "a.ts:12 → a.ts|12|"],
    ["a.ts:12:", "a.ts:12 → a.ts|12|"],
    ["a@b/c+d.ts:1", "a@b/c+d.ts:1 → a@b/c+d.ts|1|"],
    ["x=src/a.ts:1", "src/a.ts:1 → src/a.ts|1|"],
    ['  File "x.py", line 3, in <module>', 'x.py", line 3 → x.py|3|'],
    ['  File "/a b/x.py", line 30', '/a b/x.py", line 30 → /a b/x.py|30|'],
    ["a.ts:0:5 b.ts:5:0", "b.ts:5:0 → b.ts|5|"],
  ])("%s", (text, link) => {
    expect(linked(text)).toEqual([link]);
  });

  test.each([
    ["12:30:45"],
    ["2026-01-02T12:30:45"],
    ["127.0.0.1:8080"],
    ["http://a.example:80/x.ts"].map((text) => text.replace("http", "ws")),
    ["postgres://host:5432"],
    ["//host/x.ts:3"],
    ["TODO:12"],
    ["localhost:3000"],
    ["a.ts:12345678"],
    ["a.ts:12x"],
    ["a.ts:x"],
    ["dir/:3"],
    [":12:3"],
    ["...:3"],
    ["src/\u202ea.ts:1"].map((text) => text.replace("a.ts:1", "")),
    ['File "<stdin>", line 1'],
    ['File "<frozen importlib>", line 1'],
    ["f(1,2)"],
    ["(1,2)"],
    ["a.ts:0"],
  ])("%s is none", (text) => {
    expect(linked(marked(text))).toEqual([]);
  });

  test("several stand in one line, and none lies over another", () => {
    expect(linked("a.ts:1 b.ts:2:3 https://x.example/c.ts:4:5 (d.ts:6)")).toEqual([
      "a.ts:1 → a.ts|1|",
      "b.ts:2:3 → b.ts|2|3",
      "https://x.example/c.ts:4:5 → https://x.example/c.ts:4:5",
      "d.ts:6 → d.ts|6|",
    ]);
    expect(linked("a.ts:1 ".repeat(200))).toHaveLength(50);
  });
});

test("links of any text lie in it, in order, apart, and lead only to the web, to mail or to a path without controls", () => {
  const parts = fc.constantFrom(
    "https://",
    "http://[",
    "mailto:",
    "a.ts",
    ":1",
    ":2:3",
    "(1,2)",
    "/",
    '", line 3',
    'File "',
    "⟦",
    "@",
    " ",
    ")",
    "]",
    "\u202e",
    "日",
    "\x1b",
    "xn--",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(parts).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(texts, (raw) => {
      const text = marked(raw);
      const links = linksIn(text);
      const isApart = links.every(
        ({ from, to }, i) => from >= (links[i - 1]?.to ?? 0) && to > from && to <= text.length,
      );
      const isHarmless = links.every((link) =>
        link.kind === "address" ? /^(?:https?:\/\/[^/]|mailto:)/.test(link.href) : !/[\p{Cc}⟦]/u.test(link.path),
      );
      return isApart && isHarmless;
    }),
  );
});

test("a line that was made to cost much is read once", () => {
  // Quadratic work over 10,000 characters would be a hundred million steps for each of these.
  for (const piece of ["a:1", "https://", "(((", ")))]]:1", 'File "', "a(1,1)", "mailto:a@", "x/", ":1:1:1"]) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    expect(linksIn(text).length).toBeLessThanOrEqual(50);
  }
});
