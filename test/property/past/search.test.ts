// A search finds, newest first, exactly what reading all lines from the first one finds: whatever was printed, wherever pieces
// begin, in however many calls, and with a cache that is old, damaged or gone.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { Plain } from "../../../src/core/journal/plain.ts";
import type { SessionFiles } from "../../../src/core/journal/store.ts";
import { type SearchPlace, search } from "../../../src/core/past/search.ts";
import { SearchPieces } from "../../../src/core/past/search-pieces.ts";
import { nodeClock } from "../../../src/host/clock.ts";
import { MemoryStore } from "../../fixtures/fakes/memory-store.ts";

/** Longer than any line here: a line that is longer than two pieces is cut, and what crosses the cut is not found. */
const PIECE_BYTES = 256;
const ID = "s_aaaaaaaa";
const PARTS = [
  "needle",
  "need",
  "le",
  " ",
  "\t",
  "ä",
  "k\u212a",
  "\r\n",
  "\n",
  "\r",
  "\n",
  "\b",
  "\x1b[31m",
  "\x1b[2A",
  "\x07",
  "\u0085",
];
const line = fc.array(fc.constantFrom(...PARTS, "one more word", "x".repeat(40)), { maxLength: 5 });
const printed = fc.array(line, { maxLength: 60 }).map((lines) => lines.map((parts) => `${parts.join("")}\r\n`));
const queries = fc.constantFrom("needle", "e", "need le", "ä", "word\tone", "NEEDLE", "needlek", "x".repeat(60));

/** Line and column of each match, the newest first, by reading everything. */
function byReading(text: string, query: string, letters: "sensitive" | "insensitive"): string[] {
  const found: string[] = [];
  const plain = new Plain({ cursor: 0, line: 0 }, ({ text: line, line: number }) => {
    const same = letters === "sensitive" ? line.includes(query) : new RegExp(query, "iu").test(line);
    if (same) found.push(`${number} ${line}`);
  });
  plain.push(Buffer.from(text));
  plain.end();
  return found.reverse();
}

async function bySearching(files: SessionFiles, query: string, letters: "sensitive" | "insensitive", limit: number) {
  const found: string[] = [];
  for (let after: SearchPlace | undefined; ; ) {
    const session = { id: ID, files, pieces: new SearchPieces(files, PIECE_BYTES) };
    const answer = await search([session], nodeClock, { query, regex: false, case: letters, limit, after });
    if (isFault(answer)) throw new Error(answer.message);
    expect(answer.matches.length).toBeLessThanOrEqual(limit);
    found.push(...answer.matches.map(({ line, text }) => `${line} ${text}`));
    if (!answer.next) return found;
    after = answer.next;
  }
}

function journal(text: string) {
  const store = new MemoryStore();
  store.files(ID, "holder").appendOutput(Buffer.from(text));
  return { store, files: store.files(ID, "daemon") };
}

it("any text is found, the newest first, in any number of calls", async () => {
  const letters = fc.constantFrom("sensitive" as const, "insensitive" as const);
  await fc.assert(
    fc.asyncProperty(printed, queries, letters, fc.integer({ min: 1, max: 5 }), async (lines, query, which, limit) => {
      const text = lines.join("");
      const { files } = journal(text);
      const wanted = byReading(text, query, which).map((line) => line.replaceAll("\u0085", ""));
      expect(await bySearching(files, query, which, limit)).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});

it("what was printed since, and lines of the cache that were lost or damaged, change nothing", async () => {
  const lines = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 30, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(lines, lines, fc.integer({ min: 0, max: 30 }), async (first, second, bad) => {
      const text = (numbers: number[]) => numbers.map((n, i) => `line ${i} says number${n}\r\n`).join("");
      const { store, files } = journal(text(first));
      await bySearching(files, "number3", "sensitive", 100);
      store.files(ID, "holder").appendOutput(Buffer.from(text(second)));
      const kept = files.readLines("pieces");
      const damaged: SessionFiles = {
        ...files,
        readBits: (_, into) => into.fill(0).length,
        readLines: (file) => (file === "pieces" ? kept.map((line, i) => (i === bad ? { from: 1 } : line)) : []),
      };
      const wanted = byReading(text(first) + text(second), "number3", "sensitive");
      for (const one of [files, damaged]) expect(await bySearching(one, "number3", "sensitive", 7)).toEqual(wanted);
    }),
    { numRuns: 30 },
  );
});
