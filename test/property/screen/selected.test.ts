// What is selected is the same whether the colours of all rows are read or only where something stands out by them.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { factsOf, selectedBy } from "../../../src/core/screen/facts.ts";
import { Screen } from "../../../src/core/screen/screen.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { depth } from "../../fixtures/depth.ts";

const SEQUENCES = "0 1 2 7 27 31 38;5;20 41 48;5;20 48;2;1;2;3 49 8 28".split(" ").map((sgr) => `\x1b[${sgr}m`);
// The last one leaves blanks that have a background and nothing else.
const FILLED = "\x1b[41m\x1b[2J\x1b[m\x1b[H one";
const DRAWN = [
  "❯ one",
  "  two",
  "> three",
  "  漢字 four",
  "│ ● five",
  "│ ○ six",
  " ",
  "\x1b[K",
  "\x1b[H",
  "\r\n",
  FILLED,
];

it("selections found with and without a look at all colours agree", () => {
  const output = fc.array(fc.constantFrom(...SEQUENCES, ...DRAWN, ...DRAWN), { maxLength: 12 });
  const eyes = new Redactor({ label: () => "0000" });
  fc.assert(
    fc.property(output, fc.boolean(), (drawn, full) => {
      const engine = makeGhostty({ cols: 20, rows: 5, scrollback: 10 });
      engine.feed(Buffer.from((full ? "\x1b[?1049h" : "") + drawn.join("")));
      const wanted = selectedBy(engine.styled({ history: 0 }), factsOf(engine));
      const screen = new Screen(engine);
      expect(screen.selected()).toEqual(wanted);
      expect(screen.seenBy(eyes).selected()).toEqual(wanted);
      engine.dispose();
    }),
    { numRuns: depth(80, 300) },
  );
});
