// The contract of the Engine port, for any adapter. What an adapter cannot do is named by its capabilities, never
// skipped in silence.
import { afterEach, describe, expect, test } from "vitest";
import type { Engine, EngineOptions, MakeEngine } from "../../../src/core/screen/engine.ts";
import { type Answer, queries } from "../../fixtures/terminal/queries.ts";

export interface Capabilities {
  readonly answers: readonly Answer[];
  readonly snapshots: boolean;
  readonly kittyKeyboard: boolean;
  /** For engines that parse later than feed returns. */
  readonly settle?: (engine: Engine) => Promise<void>;
}

const size = { cols: 20, rows: 5, scrollback: 100 };

export function engineContract(name: string, make: MakeEngine, can: Capabilities): void {
  const made: Engine[] = [];
  afterEach(() => {
    for (const engine of made.splice(0)) engine.dispose();
  });
  const open = (options: Partial<EngineOptions> = {}, from?: Uint8Array): Engine => {
    const engine = make({ ...size, ...options }, from);
    made.push(engine);
    return engine;
  };
  const feed = async (engine: Engine, ...chunks: (string | Uint8Array)[]): Promise<Engine> => {
    for (const chunk of chunks) engine.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    await can.settle?.(engine);
    return engine;
  };
  const fed = (...chunks: (string | Uint8Array)[]): Promise<Engine> => feed(open(), ...chunks);
  const suite: Suite = { open, feed, fed, can };
  describe(`engine contract: ${name}`, () => {
    describe("text", () => textContract(suite));
    describe("cursor, title, modes", () => stateContract(suite));
    describe("history and resize", () => historyContract(suite));
    describe("change", () => changeContract(suite));
    describe("repaint", () => repaintContract(suite));
    if (can.snapshots) describe("snapshot", () => snapshotContract(suite));
    describe("replies", () => repliesContract(suite));
  });
}

interface Suite {
  open(options?: Partial<EngineOptions>, from?: Uint8Array): Engine;
  feed(engine: Engine, ...chunks: (string | Uint8Array)[]): Promise<Engine>;
  fed(...chunks: (string | Uint8Array)[]): Promise<Engine>;
  readonly can: Capabilities;
}

function textContract({ fed }: Suite): void {
  test("prints lines, right-trimmed, and blank rows as empty", async () => {
    const engine = await fed("one  \r\n\r\nthree");
    expect(engine.rows()).toEqual(["one", "", "three", "", ""]);
  });
  test("wide characters take two columns and combining marks none", async () => {
    const engine = await fed("中文e\u0301x😀");
    expect(engine.rows()[0]).toBe("中文e\u0301x😀");
    expect(engine.cursor().col).toBe(8);
  });
  test("a wide character that does not fit wraps whole", async () => {
    const engine = await fed(`${"a".repeat(19)}中b`);
    expect(engine.rows().slice(0, 2)).toEqual(["a".repeat(19), "中b"]);
  });
  test("wraps at the edge, and not before the next character", async () => {
    const engine = await fed("x".repeat(20));
    expect(engine.cursor()).toMatchObject({ row: 0, col: 19 });
    const more = await fed("x".repeat(20), "y");
    expect(more.rows().slice(0, 2)).toEqual(["x".repeat(20), "y"]);
  });
  test("erases, inserts and deletes", async () => {
    const engine = await fed("abcdef\x1b[3G\x1b[2P\x1b[1G\x1b[2@\r\nzzz\x1b[2K");
    expect(engine.rows().slice(0, 2)).toEqual(["  abef", ""]);
  });
  test("a control that cannot be shown is never text", async () => {
    const engine = await fed("a\x18b\x1b[2Gc");
    expect(engine.rows()[0]).not.toMatch(/[\x00-\x1f]/);
  });
  test("a scrolling region scrolls alone", async () => {
    const engine = await fed("1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H\nnew\x1b[r");
    expect(engine.rows()).toEqual(["1", "3", "4", "new", "5"]);
  });
}

