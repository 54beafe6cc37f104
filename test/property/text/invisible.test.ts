// The one table of invisible characters: every one of them is marked wherever it stands, and what only looks odd is left alone.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layout } from "../../../src/cli/attach/editor/layout.ts";
import { harmless, harmlessLine, inert, visible } from "../../../src/cli/text/harmless.ts";
import { columnOf } from "../../../src/core/base/cell-width.ts";
import { lineText, runText } from "../../../src/core/base/clean.ts";
import { exact } from "../../../src/core/base/exact.ts";
import { blanked, isInvisible, marked, STRICT } from "../../../src/core/base/invisible.ts";
import { refusedBeforeParsing } from "../../../src/core/gate/risk/before-parsing.ts";
import { rowAnsi } from "../../../src/core/viewer/row-ansi.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const LAST = 0x10ffff;
const pick = (wanted: RegExp) =>
  Array.from({ length: LAST + 1 }, (_, point) => String.fromCodePoint(point)).filter((char) => wanted.test(char));
/** All that Unicode shows nothing for, line separators, annotations, halves of characters and C1 controls. */
const HIDDEN = pick(/[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb\p{Cs}\x80-\x9f]/u);

/** Each way in which text of a program or an agent is shown in words. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  screens: (text) => marked(text),
  lines: (text) => lineText([{ text, sgr: "31" }]),
  cards: exact,
  "answers to agents": (text) => marked(text, { controls: "keep" }),
  "status line": visible,
  conversation: harmlessLine,
  pipe: inert,
  prompt: (text) =>
    layout(text, 0, 400)
      .rows.map(({ shown }) => shown)
      .join(""),
};

describe("a character that nobody sees", () => {
  test.each(Object.keys(WAYS))("%s: is marked, alone, between letters, and behind an emoji", (way) => {
    const show = WAYS[way] as (text: string) => string;
    const unmarked = HIDDEN.filter((char) => {
      // A soft hyphen in prose is left out, as every typesetter does.
      if (char === "\u00ad" && way === "conversation") return false;
      // One selector behind an emoji is a part of it.
      const emoji = char === "\ufe0e" || char === "\ufe0f" ? [] : [`😀${char}x`];
      return [char, `a${char}b`, `漢${char}字`, `é${char}`, ...emoji].some((text) => {
        const shown = show(text);
        return [...shown].includes(char) || !shown.includes("⟦");
      });
    });
    expect(unmarked.map((char) => char.codePointAt(0)?.toString(16))).toEqual([]);
  });

  test("other characters without a glyph count as well", () => {
    for (const char of [
      "\u{1d159}",
      "\u{16fe4}",
      "\u{13441}",
      "\u{13442}",
      "\u{1107f}",
      "\u2d7f",
      "\u{1fffe}",
      "\ufdd0",
    ]) {
      expect(isInvisible(char)).toBe(true);
      expect(refusedBeforeParsing(`ls a${char}b`, "bash")).not.toBeNull();
    }
  });

  test("is known as such, and makes a command line unknown", () => {
    expect(HIDDEN.filter((char) => !isInvisible(char))).toEqual([]);
    const safe = HIDDEN.filter((char) => refusedBeforeParsing(`ls a${char}b`, "bash") === null);
    expect(safe).toEqual([]);
    for (const blank of pick(/\p{Zs}/u))
      if (blank !== " ") expect(refusedBeforeParsing(`ls${blank}x`, "bash")).not.toBeNull();
  });

  test("takes as many cells in a row that is painted as the screen gave it", () => {
    const engine = makeGhostty({ cols: 20, rows: 1, scrollback: 0 });
    const wrong: string[] = [];
    for (const char of HIDDEN) {
      // Halves and C1 controls never get into a cell.
      if (/[\p{Cs}\x80-\x9f]/u.test(char)) continue;
      engine.feed(Buffer.from(`\r\x1b[2Ka${char}b`));
      const painted = rowAnsi({ runs: [{ text: engine.rows()[0] ?? "", sgr: "" }] });
      if (IGNORABLE.test(painted) || columnOf(painted, painted.length) !== engine.cursor().col)
        wrong.push(char.codePointAt(0)?.toString(16) ?? "");
    }
    engine.dispose();
    expect(wrong).toEqual([]);
  });
});

describe("visible text", () => {
  test("emoji and words keep the joiners and selectors that they are made with", () => {
    const seen = [
      "❤️",
      "☎︎",
      "👨‍👩‍👧",
      "👩🏽‍💻",
      "🏳️‍🌈",
      "🧔‍♂️",
      "🐦‍⬛",
      "1️⃣",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "می‌خواهم",
      "क्‍ष",
      "ක්‍ර",
      "e\u0301",
      "🇩🇪",
    ];
    for (const text of seen) expect(marked(`a ${text} b`)).toBe(`a ${text} b`);
    for (const text of seen) expect(IGNORABLE.test(harmless(text)), text).toBe(false);
  });

  test("emoji and words keep no other joiners and selectors", () => {
    expect(marked("❤️\ufe0f")).toBe("❤⟦U+FE0F⟧⟦U+FE0F⟧");
    expect(marked("❤️\u{e0101}")).toBe("❤⟦U+FE0F⟧⟦U+E0101⟧");
    expect(marked("👩\u200d")).toBe("👩⟦U+200D⟧");
    expect(marked("1\ufe0f")).toBe("1⟦U+FE0F⟧");
    expect(marked("é\u200dé 漢\u200c字")).toBe("é⟦U+200D⟧é 漢⟦U+200C⟧字");
    const tags = Array.from("us", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
    expect(marked(`🏴${tags}\u{e007f}`)).toBe("🏴⟦U+E0075⟧⟦U+E0073⟧⟦U+E007F⟧");
  });

  test("a long hidden message is counted, not spelt", () => {
    const hidden = Array.from("ignore previous", (c) => String.fromCodePoint(0xe0100 + c.charCodeAt(0) - 16)).join("");
    expect(marked(`hello${hidden}world`)).toBe("hello⟦15 invisible characters⟧world");
    expect(marked(`a${"\u200b".repeat(2_500)}b`)).toBe("a⟦2500 × U+200B⟧b");
    expect(marked(`a${"\u2800".repeat(2_500)}b`, STRICT)).toBe("a⟦2500 × U+2800⟧b");
    expect(runText({ text: `😀${hidden}`, sgr: "" })).toBe("😀⟦15 invisible characters⟧");
  });

  test("controls become signs, lines or text, or stay as they are", () => {
    const text = "a\tb\r\nc\x1b[m\x7f\0";
    expect(marked(text)).toBe("a⇥b⏎⏎c␛[m␡␀");
    expect(marked(text, { controls: "text" })).toBe("a\tb⏎\nc␛[m␡␀");
    expect(marked(text, { controls: "keep" })).toBe(text);
    expect(blanked("a\x1bb\u00adc\u200bd", { controls: "blank" })).toBe("a b cd");
  });

  test("unusual spaces are marked only where a person must agree", () => {
    expect(marked("rm\u00a0x\u3000y")).toBe("rm\u00a0x\u3000y");
    expect(marked("rm\u00a0x\u3000y", STRICT)).toBe("rm⟦U+00A0⟧x⟦U+3000⟧y");
  });

  test("is unchanged, and marks are not marked again", () => {
    const plain = fc.string({ unit: fc.constantFrom(..."aZ 9~│▒é漢ж가…✔❯\ue0b0😀") });
    fc.assert(fc.property(plain, (text) => marked(text, STRICT) === text));
    const any = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...HIDDEN, "❤", "👩", "\u200d", "ي"),
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      ),
    });
    for (const how of [{}, { controls: "text" }, { controls: "keep" }, { joiners: "drop" }] as const)
      fc.assert(fc.property(any, (text) => marked(marked(text, how), how) === marked(text, how)));
  });
});
