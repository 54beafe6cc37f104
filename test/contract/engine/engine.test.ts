// Both engines pass the one contract.
import { expect, test } from "vitest";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { type Answer, queries } from "../../fixtures/terminal/queries.ts";
import { makeXterm, settleXterm } from "../../fixtures/terminal/xterm-engine.ts";
import { engineContract } from "./engine.ts";

engineContract("libghostty-vt", makeGhostty, {
  answers: Object.keys(queries) as Answer[],
  snapshots: true,
  kittyKeyboard: true,
});

engineContract("xterm oracle", makeXterm, {
  answers: ["DA1", "DA2", "DSR", "CPR", "DECRQM", "DECRQSS"],
  snapshots: false,
  kittyKeyboard: false,
  settle: settleXterm,
});

test("a soft repaint makes the same screen on a terminal in any state and keeps its history", async () => {
  const size = { cols: 20, rows: 5, scrollback: 100 };
  const [engine, other] = [makeGhostty(size), makeXterm(size)];
  engine.feed(Buffer.from("one\r\n\x1b[1mtwo\x1b[?2004h\x1b[2;4r\x1b[2;2H"));
  other.feed(Buffer.from(`${"mine\r\n".repeat(30)}\x1b[?1049h\x1b[4;5r\x1b[?6h\x1b[31mrubbish\x1b[?25l\x1b(0`));
  other.feed(engine.repaint({ scrollback: 0, reset: "soft" }));
  for (const each of [engine, other]) each.feed(Buffer.from("q!"));
  await settleXterm(other);
  expect(other.rows()).toEqual(engine.rows());
  expect(other.cursor()).toEqual(engine.cursor());
  expect(other.modes()).toEqual(engine.modes());
  expect(other.history({ from: 0, count: 26 }).every((line) => line === "mine")).toBe(true);
  engine.dispose();
});

test("styled rows have colours, links, history and concealed text", () => {
  const engine = makeGhostty({ cols: 30, rows: 3, scrollback: 50 });
  engine.feed(
    Buffer.from(
      "old\r\nplain \x1b[1;31mred\x1b[m 漢\x1b[48;5;20m  \x1b[m\r\n\x1b]8;;https://example.org\x07link\x1b]8;;\x07",
    ),
  );
  engine.feed(Buffer.from("\r\n\x1b[38;5;200ma"));
  expect(engine.colours()).toEqual({ conceal: false, highlight: true });
  engine.feed(Buffer.from("\x1b[0;8mhidden"));
  expect(engine.colours()).toEqual({ conceal: true, highlight: true });
  const rows = engine.styled({ history: 10 });
  expect(rows.map(({ runs }) => runs)).toEqual([
    [{ text: "old", sgr: "" }],
    [
      { text: "plain ", sgr: "" },
      { text: "red", sgr: "1;31" },
      { text: " 漢", sgr: "" },
      { text: "  ", sgr: "48;5;20" },
    ],
    [{ text: "link", sgr: "", link: "https://example.org" }],
    [
      { text: "a", sgr: "38;5;200" },
      { text: "hidden", sgr: "8" },
    ],
  ]);
  expect(engine.styled({ history: 0 })).toHaveLength(3);
  engine.dispose();
});

test.each(["\x1b\x9e\x9d", "\x1b\x9e\x90q", "\x1b^\x9dabc", "\x1b\x98\x9b"])(
  "a state in the middle of %j can be kept",
  (sequence) => {
    const engine = makeGhostty({ cols: 20, rows: 3, scrollback: 10 });
    engine.feed(Buffer.from(`before${sequence}`, "latin1"));
    const copy = makeGhostty({ cols: 20, rows: 3, scrollback: 10 }, engine.snapshot());
    for (const each of [engine, copy]) each.feed(Buffer.from("\x18\r\nafter"));
    expect(copy.rows()).toEqual(["before", "after", ""]);
    expect(engine.rows()).toEqual(copy.rows());
  },
);