function stateContract({ fed, can }: Suite): void {
  test("the cursor has a position and can be hidden", async () => {
    const engine = await fed("\x1b[3;7H\x1b[?25l");
    expect(engine.cursor()).toEqual({ row: 2, col: 6, visible: false });
    expect((await fed("\x1b[?25l\x1b[?25h")).cursor().visible).toBe(true);
  });
  test("a program sets the title", async () => {
    expect((await fed("\x1b]2;hello \u00e9\x07")).title()).toBe("hello \u00e9");
    expect((await fed("")).title()).toBe("");
  });
  test("a program sets modes", async () => {
    const engine = await fed("\x1b[?1h\x1b[?2004h\x1b[?1002h\x1b[?2026h");
    const on = { application_cursor: true, bracketed_paste: true, mouse: "button", synchronized: true };
    expect(engine.modes()).toMatchObject(on);
    expect((await fed("")).modes()).toMatchObject({ mouse: "none", alt_screen: false, kitty_keyboard: 0 });
  });
  test("kitty keyboard flags are reported where they are supported", async () => {
    expect((await fed("\x1b[>5u")).modes().kitty_keyboard).toBe(can.kittyKeyboard ? 5 : 0);
  });
  test("the alternate screen leaves no trace when it is closed", async () => {
    const engine = await fed("shell\r\n$ ", "\x1b[?1049h\x1b[Hfull");
    expect(engine.rows()[0]).toBe("full");
    expect(engine.modes().alt_screen).toBe(true);
    expect(engine.historyCount()).toBe(0);
    const back = await fed("shell\r\n$ ", "\x1b[?1049h\x1b[Hfull", "\x1b[?1049l!");
    expect(back.rows().slice(0, 2)).toEqual(["shell", "$ !"]);
    expect(back.modes().alt_screen).toBe(false);
  });
  test("soft reset keeps the cursor and the text", async () => {
    const engine = await fed("one\r\n\x1b[2;4r\x1b[?6h\x1b[?25l\x1b[4h\x1b[?1h\x1b[2;3Hxy\x1b[!p");
    expect(engine.cursor()).toEqual({ row: 2, col: 4, visible: true });
    expect(engine.rows()[0]).toBe("one");
    expect(engine.modes().application_cursor).toBe(false);
  });
  test("DECCOLM never changes the size", async () => {
    const engine = await fed("kept\x1b[?40h\x1b[?3h\x1b[?40;3h\x1b[?3l");
    expect(engine.size()).toMatchObject({ cols: 20, rows: 5 });
    expect(engine.rows()[0]).toBe("kept");
  });
}

