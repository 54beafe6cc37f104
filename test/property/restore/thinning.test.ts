// Whatever a row of restore points holds, thinning it out loses no content of any file.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry, TreeChange } from "../../../src/core/restore/state.ts";
import { spare } from "../../../src/core/restore/thin.ts";

type Files = Readonly<Record<string, string>>;

const content = fc.constantFrom("1", "2", "3", "4");
/** Few names and contents, so that files come, go, change and come back. */
const files: fc.Arbitrary<Files> = fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), content, {
  noNullPrototype: true,
});

function step(from: Files, to: Files): TreeChange[] {
  const entry = (of: Files, path: string): Entry | null =>
    Object.hasOwn(of, path) ? { mode: "100644", oid: of[path] ?? "" } : null;
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((path) => ({ path, before: entry(from, path), after: entry(to, path) }))
    .filter(({ before, after }) => before?.oid !== after?.oid);
}

const contents = (states: readonly Files[]) =>
  [...new Set(states.flatMap((state) => Object.entries(state).map(([path, text]) => `${path}=${text}`)))].sort();

const stepsOf = (states: readonly Files[]) => states.slice(1).map((to, i) => step(states[i] ?? {}, to));

describe("thinning out restore points", () => {
  it("loses no content and keeps both ends", () => {
    fc.assert(
      fc.property(fc.array(files, { minLength: 1, maxLength: 12 }), (states) => {
        const goes = spare(stepsOf(states));
        const left = states.filter((_, i) => !goes.includes(i));
        expect(contents(left)).toEqual(contents(states));
        expect([left[0], left.at(-1)]).toEqual([states[0], states.at(-1)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes every point out of a row in which files only came", () => {
    const states = Array.from({ length: 50 }, (_, i) =>
      Object.fromEntries(Array.from({ length: i }, (_, n) => [`f${n}`, "1"])),
    );
    expect(spare(stepsOf(states))).toHaveLength(48);
  });
});
