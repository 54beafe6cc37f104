// Theme files of strangers: read right, never followed, never thrown over; and what the page makes of any of them can be read.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast, type Hex } from "../../../web/themes/colour.ts";
import { dressOf } from "../../../web/themes/dress.ts";
import { FILE_BYTES_MAX, readThemes } from "../../../web/themes/read.ts";
import { isTheme, type Theme } from "../../../web/themes/theme.ts";
import { themeFile } from "../../../web/themes/write.ts";

const SOLARIZED: Theme = {
  name: "Solarized Light",
  bg: "#fdf6e3",
  fg: "#657b83",
  cursor: "#586e75",
  selection: "#eee8d5",
  ansi: [
    ...["#073642", "#dc322f", "#859900", "#b58900", "#268bd2", "#d33682", "#2aa198", "#eee8d5"],
    ...["#002b36", "#cb4b16", "#586e75", "#657b83", "#839496", "#6c71c4", "#93a1a1", "#fdf6e3"],
  ] as Hex[],
};

function itermFile({ bg, fg, cursor, selection, ansi }: Theme): string {
  const part = (name: string, hex: Hex, at: number) =>
    `<key>${name} Component</key><real>${Number.parseInt(hex.slice(at, at + 2), 16) / 255}</real>`;
  const colour = (name: string, hex: Hex) =>
    `<key>${name} Color</key>\n<dict><key>Color Space</key><string>sRGB</string><key>Alpha Component</key><real>1</real>
    ${part("Blue", hex, 5)}${part("Green", hex, 3)}${part("Red", hex, 1)}</dict>`;
  const all = [
    colour("Background", bg),
    colour("Foreground", fg),
    colour("Cursor", cursor),
    colour("Selection", selection),
  ];
  return `<?xml version="1.0"?><!DOCTYPE plist SYSTEM "http://x/y.dtd"><plist version="1.0"><dict>
    ${[...ansi.map((hex, n) => colour(`Ansi ${n}`, hex)), ...all].join("\n")}</dict></plist>`;
}

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n): Hex => `#${n.toString(16).padStart(6, "0")}`);
const theme: fc.Arbitrary<Theme> = fc.record({
  name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .-]{0,20}[a-z]$/),
  ...{ bg: hex, fg: hex, cursor: hex, selection: hex },
  ansi: fc.array(hex, { minLength: 16, maxLength: 16 }),
});

