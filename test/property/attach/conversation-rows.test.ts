// A conversation on a terminal: rows that fit, whatever is said, and the same rows however the events came.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConversationRows } from "../../../src/cli/conversation/conversation.ts";
import { wordWrapped } from "../../../src/cli/conversation/wrap.ts";
import { harmless, harmlessLine, inert } from "../../../src/cli/text/harmless.ts";
import { textWidth } from "../../../src/cli/text/width.ts";
import type { AgentEvent } from "../../../src/protocol/ops/agent.ts";

type Words<T> = T extends unknown ? Omit<T, "seq" | "ts"> : never;

/** Events in order; a chunk has the number of the event before it. */
function events(...all: Words<AgentEvent>[]): AgentEvent[] {
  let seq = 0;
  return all.map((event) => {
    if (event.type !== "chunk") seq += 1;
    return { ...event, seq, ts: 0 } as AgentEvent;
  });
}

function shown(all: readonly AgentEvent[], cols = 60): string[] {
  const conversation = new ConversationRows();
  for (const event of all) conversation.add(event);
  return conversation.rows(cols).map(({ text }) => text);
}

const call = (call_id: string, tool = "run_command") => ({ call_id, tool });
const step = (call_id: string, title: string) =>
  ({ type: "step", ...call(call_id), step: 1, kind: "terminal", title }) as const;
const seen = (call_id: string, ok: boolean, text: string, suggests: "terminal" | null = null) =>
  ({ type: "observation", ...call(call_id), ok, text, block_id: null, suggests }) as const;
const ask = (text: string) => ({ type: "prompt", actor: "person", agent: "built-in", text }) as const;

