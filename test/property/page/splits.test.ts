// How sessions share the page: laws of the layout under any sequence of changes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentenceOf } from "../../../web/splits/broadcast.ts";
import {
  besides,
  dividerNear,
  dividersOf,
  dropped,
  HALVES_MAX,
  leavesOf,
  neighbour,
  readTree,
  rectsOf,
  replaced,
  type Side,
  shared,
  swapped,
  type Tree,
  without,
} from "../../../web/splits/tree.ts";

const side = fc.constantFrom<Side>("left", "right", "up", "down");
const id = fc.constantFrom("s_0", "s_1", "s_2", "s_3", "s_4", "s_5", "s_6", "s_7");
const change = fc.oneof(
  fc.record({ what: fc.constant("besides" as const), at: id, other: id, side }),
  fc.record({ what: fc.constant("without" as const), at: id, other: id, side }),
  fc.record({ what: fc.constant("replaced" as const), at: id, other: id, side }),
  fc.record({ what: fc.constant("swapped" as const), at: id, other: id, side }),
  fc.record({ what: fc.constant("dropped" as const), at: id, other: id, side: fc.oneof(side, fc.constant("centre")) }),
  fc.record({ what: fc.constant("shared" as const), at: id, other: id, side, share: fc.double({ noNaN: true }) }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function apply(tree: Tree, one: Change): Tree {
  const where = one.side as Side;
  if (one.what === "besides") return besides(tree, one.at, where, one.other);
  if (one.what === "without") return without(tree, one.at) ?? tree;
  if (one.what === "replaced") return replaced(tree, one.at, one.other);
  if (one.what === "dropped") return dropped(tree, one.other, one.at, where);
  if (one.what === "shared") return shared(tree, dividerNear(tree, one.at, where)?.path ?? "", one.share);
  const all = leavesOf(tree);
  return all.includes(one.at) && all.includes(one.other) ? swapped(tree, one.at, one.other) : tree;
}

const layouts = fc.array(change, { maxLength: 40 }).map((all) => all.reduce<Tree>(apply, "s_0"));

describe("sessions that share the page", () => {
  test("each is there once, all of the room is given away, and nothing twice", () => {
    fc.assert(
      fc.property(layouts, (tree) => {
        const all = leavesOf(tree);
        expect(new Set(all).size).toBe(all.length);
        expect(all.length).toBeLessThanOrEqual(HALVES_MAX);
        expect(dividersOf(tree).length).toBe(all.length - 1);
        const rects = [...rectsOf(tree).values()];
        expect(rects.reduce((sum, { w, h }) => sum + w * h, 0)).toBeCloseTo(1);
        for (const [i, a] of rects.entries())
          for (const b of rects.slice(i + 1)) {
            const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
            const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
            expect(Math.min(w, h)).toBeLessThan(1e-9);
          }
      }),
    );
  });

  test("what is kept is read back the same; anything else is no layout", () => {
    fc.assert(
      fc.property(layouts, (tree) => {
        expect(readTree(JSON.parse(JSON.stringify(tree)))).toEqual(tree);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (kept) => {
        const tree = readTree(kept);
        if (tree !== undefined) expect(rectsOf(tree).size).toBeLessThanOrEqual(HALVES_MAX);
      }),
    );
    const half = { dir: "row", share: 0.5, first: "s_0", second: "s_1" };
    for (const bad of [
      { ...half, second: "s_0" },
      { ...half, share: 0 },
      { ...half, dir: "x" },
      { ...half, first: "<b>" },
    ])
      expect(readTree(bad)).toBeUndefined();
  });

  test("the keyboard reaches every half from every other, and comes back between two", () => {
    fc.assert(
      fc.property(layouts, (tree) => {
        const reached = new Set<string>(leavesOf(tree).slice(0, 1));
        for (const from of reached)
          for (const to of ["left", "right", "up", "down"] as const) {
            const next = neighbour(tree, from, to);
            if (next !== undefined) reached.add(next);
          }
        expect(reached.size).toBe(leavesOf(tree).length);
      }),
    );
    const two = besides("s_0", "s_0", "right", "s_1");
    expect([neighbour(two, "s_0", "right"), neighbour(two, "s_1", "left")]).toEqual(["s_1", "s_0"]);
    expect([neighbour(two, "s_0", "left"), neighbour(two, "s_0", "up")]).toEqual([undefined, undefined]);
  });

  test("one sentence says what came of a line in several sessions", () => {
    const outcomes = [
      { label: "a", word: undefined },
      { label: "b", word: "exit 2" },
      { label: "c", word: undefined },
    ];
    expect(sentenceOf("make", outcomes)).toBe("make in 3 sessions: 2 ended well; b: exit 2");
  });
});
