// Whatever a tool answers, it fits the budget, says what was cut, and cuts between characters.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RESULT_CHARS_MAX } from "../../../src/mcp/budget.ts";
import { resultOf } from "../../../src/mcp/results.ts";

/** A longer text repeats a random one: drawing hundreds of thousands of characters takes longer than the code under test. */
const DRAWN_CHARS_MAX = 200;
const text = (max: number) =>
  fc
    .tuple(fc.string({ unit: "grapheme", maxLength: Math.min(max, DRAWN_CHARS_MAX), size: "max" }), fc.nat(max))
    .map(([drawn, chars]) => (chars <= drawn.length ? drawn : drawn.repeat(Math.floor(chars / (drawn.length || 1)))));
/** Up to `max` items, which repeat a few drawn ones in their order. */
const many = <Item>(item: fc.Arbitrary<Item>, max: number) =>
  fc
    .tuple(fc.array(item, { minLength: 1, maxLength: 20, size: "max" }), fc.nat(max))
    .map(([drawn, count]) => Array.from({ length: count }, (_, n) => drawn[n % drawn.length] as Item));
const line = fc.oneof(text(200), fc.constant(""), fc.constant("漢".repeat(300)), fc.constant("👩‍🚀".repeat(100)));
const count = fc.integer({ min: 0, max: 1_000_000 });

const screen = fc.record({
  session_id: fc.constant("s_aaaaaaaa"),
  seq: count,
  hash: fc.constant("0123456789ab"),
  cols: fc.integer({ min: 2, max: 1_000 }),
  rows_count: fc.constant(1_000),
  rows: many(line, 1_000),
  cursor: fc.constant({ row: 0, col: 0, visible: true }),
  title: text(100),
  alt_screen: fc.boolean(),
  mouse: fc.constant("none"),
  bracketed_paste: fc.boolean(),
  echo: fc.constantFrom("on", "off", "raw"),
  foreground: fc.constant(null),
  state: fc.constant("running"),
  hold: fc.constant("nobody"),
  scrollback: many(line, 2_000),
  scrollback_total: count,
  cursor_bytes: count,
  ts: count,
});
const kept = fc.record({ head: text(60_000), tail: text(60_000), omitted_bytes: count });
const run = fc.record({
  status: fc.constantFrom("done", "running", "waiting_for_input"),
  exit_code: fc.constantFrom(0, 1, null),
  session_id: fc.constant("s_aaaaaaaa"),
  block_id: fc.constant("b_aaaaaaaa_1"),
  run_id: fc.constant("r_a"),
  mode: fc.constant("pty"),
  command: text(20_000),
  cwd: fc.constant("/"),
  output: kept,
  stderr: kept,
  duration_ms: count,
  cursor: count,
  waiting: fc.constant(null),
});
const session = fc.record({
  session_id: fc.constant("s_aaaaaaaa"),
  name: fc.oneof(text(100), fc.constant(null)),
  state: fc.constant("running"),
  command: fc.array(text(500), { minLength: 1, maxLength: 3 }),
  cwd: text(300),
  cols: fc.constant(80),
  rows: fc.constant(24),
  hold: fc.constant("person"),
  exit_code: fc.constant(null),
  policy: fc.constant({ level: "ask_first", agent_levels: {}, edit_folder: null }),
});
const block = fc.record({
  block_id: fc.constant("b_aaaaaaaa_1"),
  cmd: text(5_000),
  actor: fc.constant("person"),
  exit_code: fc.constantFrom(0, 1, null),
  duration_ms: count,
  state: fc.constant("done"),
  cursor_begin: fc.constant(0),
  cursor_end: fc.constant(1_000_000),
});
const delta = fc.record({
  type: fc.constant("screen_delta"),
  seq: count,
  rows: many(fc.record({ row: count, text: line }), 300),
  cursor: fc.constant({ row: 0, col: 0, visible: true }),
  title: text(50),
  alt_screen: fc.boolean(),
  ts: count,
});
const bytes = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 300, size: "max" }), fc.nat(200_000))
  .map(([drawn, length]) => Buffer.alloc(length, Buffer.from(drawn)).toString("base64"));