describe("a conversation", () => {
  it("a conversation shows prompts, words, steps and results in order", () => {
    const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n");
    expect(
      shown(
        events(
          ask("fix the failing test"),
          { type: "status", state: "thinking", note: null },
          { type: "message", text: "I will look at it first." },
          step("c1", "npm test"),
          seen("c1", false, `exit 1\n${lines}`),
          step("c2", "true"),
          seen("c2", true, "exit 0"),
          step("c3", "make"),
          { type: "trouble", message: "overloaded", hint: "wait", retry_in_ms: 1_500 },
          { type: "message", text: "Done:\n\n- one\n- two\n\n```js\nconst x = 1;\n```" },
          { type: "ended", outcome: "done", steps: 3, tokens: { input: 10, output: 2 } },
          { type: "exit", exit_code: 0, signal: null },
        ),
      ),
    ).toEqual([
      "> fix the failing test",
      "",
      "  I will look at it first.",
      "",
      "  ✗ run_command  npm test",
      "    │ exit 1",
      "    │ line 0",
      "    │ … 5 lines …",
      "    │ line 6",
      "    │ line 7",
      "    │ line 8",
      "    │ line 9",
      "    │ line 10",
      "    │ line 11",
      "  ✓ run_command  true",
      "    │ exit 0",
      "  → run_command  make",
      "✗ overloaded (tried again in 2 s)",
      "  wait",
      "",
      "  Done:",
      "",
      "  - one",
      "  - two",
      "",
      "  ```js",
      "  const x = 1;",
      "  ```",
      "",
      "  done after 3 steps, 10 tokens in, 2 out",
      "",
      "  shell ended: exit 0",
    ]);
  });

  it("a turn shows one plan, the newest", () => {
    const plan = (status: "pending" | "completed") =>
      ({
        type: "plan",
        plan: [
          { text: "read", status },
          { text: "write", status: "in_progress" },
        ],
      }) as const;
    expect(shown(events(ask("a"), plan("pending"), step("c1", "ls"), plan("completed")))).toEqual([
      "> a",
      "",
      "  → run_command  ls",
      "",
      "  [x] read",
      "  [>] write",
    ]);
    expect(shown(events(ask("a"), plan("pending"), ask("b"), plan("completed"))).join("\n")).toMatch(
      /\[ \][\s\S]*\[x\]/,
    );
  });

  it("words are shown while they come, then the whole message", () => {
    const chunk = (text: string, about: "message" | "thought" = "message") => ({ type: "chunk", about, text }) as const;
    const thinking = events(ask("a"), chunk("hm, ", "thought"), chunk("well", "thought"));
    expect(shown(thinking).at(-1)).toBe("  hm, well");
    const saying = events(ask("a"), chunk("hm", "thought"), chunk("All "), chunk("is"));
    expect(shown(saying)).toEqual(["> a", "", "  All is"]);
    const said = events(ask("a"), chunk("All "), { type: "message", text: "All is well." });
    expect(shown(said)).toEqual(["> a", "", "  All is well."]);
  });

  it("the conversation says when a question waits and when the terminal shows more", () => {
    const asked = events(ask("a"), step("c1", "rm x"), {
      type: "proposal",
      ...call("c1"),
      approval_id: "a_1",
      text: "rm x\n",
    });
    expect(shown(asked).at(-1)).toBe("! needs you: rm x");
    const opened = events(ask("a"), step("c1", "vim"), seen("c1", true, "", "terminal"));
    expect(shown(opened).at(-1)).toBe("  a full-screen program has the terminal: Ctrl+T to see it");
  });

  it("the conversation says why the agent waits, for as long as it does", () => {
    const status = (state: "paused" | "waiting" | "thinking", note: string | null) =>
      ({ type: "status", state, note }) as const;
    expect(shown(events(ask("a"), status("paused", "npm test"))).at(-1)).toBe("  paused: npm test");
    expect(shown(events(ask("a"), status("waiting", "you type"))).at(-1)).toBe("  waiting: you type");
    expect(shown(events(ask("a"), status("paused", null), status("thinking", null)))).toEqual(["> a"]);
  });

  it("the conversation is the same when events come twice", () => {
    const all = events(ask("a"), step("c1", "ls"), seen("c1", true, "x"), { type: "message", text: "ok" });
    const conversation = new ConversationRows();
    for (const event of [...all.slice(0, 2), ...all]) conversation.add(event);
    expect(conversation.rows(60).map(({ text }) => text)).toEqual(shown(all));
  });

  const nasty = fc.string({
    unit: fc.constantFrom("a", " ", "界", "\x1b[31m", "\n", "\u202e", "\x9b", "😀", "❤️", "e\u0301", "\t", "-", "\r"),
    maxLength: 80,
  });
  const said: fc.Arbitrary<Words<AgentEvent>> = fc.oneof(
    nasty.map(ask),
    nasty.map((text) => ({ type: "message", text }) as const),
    nasty.map((text) => ({ type: "chunk", about: "message", text }) as const),
    nasty.map((text) => step("c1", text)),
    nasty.map((text) => seen("c1", false, text, "terminal")),
    nasty.map((text) => ({ type: "plan", plan: [{ text, status: "pending" }] }) as const),
    nasty.map((text) => ({ type: "proposal", ...call("c1"), approval_id: "a_1", text }) as const),
    nasty.map((text) => ({ type: "trouble", message: text, hint: text, retry_in_ms: null }) as const),
    nasty.map((signal) => ({ type: "exit", exit_code: null, signal }) as const),
  );

  it("rows fit and are harmless for any text at any width, before and after a resize", () => {
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 15 }),
        fc.array(fc.integer({ min: 4, max: 90 }), { maxLength: 3 }),
        (all, widths) => {
          const conversation = new ConversationRows();
          for (const event of events(...all)) conversation.add(event);
          for (const cols of [...widths, 40]) {
            for (const { text } of conversation.rows(cols)) {
              expect(textWidth(text)).toBeLessThanOrEqual(cols);
              expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
            }
          }
          expect(conversation.rows(40)).toEqual(fresh(all).rows(40));
        },
      ),
      { numRuns: 200 },
    );
  });

  function fresh(all: readonly Words<AgentEvent>[]): ConversationRows {
    const conversation = new ConversationRows();
    for (const event of events(...all)) {
      conversation.add(event);
      conversation.rows(33);
    }
    return conversation;
  }
});

describe("wrapping", () => {
  it("wrapping breaks at words and loses none", () => {
    const words = fc.array(fc.constantFrom("a", "word", "界界", "é", "😀", "averyveryverylongword"), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 40 }), (all, cols) => {
        const rows = wordWrapped(all.join(" "), cols);
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(cols);
        expect(rows.join("").replaceAll(" ", "")).toBe(all.join(""));
        // A word that fits in a row is in one.
        for (const word of all) if (textWidth(word) <= cols) expect(rows.some((row) => row.includes(word))).toBe(true);
      }),
    );
  });

  it("a wrapped list item continues below its text", () => {
    expect(wordWrapped("  - one two three four five six", 24)).toEqual(["  - one two three four", "    five six"]);
  });
});

it("text is made harmless and stays readable", () => {
  expect(harmless("a\x1b[31mred\x1b[m\tb\r\nc\x1b]0;t\x07 ❤️ 👩‍👧\u00a0x\u202e")).toBe(
    "ared    b\nc␛]0;t␇ ❤ 👩👧 x⟦U+202E⟧",
  );
  expect(harmlessLine("a\nb\n")).toBe("a⏎b");
  expect(inert("a\tb\n\x1b[2J\x9b")).toBe("a\tb\n␛[2J⟦U+009B⟧");
});
