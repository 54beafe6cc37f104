// Stars in place of secrets: as many bytes as before, wherever they are cut, and none of the secret's own.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { depth } from "../../fixtures/depth.ts";
import { leaks, samples } from "../../fixtures/redact/samples.ts";

const redactor = new Redactor({ label: () => "0000" });
const SAMPLES = samples(31).filter((_, i) => i % depth(7, 7, 1) === 0);

test.each(SAMPLES.map((sample) => [sample.kind, sample] as const))("%s", (_, sample) => {
  const line = Buffer.from(`before ${sample.text} after\r\n`);
  const coloured = Buffer.from(`before ${sample.text.replace(/(?<=\w{5})(\w)/, "\x1b[31m$1\x1b[m")} after\r\n`);
  for (const bytes of [line, coloured]) {
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 2 }), (cuts) => {
        const stream = redactor.starred();
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((to, i) => stream.push(bytes.subarray(places[i], to)));
        const out = Buffer.concat([...parts, stream.end()]);
        expect(out.length).toBe(bytes.length);
        expect(leaks(out.toString().replace(/\x1b\[\d*m/g, ""), sample)).toBe(undefined);
        expect(out.toString()).toMatch(/^before [\s\S]* after\r\n$/);
      }),
      { numRuns: depth(6, 20) },
    );
    const part = redactor.starredPart(bytes.subarray(0, 12), bytes.subarray(12, 30), bytes.subarray(30));
    expect(part.length).toBe(Math.min(18, bytes.length - 12));
  }
});

test("sequences, line ends and the form of a title stay", () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
  const none = new Uint8Array();
  const starred = (text: string) => Buffer.from(redactor.starredPart(none, Buffer.from(text), none)).toString();
  expect(starred(`x \x1b[1mkey ${token}\x1b[m\r\n`)).toBe(`x \x1b[1mkey ${"*".repeat(token.length)}\x1b[m\r\n`);
  expect(starred(`\x1b]0;${token}\x07$ \n`)).toBe(`\x1b]0;${"*".repeat(token.length)}\x07$ \n`);
  expect(starred("nothing of it\n")).toBe("nothing of it\n");
});

const STRINGS = [
  "\x1bPq#0;2;0;0;0~~",
  "\x1b_Ga=T,f=100;iVBORw0KGgo",
  "\x1b^x",
  "\x1bXx",
  "\x1b]0;title",
  "\x1b]52;c;AAAA",
];
const SIZES = [0, 3_000, 9_000, 300_000];
const AFTER = ["\x1b[0m\r\n", "\r\n", " ", "\x18", "\x07"];
const PIECES = [1, 3, 7];
/** In `npm test` each size and ending is tried with one number of pieces, not always the same one. */
const PIECES_STEP = depth(PIECES.length, 1);

test.each(STRINGS)("what is printed after %j was cut off is read", (begins) => {
  const sample = SAMPLES[0];
  if (!sample) throw new Error("there are samples");
  for (const [sizeIndex, size] of SIZES.entries())
    for (const [afterIndex, after] of AFTER.entries()) {
      const bytes = Buffer.from(`before\r\n${begins}${"A".repeat(size)}${after}export ${sample.text} x\r\nlast\r\n`);
      for (const pieces of PIECES.filter((_, n) => (n + sizeIndex + afterIndex) % PIECES_STEP === 0)) {
        const [stars, marks] = [redactor.starred(), redactor.bytes()];
        const outs: Uint8Array[][] = [[], []];
        for (let n = 0; n < pieces; n++) {
          const piece = bytes.subarray((n * bytes.length) / pieces, ((n + 1) * bytes.length) / pieces);
          [stars, marks].forEach((stream, i) => void outs[i]?.push(stream.push(piece), stream.flush()));
        }
        [stars, marks].forEach((stream, i) => void outs[i]?.push(stream.end()));
        const [starred = "", marked = ""] = outs.map((out) => Buffer.concat(out).toString());
        expect(Buffer.byteLength(starred)).toBe(bytes.length);
        expect([leaks(starred, sample), leaks(marked, sample)]).toEqual([undefined, undefined]);
        expect(starred).toMatch(/^before\r\n/);
      }
    }
});
