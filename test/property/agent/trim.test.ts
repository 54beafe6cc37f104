// Trimming a history: what is kept is exact, what is not says so, and no provider can reject what comes out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mend, named, openCalls } from "../../../src/core/agent/driver/calls.ts";
import { charsOf, newest, trim } from "../../../src/core/agent/driver/trim.ts";
import type { Entry } from "../../../src/core/agent/history.ts";
import { brokenCalls, call } from "../../fixtures/agent/ports.ts";

const person = (text: string): Entry => ({ role: "person", text });
const agent = (text: string, ...ids: string[]): Entry => ({
  role: "agent",
  text,
  calls: ids.map((id) => call(id, "run", { command: "ls" })),
});
const observed = (call_id: string, text: string, again: string | null = null): Entry => ({
  role: "observation",
  call_id,
  tool: "run",
  ok: true,
  text,
  again,
});

const text = fc.string({ maxLength: 400 });
/** One step: a prompt, or a reply with up to three calls and what came of them. */
const exchange = fc.oneof(
  { weight: 1, arbitrary: text.map((words) => () => [person(words)]) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(text, fc.array(fc.tuple(text, fc.option(fc.constant("read_block b_1"))), { maxLength: 3 }))
      .map(([words, observations]) => (n: number) => [
        agent(words, ...observations.map((_, i) => `c${n}_${i}`)),
        ...observations.map(([what, again], i) => observed(`c${n}_${i}`, what, again)),
      ]),
  },
);
const whole = fc
  .array(exchange, { minLength: 1, maxLength: 30 })
  .map((all) => [person("do it"), ...all.flatMap((make, n) => make(n))]);
/** Any entries in any order: what is left when lines of a file are lost. */
const torn = fc.array(
  fc.oneof(
    text.map(person),
    fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }).map((ids) => agent("", ...ids)),
    fc.tuple(fc.constantFrom("a", "b", "c"), text).map(([id, what]) => observed(id, what)),
  ),
  { maxLength: 20 },
);
const NOTE = /^\[cut: \d+ characters(; read it again with .+)?\]$/;
const LINE = /^\[(\d+) earlier steps? left out\]$/;