describe("theme files", () => {
  it("of any theme: what we write and what iTerm2 writes is read as the same theme", () => {
    fc.assert(
      fc.property(theme, (own) => {
        const { name, text } = themeFile(own);
        expect(readThemes(name, text)).toEqual({ themes: [own] });
        expect(readThemes(`${own.name}.itermcolors`, itermFile(own))).toEqual({ themes: [own] });
      }),
    );
  });

  it("of base16 in both of its forms, and of base24", () => {
    const base = Array.from(
      { length: 16 },
      (_, n) => `base0${n.toString(16).toUpperCase()}: "${`${n}`.padStart(6, "a")}" # grey`,
    );
    const flat = ["scheme: 'Old One'", "author: x", ...base].join("\r\n");
    const nested = ["system: base16", 'name: "New: One"', "palette:", ...base.map((line) => `  ${line}`)].join("\n");
    const [old, young] = [readThemes("x.yaml", flat), readThemes("x.yaml", nested)];
    expect(old).toMatchObject({ themes: [{ name: "Old One", bg: "#aaaaa0", fg: "#aaaaa5", selection: "#aaaaa2" }] });
    expect("themes" in old && old.themes[0]?.ansi.slice(0, 4)).toEqual(["#aaaaa0", "#aaaaa8", "#aaaa11", "#aaaa10"]);
    expect(young).toEqual("themes" in old ? { themes: [{ ...old.themes[0], name: "New: One" }] } : {});
    expect(readThemes("x", `${flat}\nbase12: "#ff0000"`)).toMatchObject({ themes: [{ ansi: { 9: "#ff0000" } }] });
  });

  it("with several schemes, names that deceive, and colours that are none", () => {
    const scheme = JSON.parse(themeFile(SOLARIZED).text);
    const odd = [
      { ...scheme, name: "a\u202eb\n" },
      { ...scheme, name: 7, red: "#f00" },
      { ...scheme, blue: "url(x)" },
    ];
    const read = readThemes("mine.json", JSON.stringify({ schemes: odd, profiles: {} }));
    expect(read).toMatchObject({ themes: [{ name: expect.not.stringMatching(/[\u202e\n]/) }, { name: "mine" }] });
    expect("themes" in read && [read.themes.length, read.themes[1]?.ansi[1]]).toEqual([2, "#ff0000"]);
  });

  it("of whatever content: themes that hold, or a reason", () => {
    const good = [itermFile(SOLARIZED), themeFile(SOLARIZED).text, "base00: '111111'\n"];
    const cut = fc.record({ at: fc.nat(2_000), less: fc.nat(40), more: fc.string({ unit: "binary", maxLength: 20 }) });
    const damaged = fc
      .tuple(fc.constantFrom(...good), fc.array(cut, { maxLength: 4 }))
      .map(([text, cuts]) =>
        cuts.reduce((now, { at, less, more }) => now.slice(0, at) + more + now.slice(at + less), text),
      );
    const holds = (text: string) => {
      const read = readThemes("x", text);
      return "themes" in read ? read.themes.every(isTheme) : read.why !== "";
    };
    fc.assert(fc.property(fc.oneof(damaged, fc.string({ unit: "binary" })), holds));
    for (const part of [
      "<key>",
      "<key>Ansi 0 Color</key><dict>",
      "<real>",
      "[",
      '{"schemes":',
      "base00:",
      "\n",
      '"',
      " #",
    ])
      expect(holds(part.repeat(Math.floor(FILE_BYTES_MAX / part.length)))).toBe(true);
    expect(readThemes("x", " ".repeat(FILE_BYTES_MAX + 1))).toHaveProperty("why");
  });
});

describe("the page in the colours of a theme", () => {
  const TEXT = ["fg", "mut", "you", "guest", "agent", "ok", "bad", "warn", "focus", "ink-command", "ink-path"];
  const GROUNDS = ["bg", "bg1", "bg2", "bg3", "youbg", "guestbg", "agentbg", "warnbg"];

  it("can be read, cards too, or keeps its own", () => {
    fc.assert(
      fc.property(theme, (own) => {
        const { dress, page } = dressOf(own);
        const of = (name: string) => dress.colours[`--${name}`] as Hex;
        expect([of("term-bg"), of("term-red"), of("term-bright-white")]).toEqual([own.bg, own.ansi[1], own.ansi[15]]);
        const pairs = Object.entries(dress.colours).map(([key, value]) => `${key}:${value}`);
        expect(pairs.filter((pair) => !SAFE.test(pair))).toEqual([]);
        if (page === "kept") {
          expect(Object.keys(dress.colours).filter((key) => !key.startsWith("--term-"))).toEqual([]);
          return;
        }
        const numbers = Array.from({ length: 16 }, (_, n) => n);
        const read = [
          ...GROUNDS.flatMap((ground) => TEXT.map((text) => [text, ground] as const)),
          ...numbers.flatMap((n) => [[`ink-${n}`, "paper"] as const, [`on-ansi-${n}`, `ansi-${n}`] as const]),
          ["on-ok", "ok"] as const,
        ];
        expect(read.filter(([text, ground]) => contrast(of(text), of(ground)) < 4.5)).toEqual([]);
      }),
    );
  });

  it("takes over a theme of low contrast, and says how many colours it moved", () => {
    expect(dressOf(SOLARIZED)).toMatchObject({ page: "dressed", moved: 13, dress: { base: "light" } });
  });

  it("keeps its own on a middle grey", () => {
    expect(dressOf({ ...SOLARIZED, bg: "#777777" })).toMatchObject({ page: "kept" });
  });
});

/** What theme.js takes. */
const SAFE = /^--[\w-]{1,40}:(#[0-9a-f]{6,8}|[\d.]{1,5})$/;
