// Laws of images in a stream: where it is cut changes nothing, a state or a repaint in the middle of one neither, heads tell
// their size whatever the file is, and nothing hostile takes more than it brings.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageRow, mayCover } from "../../../src/core/base/image/cells.ts";
import { type FoundImage, ImageScan } from "../../../src/core/base/image/scan.ts";
import { ToldImages } from "../../../src/core/base/image/told.ts";
import type { Engine } from "../../../src/core/screen/engine.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { fromBase64 } from "../../../web/images/base64.ts";
import { sixelPixels } from "../../../web/images/sixel.ts";
import { depth } from "../../fixtures/depth.ts";
import { iterm, itermParts, kitty, png, sixel } from "../../fixtures/terminal/pictures.ts";
import { cutAt, fractions } from "../../fixtures/terminal/terminal-input.ts";

const SIZE = { cols: 40, rows: 12, scrollback: 400 };
const BLUE = { width: 20, height: 40, rgb: [0, 0, 255] } as const;

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const header = fc.tuple(fc.nat(2_000_000_000), fc.nat(2_000_000_000));
/** Whole images, hostile heads, ends and beginnings of sequences, and text. */
const piece = fc.oneof(
  fc.constantFrom(sixel(BLUE), sixel(BLUE, "none"), kitty(BLUE), iterm(BLUE, "inline=1;width=50%"), itermParts(BLUE)),
  fc.constantFrom(
    "text",
    "\r\n",
    "\x1bc",
    "\x1b[2J\x1b[H",
    "\x18",
    "\x1b\\",
    "\x07",
    "\x1b",
    "\x9c",
    "\x1b[38;5;1m",
    "\t",
  ),
  fc.constantFrom(
    "\x1bPq",
    "\x1bP1;1;1q#",
    "\x1b_G",
    "\x1b_Ga=T,m=1;",
    "\x1b_Gm=0;",
    "\x1b]1337;File=",
    "\x1b]1337;FileEnd\x07",
  ),
  header.map(([w, h]) => `\x1bPq"1;1;${w};${h}#0!${w}~-\x1b\\`),
  header.map(([w, h]) => `\x1b_Ga=T,s=${w},v=${h},c=${w},r=${h};AAAA\x1b\\`),
  header.map(([w, h]) => `\x1b]1337;File=inline=1;width=${w};height=${h}px:AAAA\x07`),
  fc.string({ maxLength: 20 }).map((text) => `\x1bXduetty-image -{"protocol":"sixel","begin":${text}|`),
);
const stream = fc.array(piece, { maxLength: 12 }).map((pieces) => bytes(pieces.join("")));

function look(engine: Engine) {
  const styled = engine.styled({ history: 400 }).map(({ runs }) => runs);
  return { rows: engine.rows(), cursor: engine.cursor(), styled };
}

function found(parts: readonly Uint8Array[]): { found: Omit<FoundImage, "at">[]; scan: ImageScan } {
  const scan = new ImageScan();
  const all: Omit<FoundImage, "at">[] = [];
  let cursor = 0;
  for (const part of parts) {
    scan.push(part, cursor, ({ image, end }) => all.push({ image: structuredClone(image), end }));
    cursor += part.length;
  }
  return { found: all, scan };
}

describe("images in a stream", () => {
  test("cutting it anywhere changes nothing, and what a repaint carries of one is short", () => {
    fc.assert(
      fc.property(stream, fractions, (input, at) => {
        const cut = found(cutAt(input, at));
        expect(cut.found).toEqual(found([input]).found);
        expect(cut.scan.parted.length + cut.scan.reopened.length).toBeLessThan(3_000);
        const told = new ToldImages();
        const whole = new ToldImages();
        const text = (parts: readonly (Uint8Array | string)[]) =>
          parts.map((part) => (typeof part === "string" ? part : Buffer.from(part).toString("latin1"))).join("");
        expect(
          cutAt(input, at)
            .map((part) => text(told.push(part)))
            .join(""),
        ).toBe(text(whole.push(input)));
      }),
      { numRuns: depth(60, 200) },
    );
  });

  test("a state kept at any place, and a repaint there, give the same screen and the same links", () => {
    fc.assert(
      fc.property(stream, fc.double({ min: 0, max: 1, noNaN: true }), (input, fraction) => {
        const place = Math.floor(fraction * input.length);
        const [head, tail] = [input.subarray(0, place), input.subarray(place)];
        const whole = makeGhostty(SIZE);
        whole.feed(head, 0);
        const kept = makeGhostty(SIZE, whole.snapshot());
        const painted = makeGhostty(SIZE);
        const paint = whole.repaint({ scrollback: 400, reset: "hard" });
        painted.feed(paint, place - paint.length);
        for (const engine of [whole, kept, painted]) engine.feed(tail, place);
        expect(look(kept)).toEqual(look(whole));
        expect(look(painted).rows).toEqual(look(whole).rows);
        expect(look(painted).cursor).toEqual(look(whole).cursor);
        for (const engine of [whole, kept, painted]) engine.dispose();
      }),
      { numRuns: depth(20, 60) },
    );
  });

  test("in the middle of a large one, too", () => {
    const large = { width: 300, height: 200, rgb: [1, 2, 3] } as const;
    for (const text of [
      kitty(large, 200_000),
      kitty(large),
      iterm(large),
      `${sixel(large).slice(0, -2)}${"$".repeat(99_999)}\x1b\\`,
    ]) {
      const input = bytes(`one\r\n${text}two`);
      for (const place of [0.4, 0.9].map((part) => Math.floor(part * input.length))) {
        const whole = makeGhostty(SIZE);
        whole.feed(input.subarray(0, place), 0);
        const painted = makeGhostty(SIZE);
        const paint = whole.repaint({ scrollback: 400, reset: "hard" });
        painted.feed(paint, place - paint.length);
        const kept = makeGhostty(SIZE, whole.snapshot());
        for (const engine of [whole, kept, painted]) engine.feed(input.subarray(place), place);
        expect(whole.rows().join("")).toContain("two");
        for (const engine of [kept, painted]) expect(look(engine)).toEqual(look(whole));
        for (const engine of [whole, kept, painted]) engine.dispose();
      }
    }
  });
});

