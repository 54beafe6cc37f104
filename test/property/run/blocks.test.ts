// Marks are found at exact cursors however the output is cut, only those of this session's shell count, each once, and
// the same journal always gives the same blocks.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "../../../src/core/block/block.ts";
import { Blocks } from "../../../src/core/block/blocks.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";
import { MemoryStore } from "../../fixtures/fakes/memory-store.ts";

const NONCE = "k3v9x2aqk3v9x2aq";
const ID = "s_00000001";

interface Command {
  readonly text: string;
  readonly output: string;
  readonly exit: number;
}

/** What a program may print: text, escapes, and marks that are not ours. */
const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "\x1b]133;A\x07",
    "\x1b]133;D;0\x07",
    "\x1b]133;C;duetty=0000000000000000:1\x07",
    `\x1b]133;D;0;duetty=${NONCE}\x07`,
    `\x1b]133;D;0;duetty=${NONCE}:0\x07`,
    "\x1b[31mred\x1b[m",
    "\x1b]0;title\x1b\\",
    "\x1b",
    "\x1b]",
    "\x1b]133;",
    "\x1b[?25l",
    "a?]b",
    "\u001b]633;E;rm -rf /;duetty=x:9\u0007",
  ),
);
const command: fc.Arbitrary<Command> = fc.record({
  text: fc.string({ maxLength: 20 }),
  output: fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("")),
  exit: fc.integer({ min: 0, max: 255 }),
});