describe("trim", () => {
  test("every call keeps exactly one observation", () => {
    fc.assert(
      fc.property(fc.oneof(whole, torn), fc.integer({ min: 0, max: 5_000 }), (history, max) => {
        expect(brokenCalls(trim(history, max))).toEqual([]);
      }),
    );
  });

  test("a history that fits is unchanged; one that does not fits afterwards, or only its required part remains", () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 5_000 }), (history, max) => {
        const out = trim(history, max);
        if (charsOf(history) <= max) return void expect(out).toEqual(history);
        const lastAt = history.findLastIndex(({ role }) => role !== "observation");
        const prompt = history.findLast(({ role }) => role === "person");
        expect(out.slice(-(history.length - lastAt))).toEqual(history.slice(lastAt));
        expect(out).toContain(prompt);
        const must = [prompt, ...history.slice(lastAt)];
        if (charsOf(out) > max) expect(out.filter((one) => !must.includes(one) && !LINE.test(one.text))).toEqual([]);
      }),
    );
  });

  test("kept entries are exact and in order; a cut entry says how much is missing and how to read it", () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 5_000 }), (history, max) => {
        let at = -1;
        for (const entry of trim(history, max)) {
          if (entry.role === "person" && LINE.test(entry.text)) continue;
          const from = history.findIndex((other, i) => i > at && isSameOrCut(entry, other));
          expect([entry, from > at]).toEqual([entry, true]);
          at = from;
        }
      }),
    );
  });

  test("the stated number of omitted steps is correct", () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 2_000 }), (history, max) => {
        const out = trim(history, max);
        const lines = out.filter(({ role, text: words }) => role === "person" && LINE.test(words));
        expect(lines.length).toBeLessThanOrEqual(1);
        const steps = (all: readonly Entry[]) => all.filter(({ role }) => role !== "observation").length;
        const said = Number(LINE.exec(lines[0]?.text ?? "")?.[1] ?? 0);
        expect(steps(out) - lines.length + said).toBe(steps(history));
      }),
    );
  });

  test("trimming twice leaves one line that counts both omissions", () => {
    const limit = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(whole, whole, limit, limit, (earlier, later, kept, max) => {
        const out = trim([...newest(earlier, kept), ...later], max);
        const lines = out.flatMap(({ text: words }) => LINE.exec(words)?.[1] ?? []);
        expect(lines.length).toBeLessThanOrEqual(1);
        const steps = (all: readonly Entry[]) => all.filter(({ role }) => role !== "observation").length;
        expect(steps(out) - lines.length + Number(lines[0] ?? 0)).toBe(steps(earlier) + steps(later));
        expect(brokenCalls(out)).toEqual([]);
      }),
    );
  });

  test("kept exchanges are complete, and open calls stay open", () => {
    const open = [agent("", "x", "y"), observed("x", "so far")];
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 2_000 }), (history, max) => {
        const out = newest([...history, ...open], max);
        expect(out.slice(-2)).toEqual(open);
        expect(openCalls(out).map(({ id }) => id)).toEqual(["y"]);
        const exact = out.filter(({ text: words }) => !LINE.test(words));
        expect([...history, ...open].filter((entry) => exact.includes(entry))).toEqual(exact);
        const must = charsOf([...history.filter(({ role }) => role === "person").slice(-1), ...open]);
        expect(charsOf(out)).toBeLessThanOrEqual(Math.max(max, must + 40));
      }),
    );
  });

  test("the beginning stays the same for many steps, so that providers can cache it", () => {
    const history: Entry[] = [person("do it")];
    const beginnings = new Set<string>();
    for (let n = 0; n < 100; n += 1) {
      history.push(agent("", `c${n}`), observed(`c${n}`, "x".repeat(200), "read_block b_1"));
      if (n > 20) beginnings.add(JSON.stringify(trim(history, 2_000).slice(0, 4)));
    }
    expect(beginnings.size).toBeLessThan(50);
  });

  test("a long history is trimmed as in this example", () => {
    const history = [person("old"), agent("", "a"), observed("a", "x".repeat(300), "read_block b_1"), person("new")];
    expect(trim(history, 200)[2]).toEqual(
      observed("a", "[cut: 300 characters; read it again with read_block b_1]", "read_block b_1"),
    );
    expect(trim(history, 50)).toEqual([person("[2 earlier steps left out]"), person("new")]);
    const later = [agent("", "b"), observed("b", "y".repeat(90))];
    expect(trim([...history, ...later], 120)).toEqual([person("[2 earlier steps left out]"), person("new"), ...later]);
    const latest = [agent("", "c"), observed("c", "z".repeat(90))];
    expect(trim([...history, ...later, ...latest], 120)).toEqual([
      person("new"),
      person("[3 earlier steps left out]"),
      ...latest,
    ]);
  });
});

describe("calls", () => {
  test("repairing a complete history changes nothing", () => {
    fc.assert(fc.property(whole, (history) => void expect(mend(history)).toEqual(history)));
  });

  test("repairing twice equals repairing once", () => {
    fc.assert(fc.property(torn, (history) => void expect(mend(mend(history))).toEqual(mend(history))));
  });

  test("open calls are those of the newest reply without an observation, and none before a new prompt", () => {
    const history = [person("x"), agent("", "a", "b", "c"), observed("a", "")];
    expect(openCalls(history).map(({ id }) => id)).toEqual(["b", "c"]);
    expect(openCalls([...history, person("y")])).toEqual([]);
  });

  test("a name that is in use gets a number", () => {
    const calls = named([call("a", "t"), call("", "t"), call("", "t"), call("a", "t")], [agent("", "a", "a-2")]);
    expect(calls.map(({ id }) => id)).toEqual(["a-3", "call", "call-2", "a-4"]);
  });
});

function isSameOrCut(entry: Entry, other: Entry): boolean {
  if (entry === other) return true;
  if (entry.role !== "observation" || other.role !== "observation" || entry.call_id !== other.call_id) return false;
  return NOTE.test(entry.text) && entry.text.startsWith(`[cut: ${other.text.length} `) && entry.again === other.again;
}
