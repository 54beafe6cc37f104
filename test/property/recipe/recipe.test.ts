// What is offered after a restart of the machine, and what a recipe keeps: the rules alone.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endedUnwished } from "../../../src/core/recipe/ended.ts";
import { asksAlone, nameFor, placeFor } from "../../../src/core/recipe/offer.ts";
import { keptVariables } from "../../../src/core/recipe/recipe.ts";

const DOWN_AT = 1_000_000;

describe("a session ended without anybody's wish", () => {
  const ended = (
    state: "done" | "failed",
    after: number,
    more: { code?: number; signal?: string; closed?: true } = {},
  ) =>
    endedUnwished(
      {
        state,
        ended_at: DOWN_AT + after,
        exit_code: more.code ?? null,
        signal: more.signal ?? null,
        closed: () => more.closed ?? false,
      },
      [DOWN_AT],
    );
  test.each([
    ["killed by the holder as it ended", ended("failed", 5, { signal: "SIGHUP" }), true],
    ["its program left politely as the machine went down", ended("done", 300, { code: 0 }), true],
    ["its program was told before the holder was", ended("failed", -50, { signal: "SIGTERM" }), true],
    ["a shell told so by its exit code", ended("failed", -50, { code: 143 }), true],
    ["it ended by itself a moment before", ended("done", -50, { code: 0 }), false],
    ["it failed by itself a moment before", ended("failed", -50, { code: 1 }), false],
    ["somebody closed it", ended("done", 5, { signal: "SIGHUP", closed: true }), false],
    ["it was killed an hour before", ended("failed", -3_600_000, { signal: "SIGKILL" }), false],
    ["it was killed an hour later", ended("failed", 3_600_000, { signal: "SIGKILL" }), false],
  ])("%s", (_, offered, wanted) => expect(offered).toBe(wanted));

  test("one without a record of its end always; one that runs or waits for its start never", () => {
    const none = { ended_at: null, exit_code: null, signal: null, closed: () => false };
    expect(endedUnwished({ state: "lost", ...none }, [])).toBe(true);
    for (const state of ["pending", "running", "waiting_for_input"] as const)
      expect(endedUnwished({ state, ...none }, [DOWN_AT])).toBe(false);
  });
});

test("a folder that is gone becomes the nearest that exists, and only that is told", () => {
  const parts = fc.array(fc.stringMatching(/^[a-z ]{1,5}$/), { maxLength: 6 });
  fc.assert(
    fc.property(parts, fc.nat(6), (names, there) => {
      const path = (count: number) => `/${names.slice(0, count).join("/")}`;
      const kept = Math.min(there, names.length);
      const exists = (folder: string) => path(kept) === folder || path(kept).startsWith(`${folder}/`);
      const { cwd, note } = placeFor(path(names.length), exists);
      expect(cwd).toBe(path(kept));
      expect(note === null).toBe(kept === names.length);
    }),
  );
});

test("a name that is taken becomes one that is not", () => {
  expect(nameFor("web", new Set())).toEqual({ name: "web", note: null });
  expect(nameFor(null, new Set(["web"]))).toEqual({ name: null, note: null });
  expect(nameFor("web", new Set(["web", "web-2"]))).toMatchObject({ name: "web-3", note: expect.any(String) });
});

test("a variable is kept, or named as missing, and a secret is never kept", () => {
  const env = fc.dictionary(fc.string(), fc.option(fc.string({ maxLength: 20_000 }), { nil: null }));
  fc.assert(
    fc.property(env, (asked) => {
      const isSecret = (name: string) => name.length % 2 === 1;
      const kept = keptVariables(asked, isSecret);
      const names = [...Object.keys(kept.env), ...kept.env_missing];
      expect(names.sort()).toEqual(Object.keys(asked).sort());
      for (const [name, value] of Object.entries(kept.env)) expect(value === null || !isSecret(name)).toBe(true);
    }),
  );
});

test("who is asked about alone: an agent's, a risky one, one that would do its task again", () => {
  const own = { actor: "person", risk: null, isTasked: false };
  expect(asksAlone(own)).toBeNull();
  expect(asksAlone({ ...own, actor: "agent:x" })).toContain("agent:x");
  expect(asksAlone({ ...own, risk: "curl fetches" })).toBe("its command is risky: curl fetches");
  expect(asksAlone({ ...own, isTasked: true })).toContain("again");
});