function historyContract({ open, feed, fed }: Suite): void {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`);
  test("rows that leave the top become history, oldest first", async () => {
    const engine = await fed(lines(12).join("\r\n"));
    expect(engine.historyCount()).toBe(7);
    expect(engine.scrolled()).toBe(7);
    expect(engine.history({ from: 0, count: 100 })).toEqual(lines(12).slice(0, 7));
    expect(engine.history({ from: 5, count: 1 })).toEqual(["line 5"]);
    expect(engine.history({ from: 7, count: 3 })).toEqual([]);
  });
  test("blank and wrapped rows are rows of history too", async () => {
    const engine = await fed(`\r\n${"w".repeat(25)}\r\n\r\n\r\n1\r\n2\r\n3\r\n4\r\n5`);
    expect(engine.history({ from: 0, count: 9 })).toEqual(["", "w".repeat(20), "wwwww", "", ""]);
  });
  test("history keeps at least as many lines as were asked for", async () => {
    const engine = await feed(open({ scrollback: 1000 }), lines(1100).join("\r\n"));
    expect(engine.historyCount()).toBeGreaterThanOrEqual(1000);
    expect(engine.history({ from: engine.historyCount() - 1, count: 1 })).toEqual(["line 1094"]);
  });
  test("resizing re-wraps lines", async () => {
    const engine = await fed("abcdefghijklmnop\r\n$");
    engine.resize({ cols: 10, rows: 5 });
    expect(engine.size()).toMatchObject({ cols: 10, rows: 5 });
    expect(engine.rows()).toEqual(["abcdefghij", "klmnop", "$", "", ""]);
    engine.resize({ cols: 20, rows: 4 });
    expect(engine.rows()).toEqual(["abcdefghijklmnop", "$", "", ""]);
  });
}

function changeContract({ feed, fed }: Suite): void {
  test("dirty rows are the touched rows, each once, with their text", async () => {
    const engine = await fed("one\r\ntwo");
    engine.takeDirty();
    expect(engine.takeDirty()).toEqual([]);
    await feed(engine, "\x1b[4Hfour");
    expect(engine.takeDirty()).toContainEqual({ row: 3, text: "four", wraps: false });
    expect(engine.takeDirty()).toEqual([]);
  });
  test("a row says when its line goes on in the next one", async () => {
    const engine = await fed(`${"x".repeat(size.cols + 3)}\r\nshort`);
    expect(engine.lines().map(({ wraps }) => wraps)).toEqual([true, false, false, false, false]);
  });
  test("the rows under the alternate screen can be read", async () => {
    const engine = await fed("first\r\n$ vi");
    expect(engine.underneath()).toEqual([]);
    await feed(engine, "\x1b[?1049hother");
    expect(engine.underneath()).toEqual(["first", "$ vi", "", "", ""]);
  });
  test("dirty rows add up to the screen", async () => {
    const engine = await fed("");
    const seen = Array.from({ length: size.rows }, () => "");
    for (const step of [
      "a\r\nb\r\nc",
      "\x1b[?1049h\x1b[2;2Hz",
      "\x1b[2J",
      "\x1b[?1049l",
      "\r\n\r\n\r\n\r\nx",
      "\x1bM",
    ]) {
      await feed(engine, step);
      for (const { row, text } of engine.takeDirty()) seen[row] = text;
      expect(seen).toEqual(engine.rows());
    }
  });
  test("any cut of the input gives the same screen", async () => {
    const input = Buffer.from("a\x1b[1;31mré中\x1b[0m\x1b]2;t\x07\x1b[2;3Hb\x1b[!pc\x1b[?40;25l\x1b(0q\x1b(B");
    const whole = await fed(input);
    const cut = await fed(...[...input].map((byte) => Uint8Array.of(byte)));
    expect(cut.rows()).toEqual(whole.rows());
    expect(cut.cursor()).toEqual(whole.cursor());
    expect(cut.title()).toBe("t");
  });
}

function repaintContract({ open, feed, fed }: Suite): void {
  test("a repaint makes another terminal into this one", async () => {
    const engine = await fed(`${"h\r\n".repeat(9)}${"w".repeat(30)} \x1b[44m\x1b[K\x1b[0m\x1b[?2004h\x1b[2;4H`);
    const other = await feed(
      open(),
      "rubbish\x1b[?1049h\x1b[?1003h",
      engine.repaint({ scrollback: 100, reset: "hard" }),
    );
    expect(other.rows()).toEqual(engine.rows());
    expect(other.cursor()).toEqual(engine.cursor());
    expect(other.modes()).toEqual(engine.modes());
    expect(other.history({ from: 0, count: 99 })).toEqual(engine.history({ from: 0, count: 99 }));
  });
  test("a repaint carries the alternate screen and what is under it", async () => {
    const engine = await fed("under\r\n$ vi", "\x1b[?1049h\x1b[Hover\x1b[4;5H");
    const other = await feed(open(), engine.repaint({ scrollback: 0, reset: "hard" }));
    expect(other.rows()).toEqual(engine.rows());
    expect(other.cursor()).toEqual(engine.cursor());
    await feed(other, "\x1b[?1049l");
    expect(other.rows().slice(0, 2)).toEqual(["under", "$ vi"]);
    expect(other.cursor()).toMatchObject({ row: 1, col: 4 });
  });
}

function snapshotContract({ open, feed, fed }: Suite): void {
  test("a snapshot has the engine's whole state, an unfinished sequence included", async () => {
    const engine = await fed(`${"h\r\n".repeat(9)}x\x1b[?2004h\x1b]2;title\x07\x1b[3`);
    const copy = open({}, engine.snapshot());
    expect(copy.history({ from: 0, count: 9 })).toEqual(engine.history({ from: 0, count: 9 }));
    for (const each of [engine, copy]) await feed(each, "1mred\x1b[6n\x1b[!");
    const again = open({}, copy.snapshot());
    for (const each of [engine, again]) await feed(each, "p\x1b[5n");
    expect(again.rows()).toEqual(engine.rows());
    expect(again.cursor()).toEqual(engine.cursor());
    expect(again.modes()).toEqual(engine.modes());
    expect(again.title()).toBe("title");
    expect(again.scrolled()).toBe(engine.scrolled());
  });
  test("a sequence too long to carry does not stop snapshots", async () => {
    const engine = await fed(`a\x1b]52;c;${"Q".repeat(100_000)}`);
    const copy = open({}, engine.snapshot());
    for (const each of [engine, copy]) await feed(each, "QQQQ\x07b");
    expect(copy.rows()[0]).toBe("ab");
    expect(engine.rows()[0]).toBe("ab");
  });
}

function repliesContract({ fed, can }: Suite): void {
  for (const [name, { ask, reply }] of Object.entries(queries))
    test(`${name}: ${can.answers.includes(name as Answer) ? "answered" : "not answered"}`, async () => {
      const engine = await fed(ask);
      const got = Buffer.from(engine.takeReplies()).toString("latin1");
      if (can.answers.includes(name as Answer)) expect(got).toMatch(reply);
      else expect(got).toBe("");
      expect(engine.takeReplies()).toHaveLength(0);
    });
  test("replies come in the order of the questions", async () => {
    const engine = await fed("\x1b[5n", "\x1b[2;3H\x1b[6n");
    expect(Buffer.from(engine.takeReplies()).toString()).toBe("\x1b[0n\x1b[2;3R");
  });
}
