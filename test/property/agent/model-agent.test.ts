// The agent over a model: one question per step, queued calls without any, and nothing that a provider would reject.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelAgent } from "../../../src/core/agent/driver/model-agent.ts";
import type { Entry } from "../../../src/core/agent/history.ts";
import { CALLS_PER_STEP_MAX } from "../../../src/core/agent/limits.ts";
import { Cancel } from "../../../src/core/base/cancellation.ts";
import {
  brokenCalls,
  call,
  type Reply,
  ScriptedModel,
  says,
  seen,
  toolOf,
  trouble,
} from "../../fixtures/agent/ports.ts";

const TOOLS = [toolOf("run", "terminal", async () => seen("")), toolOf("read", "internal", async () => seen(""))];
const START: Entry[] = [{ role: "person", text: "do it" }];

function agentOf(...replies: Reply[]) {
  const model = new ScriptedModel(...replies);
  const agent = new ModelAgent({ model, tools: TOOLS, system: "You work in a terminal.", history_chars: 2_000 });
  const partials: string[] = [];
  const step = (history: readonly Entry[]) => agent.step(history, new Cancel(), (text) => partials.push(text));
  return { model, step, partials };
}

test("text alone is a message; it streams and its tokens are counted", async () => {
  const { step, partials, model } = agentOf(says("hello"));
  expect(await step(START)).toEqual({
    step: { message: "hello" },
    said: { role: "agent", text: "hello", calls: [] },
    tokens: { input: 10, output: 1 },
  });
  expect(partials).toEqual(["hello"]);
  expect(model.asked[0]).toEqual({
    system: "You work in a terminal.",
    history: START,
    tools: TOOLS.map(({ name, description, schema }) => ({ name, description, schema })),
  });
});

test("several calls of one reply come one after the other; the model is asked once", async () => {
  const { step, model } = agentOf(says("look", call("1", "run", { command: "ls" }), call("2", "read")));
  const first = await step(START);
  expect(first.step).toEqual({ action: { call_id: "1", tool: "run", args: { command: "ls" }, kind: "terminal" } });
  const history = [...START, ...(first.said ? [first.said] : [])];
  const observed = (call_id: string): Entry => ({
    role: "observation",
    call_id,
    tool: "run",
    ok: true,
    text: "",
    again: null,
  });
  const second = await step([...history, observed("1")]);
  expect(second).toEqual({
    step: { action: { call_id: "2", tool: "read", args: {}, kind: "internal" } },
    said: null,
    tokens: null,
  });
  expect(model.asked).toHaveLength(1);
  await step([...history, observed("1"), observed("2")]);
  expect(model.asked).toHaveLength(2);
});

test("an unknown tool is an internal action that the driver answers", async () => {
  expect((await agentOf(says("", call("1", "fly"))).step(START)).step).toMatchObject({
    action: { tool: "fly", kind: "internal" },
  });
});

test("an empty reply is tried once more and is not shown", async () => {
  const { step } = agentOf(says(" \n"));
  expect(await step(START)).toMatchObject({
    step: { error: { code: "invalid", retry: { after_ms: null } } },
    said: null,
    tokens: { input: 10 },
  });
});

test("an error of the model is the step's error", async () => {
  expect(await agentOf(trouble()).step(START)).toEqual({ step: trouble(), said: null, tokens: null });
});

test("calls beyond the limit are cut, and the model is told", async () => {
  const many = Array.from({ length: CALLS_PER_STEP_MAX + 3 }, (_, i) => call(`c${i}`, "read"));
  const { said } = await agentOf(says("all at once", ...many)).step(START);
  expect(said?.calls).toHaveLength(CALLS_PER_STEP_MAX);
  expect(said?.text).toBe(`all at once\n[3 more calls left out: at most ${CALLS_PER_STEP_MAX} at once]`);
});

test("the history stays valid for providers, whatever a model replies", async () => {
  const replies = fc.array(
    fc.oneof(
      fc.constant(trouble()),
      fc
        .tuple(
          fc.string({ maxLength: 300 }),
          fc.array(fc.tuple(fc.constantFrom("", "call_0", "call_1"), fc.constantFrom("run", "read", "fly")), {
            maxLength: 20,
          }),
        )
        .map(([text, calls]) => says(text, ...calls.map(([id, tool]) => call(id, tool)))),
    ),
    { minLength: 1, maxLength: 15 },
  );
  await fc.assert(
    fc.asyncProperty(replies, async (all) => {
      const { model, step } = agentOf(...all);
      const history: Entry[] = [...START];
      for (let n = 0; n < 60 && model.asked.length < all.length; n += 1) {
        const { step: next, said } = await step(history);
        if (said) history.push(said);
        if ("message" in next) history.push({ role: "person", text: "go on" });
        if (!("action" in next)) continue;
        const { call_id, tool } = next.action;
        history.push({ role: "observation", call_id, tool, ok: true, text: "x".repeat(100), again: null });
      }
      const ids = history.flatMap((entry) => (entry.role === "agent" ? entry.calls.map(({ id }) => id) : []));
      expect(new Set(ids).size).toBe(ids.length);
      for (const ask of model.asked) expect(brokenCalls(ask.history)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