const ANSWERS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  pty_read_screen: screen,
  pty_wait: fc.record({
    outcome: fc.constant("deadline"),
    matched: fc.constant(null),
    matched_at_entry: fc.boolean(),
    screen,
    cursor: count,
  }),
  run_command: run,
  pty_list: fc.record({ sessions: many(session, 200) }),
  blocks: fc.record({
    session_id: fc.constant("s_aaaaaaaa"),
    integration: fc.constant("bash"),
    blocks: many(block, 300),
    total: count,
  }),
  block: fc.record({
    block,
    format: fc.constant("text"),
    from_line: count,
    lines_total: count,
    content: text(300_000),
  }),
  pty_read_screen_deltas: fc.record({
    session_id: fc.constant("s_aaaaaaaa"),
    deltas: fc.array(delta, { maxLength: 3 }),
    cursor: count,
    resume_cursor: count,
    file_size: count,
  }),
};

describe.each(Object.keys(ANSWERS))("%s", (tool) => {
  test("an answer fits, and says so when it was cut", () => {
    const law = fc.property(ANSWERS[tool] ?? fc.object(), (answer) => {
      const whole = JSON.stringify(answer).length;
      const { content, structuredContent } = resultOf(tool, answer, "program");
      const data = structuredContent as Record<string, unknown>;
      const [first] = content;
      const said = first?.type === "text" ? first.text : "";
      expect(said.length + JSON.stringify(data).length).toBeLessThanOrEqual(RESULT_CHARS_MAX);
      // Half a character would not survive the way over the wire.
      expect(said).not.toMatch(/\p{Surrogate}/u);
      expect(JSON.stringify(data)).not.toMatch(/\\ud[89a-f]/i);
      const cuts = (data.cut ?? []) as { what: string; kept: number; total: number }[];
      if (whole * 2 < RESULT_CHARS_MAX / 2) expect(cuts).toEqual([]);
      if (whole > RESULT_CHARS_MAX) expect(cuts.length).toBeGreaterThan(0);
      for (const { what, kept, total } of cuts) {
        expect(kept).toBeLessThan(total);
        expect(said).toContain(`${what} ${kept} of ${total}`);
      }
    });
    fc.assert(law, { numRuns: 15 });
  });
});

test("the kept and omitted parts of a run add up", () => {
  const law = fc.property(run, (answer) => {
    const { structuredContent } = resultOf("run_command", answer, "program");
    const { output } = structuredContent as unknown as typeof answer;
    const size = (one: typeof output) => Buffer.byteLength(one.head) + Buffer.byteLength(one.tail) + one.omitted_bytes;
    expect(size(output)).toBe(size(answer.output));
    expect(answer.output.head.startsWith(output.head)).toBe(true);
    expect(answer.output.tail.endsWith(output.tail)).toBe(true);
  });
  fc.assert(law, { numRuns: 15 });
});

test("cut raw bytes continue exactly where they end", () => {
  const law = fc.property(bytes, (base64) => {
    const length = Buffer.byteLength(base64, "base64");
    const { structuredContent } = resultOf(
      "pty_read_raw",
      {
        session_id: "s_aaaaaaaa",
        from: 7,
        next: 7 + length,
        total: 7 + length,
        base64,
      },
      "program",
    );
    const { next, base64: shown } = structuredContent as unknown as { next: number; base64: string };
    const got = Buffer.from(shown, "base64");
    expect(next).toBe(7 + got.length);
    expect(Buffer.from(base64, "base64").subarray(0, got.length).equals(got)).toBe(true);
  });
  fc.assert(law, { numRuns: 15 });
});

test("cut rows are still numbered", () => {
  // Every row is different, so that a row under another row's number is noticed.
  const numbered = screen.map((answer) => ({ ...answer, rows: answer.rows.map((row, n) => `${n} ${row}`) }));
  const law = fc.property(numbered, (answer) => {
    const { structuredContent } = resultOf("pty_read_screen", answer, "program");
    const { rows, first_row = 0 } = structuredContent as unknown as { rows: string[]; first_row?: number };
    const same = answer.rows.slice(first_row, first_row + rows.length);
    expect(rows.filter((row, at) => !same[at]?.startsWith(row))).toEqual([]);
  });
  fc.assert(law, { numRuns: 15 });
});
