// Journal to text: the same lines with the same cursors however the bytes are cut; UTF-8 like a browser's decoder.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Utf8 } from "../../../src/core/base/utf8.ts";
import { Plain } from "../../../src/core/journal/plain.ts";

interface FoundLine {
  text: string;
  line: number;
  ends: number[];
}

function read(chunks: readonly Uint8Array[]): FoundLine[] {
  const found: FoundLine[] = [];
  const plain = new Plain({ cursor: 0, line: 0 }, ({ text, line, behind }) =>
    found.push({ text, line, ends: Array.from(text, (_, i) => behind(i)) }),
  );
  for (const chunk of chunks) plain.push(chunk);
  plain.end();
  return found;
}

const lines = (text: string) => read([Buffer.from(text)]).map((line) => line.text);

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

const pieces = fc.constantFrom(
  "text ",
  "\r\n",
  "\r",
  "\n",
  "\b",
  "\t",
  "漢字🙂é",
  "\x1b[31mred\x1b[m",
  "\x1b[K",
  "\x1b[2;5Hthere",
  "\x1b]2;title\x07",
  "\x1b]8;;http://x\x1b\\link",
  "\x1bPq#0\x1b\\",
  "\x1b(B",
  "\x1b[3P",
  "\x1b[2@",
  "\x1b[4C",
  "\x1b[1G",
  "\x1b[?1049h",
  "\x18",
);
const output = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(""))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

describe("Plain", () => {
  it("gives the same lines and cursors however the bytes are cut", () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat()), (bytes, places) => {
        expect(read(cut(bytes, places))).toEqual(read([bytes]));
      }),
      { numRuns: 500 },
    );
  });

  it("reading can continue at any place that a line names", () => {
    fc.assert(
      fc.property(output, fc.nat(), (bytes, place) => {
        const at = place % (bytes.length + 1);
        const found: string[] = [];
        const first = new Plain({ cursor: 0, line: 0 }, ({ text, line }) => found.push(`${line} ${text}`));
        first.push(bytes.subarray(0, at));
        const given = found.length;
        const second = new Plain(first.place, ({ text, line }) => found.push(`${line} ${text}`));
        second.push(bytes.subarray(first.place.cursor));
        second.end();
        const whole = read([bytes]).map(({ text, line }) => `${line} ${text}`);
        // What a carriage return was about to overwrite may be told again, never lost.
        expect(found.slice(given)).toEqual(whole.slice(whole.length - (found.length - given)));
        expect(given + (found.length - given)).toBeGreaterThanOrEqual(whole.length);
      }),
      { numRuns: 300 },
    );
  });

  it("colours, titles and links are skipped, and movements within a line are followed", () => {
    expect(lines("\x1b[1;31mer\x1b[0mror\x1b]2;no\x07: x\r\nnext")).toEqual(["error: x", "next"]);
    expect(lines("abc\b\b\x1b[Pz\n")).toEqual(["az"]);
    expect(lines("ab\x1b[3Cc\td\n")).toEqual(["ab   c  d"]);
    expect(lines("\x1b[5;1Hone\x1b[6;1Htwo")).toEqual(["one", "two"]);
  });

  it("a progress line gives each of its states, and a redrawn state once", () => {
    expect(lines("10%\r20%\r\x1b[Kdone\n")).toEqual(["10%", "20%", "done"]);
    expect(lines("$ ls\r$ ls\r$ ls\r\n")).toEqual(["$ ls"]);
  });

  it("an endless line comes in pieces, the same for any cut", () => {
    const bytes = Buffer.from(`${"0123456789".repeat(4_000)}\nend`);
    const whole = read([bytes]);
    expect(whole.map((line) => line.text).join("")).toBe(`${"0123456789".repeat(4_000)}end`);
    expect(read(cut(bytes, [1, 16_383, 16_385, 30_000]))).toEqual(whole);
    expect(whole.at(-1)).toMatchObject({ text: "end", line: 1 });
  });

  it("each character knows the byte at which it was complete", () => {
    const [line] = read([Buffer.from("\x1b[1m漢x")]);
    expect(line).toEqual({ text: "漢x", line: 0, ends: [7, 8] });
  });
});

describe("Utf8", () => {
  it("decodes like TextDecoder, cut anywhere", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(fc.constantFrom(0xf0, 0x9f, 0x99, 0x82, 0xe6, 0xbc, 0xed, 0xa0, 0x80, 0x41, 0xc2), { maxLength: 30 })
        .map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), (input, places) => {
        const utf8 = new Utf8();
        const text =
          cut(input, places)
            .map((part) => utf8.text(part))
            .join("") + utf8.end();
        expect(text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(input));
      }),
      { numRuns: 500 },
    );
  });
});
