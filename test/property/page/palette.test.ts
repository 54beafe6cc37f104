// The palette's ranking: what is found is there, and better kinds of matches always come first.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitOf } from "../../../src/protocol/plain/fuzzy.ts";
import { type Entry, rank, rest, SHOWN_MAX } from "../../../web/palette/ranking.ts";

const entry = (title: string, more: Partial<Entry> = {}): Entry => ({ id: title, title, group: "View", ...more });
const titles = (entries: readonly Entry[], query: string, recent: readonly string[] = []) =>
  rank(entries, query, recent).map((found) => found.entry.title);

describe("the palette's ranking", () => {
  test.each([
    ["set", ["Settings…", "Font settings", "Reset it all"]],
    ["nt", ["Run npm test", "Count"]],
    ["run test", ["Run the tests", "Test, then run"]],
    ["npm test", ["npm test", "Jump to npm test", "mynpm testing"]],
  ])("%s: the beginning, then beginnings of words, then inside", (query, sorted) => {
    expect(
      titles(
        [...sorted].reverse().map((title) => entry(title)),
        query,
      ),
    ).toEqual(sorted);
  });

  test("weak matches are left out when there are better ones", () => {
    const good = ["Test a", "Test b", "Test c"].map((title) => entry(title));
    expect(titles([...good, entry("Cat and the hare")], "te")).toHaveLength(3);
    expect(titles([entry("Hide the agent")], "htg")).toHaveLength(1);
  });

  test("other words and the group match after the title", () => {
    const entries = [entry("Preferences", { words: "options settings" }), entry("Settings")];
    expect(titles(entries, "settings")).toEqual(["Settings", "Preferences"]);
  });

  test("recently used actions come first among equals", () => {
    const entries = [entry("Theme a"), entry("Theme b"), entry("Theme c")];
    expect(titles(entries, "theme", ["Theme c", "Theme b"])).toEqual(["Theme c", "Theme b", "Theme a"]);
    expect(rest(entries, ["Theme b", "gone"]).map((found) => found.entry.title)).toEqual([
      "Theme b",
      "Theme a",
      "Theme c",
    ]);
  });

  test("highlighted letters are the query's, in the title", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 40 }), (query, title) => {
        const found = fitOf(query, title);
        if (!found) return;
        const letters = new Set(query.toLowerCase());
        for (const at of found.at) expect(letters.has(title.charAt(at).toLowerCase()) || /\s/.test(query)).toBe(true);
        expect(new Set(found.at).size).toBe(found.at.length);
      }),
    );
  });

  test("a prefix match comes first for any titles", () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() === text);
    fc.assert(
      fc.property(word, fc.array(fc.string({ maxLength: 30 }), { maxLength: 30 }), (query, others) => {
        const mine = entry(query, { id: "mine" });
        const all = [...others.map((title, i) => entry(`x${title}`, { id: String(i) })), mine];
        const found = rank(all, query, []);
        expect(found.length).toBeLessThanOrEqual(SHOWN_MAX);
        expect(found[0]?.entry.title.toLowerCase().startsWith(query.toLowerCase())).toBe(true);
      }),
    );
  });
});
