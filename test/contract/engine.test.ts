// Both engines pass the one contract.
import { expect, test } from "vitest";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { type Answer, queries } from "../fixtures/queries.ts";
import { makeXterm, settleXterm } from "../fixtures/xterm-engine.ts";
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

test("a soft repaint makes the same screen on another terminal in any state, and keeps that one's history", async () => {
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
