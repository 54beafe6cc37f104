// The contract of Engine.zones, for both engines: what OSC 133 marked stays marked as the text moves. Spans are
// written short: "0:2-4i" is row 0, columns 2 and 3, input.
import { afterEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../src/core/screen/engine.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { makeXterm, settleXterm } from "../../fixtures/terminal/xterm-engine.ts";

const size = { cols: 12, rows: 5, scrollback: 50 };
const [A, B, C, D] = ["A", "B", "C", "D;0"].map((mark) => `\x1b]133;${mark}\x07`);
const ls = `${A}$ ${B}ls\r\n${C}out\r\n${D}`;

const engines = [
  { name: "libghostty-vt", make: makeGhostty, settle: async () => undefined },
  { name: "xterm oracle", make: makeXterm, settle: settleXterm },
];

const made: Engine[] = [];
afterEach(() => {
  for (const engine of made.splice(0)) engine.dispose();
});

function short(engine: Engine): string {
  return engine
    .zones()
    .map(({ row, from, to, zone }) => `${row}:${from}-${to}${zone[0]}`)
    .join(" ");
}

describe.each(engines)("zones: $name", ({ make, settle }) => {
  const fed = async (...chunks: (string | Uint8Array)[]): Promise<Engine> => {
    const engine = make(size);
    made.push(engine);
    for (const chunk of chunks) engine.feed(Buffer.from(chunk as string));
    await settle(engine);
    return engine;
  };
  const more = async (engine: Engine, text: string): Promise<string> => {
    engine.feed(Buffer.from(text));
    await settle(engine);
    return short(engine);
  };

  test.each([
    { what: "no marks", input: "$ ls\r\nout", zones: "" },
    { what: "a prompt, its input and output", input: ls, zones: "0:0-2p 0:2-4i" },
    { what: "a prompt alone: trailing blanks do not count", input: `${A}$ ${B}`, zones: "0:0-1p" },
    { what: "input after output", input: `${ls}${A}$ ${B}x  `, zones: "0:0-2p 0:2-4i 2:0-2p 2:2-3i" },
    { what: "a prompt in colour", input: `${A}\x1b[1;32m$\x1b[m \x1b[m${B}ls`, zones: "0:0-2p 0:2-4i" },
    { what: "two lines of prompt", input: `${A}/tmp\r\n$ ${B}ls -l\r\n${C}o`, zones: "0:0-4p 1:0-2p 1:2-7i" },
    { what: "wide characters", input: `${A}\u276f ${B}\u4e2d\u6587`, zones: "0:0-2p 0:2-6i" },
    { what: "input that wraps", input: `${A}$ ${B}echo aaaaabbb\r\n${C}o`, zones: "0:0-2p 0:2-12i 1:0-3i" },
    { what: "a hole in a prompt", input: `${A}$ \x1b[6Gp${B}`, zones: "0:0-2p 0:5-6p" },
    { what: "text printed over", input: `${ls}\x1b[H$ l`, zones: "0:3-4i" },
    { what: "a cleared screen", input: `${ls}\x1b[H\x1b[2J`, zones: "" },
    { what: "a prompt on a cleared screen", input: `${ls}\x1b[H\x1b[2J${A}$ ${B}x`, zones: "0:0-2p 0:2-3i" },
    { what: "a line erased", input: `${A}$ ${B}ls\x1b[3G\x1b[Kx`, zones: "0:0-2p 0:2-3i" },
    { what: "rows that scrolled", input: `${ls}1\r\n2\r\n${A}$ ${B}x\r\n${C}3`, zones: "3:0-2p 3:2-3i" },
    {
      what: "a prompt that a line editor draws again",
      input: `${A}$ ${B}l\x1b[H\x1b[2J\x1b]133;P;k=i\x07$ ${B}ls`,
      zones: "0:0-2p 0:2-4i",
    },
    { what: "a reset", input: `${ls}\x1bc$ x`, zones: "" },
  ])("$what", async ({ input, zones }) => {
    expect(short(await fed(input))).toBe(zones);
  });

  test("marks with options are read as the shells print them", async () => {
    const tag = "duetty=abc:1";
    const marked = ls
      .replace("133;A", `133;A;${tag}`)
      .replace("133;B", `133;B;${tag}`)
      .replace("133;C", `133;C;${tag};t=1.5`)
      .replace("133;D;0", `133;D;0;${tag};t=1.5`);
    expect(short(await fed(`${marked}done`))).toBe("0:0-2p 0:2-4i");
  });

  test("zones follow lines that a resize wraps again, and back", async () => {
    const engine = await fed(`${A}$ ${B}echo hello\r\n${C}out\r\n`);
    engine.resize({ cols: 8, rows: 5 });
    expect(short(engine)).toBe("0:0-2p 0:2-8i 1:0-4i");
    engine.resize({ cols: 20, rows: 4 });
    expect(short(engine)).toBe("0:0-2p 0:2-12i");
  });

  test("the alternate screen has no zones and removes none", async () => {
    const engine = await fed(`${A}$ ${B}vi\r\n`);
    expect(await more(engine, "\x1b[?1049h\x1b[Hfull")).toBe("");
    expect(await more(engine, "\x1b[?1049l")).toBe("0:0-2p 0:2-4i");
  });

  test("reading zones does not change later reads", async () => {
    const engine = await fed(ls);
    engine.takeDirty();
    expect(await more(engine, `${A}$ ${B}`)).toBe("0:0-2p 0:2-4i 2:0-1p");
    expect(short(engine)).toBe("0:0-2p 0:2-4i 2:0-1p");
    expect(engine.takeDirty()).toContainEqual({ row: 2, text: "$", wraps: false });
  });

  test("any cut of the input gives the same zones", async () => {
    const input = Buffer.from(`${ls}${A}\u276f ${B}echo \u4e2d\u6587 wraps\r\n${C}o\r\n${D}${A}$ ${B}x`);
    const whole = short(await fed(input));
    expect(whole).toBe("1:0-2p 1:2-11i 2:0-5i 4:0-2p 4:2-3i");
    for (let at = 1; at < input.length; at += 1)
      expect(short(await fed(input.subarray(0, at), input.subarray(at))), `cut at ${at}`).toBe(whole);
    expect(short(await fed(...[...input].map((byte) => Uint8Array.of(byte))))).toBe(whole);
  });
});

test.each([
  { what: "in a prompt", input: `${ls}${A}$` },
  { what: "in input", input: `${ls}${A}$ ${B}ec` },
  { what: "in output", input: `${ls}o` },
  { what: "in the middle of a mark", input: `${ls}${A}$ \x1b]133;` },
  { what: "under the alternate screen", input: `${A}$ ${B}vi\r\n${C}\x1b[?1049hfull` },
])("a snapshot keeps the zones: $what", ({ input }) => {
  const engine = makeGhostty(size);
  made.push(engine);
  engine.feed(Buffer.from(input));
  const copy = makeGhostty(size, engine.snapshot());
  made.push(copy);
  expect(short(copy)).toBe(short(engine));
  for (const each of [engine, copy]) each.feed(Buffer.from(`B\x07\x1b[?1049lho\r\n${C}o`));
  expect(short(engine)).not.toBe("");
  expect(short(copy)).toBe(short(engine));
});