describe("what a head says", () => {
  const told = (text: string) => {
    const engine = makeGhostty(SIZE);
    engine.feed(bytes(text));
    const { rows, styled } = look(engine);
    engine.dispose();
    const links = styled.flatMap((runs) => runs.flatMap(({ link }) => imageRow(link) ?? []));
    return { text: rows.filter((row) => row !== "").join("/"), rows: links.length };
  };
  const file = (...head: number[]) =>
    `\x1b]1337;File=inline=1:${Buffer.from([...head, ...new Array(200).fill(0)]).toString("base64")}\x07`;
  const ascii = (text: string) => [...bytes(text)];

  test.each([
    ["sixel", sixel(BLUE), "[image 20×40]", 3],
    ["sixel without a size", sixel(BLUE, "none"), "[image 20×40]", 3],
    ["kitty in parts", kitty(BLUE), "[image 20×40]", 3],
    ["kitty PNG, in cells", `\x1b_Ga=T,f=100,c=10,r=4;${png(BLUE).toString("base64")}\x1b\\`, "[image 20×40]", 4],
    ["iTerm2", iterm(BLUE), "[image 20×40]", 3],
    ["iTerm2 in parts", itermParts(BLUE), "[image 20×40]", 3],
    ["GIF", file(...ascii("GIF89a"), 16, 0, 33, 0), "[image 16×33]", 3],
    ["JPEG", file(0xff, 0xd8, 0xff, 0xe0, 0, 4, 9, 9, 0xff, 0xc0, 0, 17, 8, 0, 33, 0, 16), "[image 16×33]", 3],
    ["WebP", file(...ascii("RIFF0000WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 32, 0, 0), "[image 16×33]", 3],
    ["another file", file(...ascii("<svg width='9'>")), "[image]", 0],
    ["more pixels than a page may draw", '\x1bPq"1;1;5000;5000#0~\x1b\\', "[image 5000×5000]", 0],
    ["a billion pixels", '\x1bPq"1;1;1000000000;1000000000#0~\x1b\\', "[image 999999999×999999999]", 0],
    ["a head that claims many rows", "\x1b_Ga=T,s=9,v=9,c=39,r=150;AAAA\x1b\\", "[image 9×9]", 5],
    ["a file to keep", iterm(BLUE, "name=YQ=="), "", 0],
    ["an image that is only stored", kitty(BLUE).replace("a=T", "a=t"), "", 0],
    ["the name of a file", "\x1b_Ga=T,t=f,f=100;L2V0Yy9wYXNzd2Q=\x1b\\", "[image]", 0],
  ])("%s", (_name, output, text, rows) => {
    expect(told(output)).toEqual({ text, rows });
  });

  test("a picture covers only its own text and blanks, whatever is linked", () => {
    const row = imageRow("duetty-image:5-90:10x2#0");
    const below = imageRow("duetty-image:5-90:10x2#1");
    if (!row || !below) throw new Error("no rows of an image");
    expect([row, below].map((one) => mayCover(one, "[image 20×40]  "))).toEqual([true, false]);
    expect(["  ", "[image]", "rm -rf /", "[image 1×1] and text"].map((text) => mayCover(row, text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const bad of [
      "duetty-image:5-5:1x1#0",
      "duetty-image:0-99999999:1x1#0",
      "duetty-image:1-2:1x1#1",
      "https://a.example",
    ])
      expect(imageRow(bad)).toBeUndefined();
  });
});

describe("pixels", () => {
  test("sixel: colours, repeats, and nothing outside; drawn over without end it ends", () => {
    const data = sixel({ width: 4, height: 7, rgb: [255, 0, 0] }).replace(/^.*?q|\x1b\\$/gs, "");
    const pixels = sixelPixels(bytes(data), 4, 7);
    expect([...pixels.subarray(0, 4), ...pixels.subarray(-4)]).toEqual([255, 0, 0, 255, 255, 0, 0, 255]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (garbage) => {
        expect(sixelPixels(garbage, 9, 9)).toHaveLength(9 * 9 * 4);
      }),
    );
    expect(sixelPixels(bytes("!999999999~$".repeat(20_000)), 4_000, 6)).toHaveLength(4_000 * 6 * 4);
  });

  test("base64 in parts", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), (parts) => {
        const letters = parts.map((part) => bytes(Buffer.from(part).toString("base64")));
        expect(Buffer.from(fromBase64(letters))).toEqual(Buffer.concat(parts));
      }),
    );
  });
});