const key = (n: number) => `duetty=${NONCE}:${n}`;
const escaped = (text: string) =>
  text.replace(/[\\;\x00-\x1f\x7f]/g, (c) =>
    c === "\\" ? "\\\\" : `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );

/** The stream a shell makes of commands, and the blocks that must come of it. */
function stream(commands: readonly Command[]): { bytes: Uint8Array; expected: Partial<Block>[] } {
  const parts: Buffer[] = [];
  let cursor = 0;
  const say = (text: string) => {
    const bytes = Buffer.from(text);
    parts.push(bytes);
    cursor += bytes.length;
  };
  const expected = commands.map(({ text, output, exit }, i) => {
    const n = i + 1;
    say(`\x1b]633;P;Cwd=/home;${key(n)}\x07\x1b]133;A;${key(n)}\x07$ \x1b]133;B;${key(n)}\x07${text}\r\n`);
    say(`\x1b]633;E;${escaped(text)};${key(n)}\x07\x1b]133;C;${key(n)};t=17000000${10 + n}.5\x07`);
    const cursor_begin = cursor;
    // A sequence that the program leaves open is closed by the next one's ESC.
    say(output);
    const cursor_end = cursor;
    say(`\x1b]133;D;${exit};${key(n)};t=17000000${11 + n}.25\x07`);
    const state = exit === 0 ? ("done" as const) : ("failed" as const);
    return { cmd: text, cwd: "/home", exit_code: exit, cursor_begin, cursor_end, state, duration_ms: 750 };
  });
  return { bytes: Buffer.concat(parts), expected };
}

function world(bytes: Uint8Array) {
  const store = new MemoryStore();
  const holder = store.files(ID, "holder");
  holder.appendOutput(bytes);
  const files = store.files(ID, "daemon");
  const reports: string[] = [];
  const make = () =>
    new Blocks(
      {
        session_id: ID,
        own: { nonce: NONCE, shell: "bash" },
        nested: [],
        files,
        clock: new FakeClock(),
        created_at: 0,
        beginning: (_, __, cmd) => ({ actor: "person", cmd }),
      },
      {
        began: (block) => reports.push(`begin ${block.block_id}`),
        ended: (block) => reports.push(`end ${block.block_id}`),
        prompted: () => undefined,
        hello: () => undefined,
        answered: () => undefined,
        typedAhead: () => undefined,
      },
    );
  return { files, make, reports };
}

test("blocks are the same for any pieces, at exact cursors; foreign marks do not count", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 20 }), (commands, cuts) => {
      const { bytes, expected } = stream(commands);
      const { make } = world(new Uint8Array(0));
      const blocks = make();
      const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      let from = 0;
      for (const to of [...at, bytes.length]) {
        blocks.scan(bytes.subarray(from, to), from);
        // Read again, as a rebuild of the screen does: changes nothing.
        if (from > 0) blocks.scan(bytes.subarray(from - 1, to), from - 1);
        from = to;
      }
      expect(blocks.list()).toMatchObject(expected);
      expect(blocks.list()).toHaveLength(expected.length);
    }),
  );
});

test("blocks are the same when every byte comes by itself", () => {
  const { bytes, expected } = stream([
    { text: "ls; echo 'a\\b'", output: "x\x1b]133;D;1\x07y", exit: 3 },
    { text: "", output: "", exit: 0 },
  ]);
  const blocks = world(new Uint8Array(0)).make();
  for (let i = 0; i < bytes.length; i += 1) blocks.scan(bytes.subarray(i, i + 1), i);
  expect(blocks.list()).toMatchObject(expected);
});

test("a recording of this session printed in it makes and ends no block", () => {
  const { bytes } = stream([
    { text: "one", output: "1\r\n", exit: 0 },
    { text: "two", output: "2\r\n", exit: 1 },
  ]);
  const recorded = Buffer.from(bytes).toString();
  const { bytes: again, expected } = stream([
    { text: "one", output: "1\r\n", exit: 0 },
    { text: "two", output: "2\r\n", exit: 1 },
    { text: "cat output.raw", output: recorded, exit: 0 },
  ]);
  const blocks = world(new Uint8Array(0)).make();
  blocks.scan(again, 0);
  expect(blocks.list()).toMatchObject(expected);
  expect(blocks.list()).toHaveLength(3);
});

test("blocks rebuilt from the journal are the same, and nothing is told twice", async () => {
  const { bytes, expected } = stream(
    Array.from({ length: 20 }, (_, i) => ({ text: `c${i}`, output: `${i}\r\n`.repeat(i), exit: i })),
  );
  const { files, make, reports } = world(bytes);
  const first = make();
  await first.catchUp(bytes.length);
  const lines = files.readLines("blocks");
  expect(lines).toMatchObject(expected);
  const half = Math.floor(bytes.length / 2);
  const cold = world(bytes);
  const second = cold.make();
  await second.catchUp(half);
  const third = cold.make();
  await third.catchUp(bytes.length);
  expect(cold.files.readLines("blocks")).toEqual(lines);
  expect(third.list()).toEqual(first.list());
  expect(reports).toEqual([]);
});

test("a running block ends with its session; in a lost session it is lost", () => {
  const { bytes } = stream([{ text: "exit 5", output: "bye", exit: 0 }]);
  const running = bytes.subarray(0, Buffer.from(bytes).lastIndexOf("\x1b]133;D"));
  for (const end of [{ exit_code: 5, ts: 1_700_000_012_000, cursor: running.length }, null]) {
    const blocks = world(new Uint8Array(0)).make();
    blocks.scan(running, 0);
    expect(blocks.phase).toBe("running");
    blocks.finish(end);
    expect(blocks.last).toMatchObject(end ? { exit_code: 5, state: "failed" } : { exit_code: null, state: "lost" });
    expect(blocks.last?.cursor_end).toBe(running.length);
  }
});

test("a full-screen program is noticed wherever its sequence stands", () => {
  for (const [sequence, used] of [
    ["\x1b[?1049h", true],
    ["\x1b[?47h", true],
    ["\x1b[?25;1047h", true],
    ["\x1b[?1049l", false],
    ["\x1b[?10490h", false],
    ["\x1b[1049h", false],
  ] as const) {
    const { bytes } = stream([{ text: "x", output: `a${sequence}b`, exit: 0 }]);
    const blocks = world(new Uint8Array(0)).make();
    for (let i = 0; i < bytes.length; i += 3) blocks.scan(bytes.subarray(i, i + 3), i);
    expect([sequence, blocks.last?.alt_screen_used]).toEqual([sequence, used]);
  }
});

test("the next prompt ends a block whose end was lost on a full disk", () => {
  const { bytes } = stream([
    { text: "one", output: "1", exit: 0 },
    { text: "two", output: "2", exit: 0 },
  ]);
  const whole = Buffer.from(bytes).toString("latin1");
  const without = Buffer.from(whole.replace(/\x1b\]133;D;0[^\x07]*\x07/, ""), "latin1");
  const blocks = world(new Uint8Array(0)).make();
  blocks.scan(without, 0);
  expect(blocks.list().map(({ state, exit_code }) => [state, exit_code])).toEqual([
    ["lost", null],
    ["done", 0],
  ]);
});
