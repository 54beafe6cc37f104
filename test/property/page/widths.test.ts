// Columns on the page are the daemon's: in a frozen output and in the live terminal, for every character there is.
import headless from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { EngineWidths } from "../../../web/terminal/widths.ts";
import { cellsOf } from "../../../web/text/cells.ts";

/** The first of each kind of text that is known to be hard. */
const TEXTS = [
  "e\u0301",
  "👨‍👩‍👧",
  "❤️",
  "👍🏽",
  "🇩🇪",
  "ก็",
  "漢字 ok",
  "\u{1f9d1}\u200d\u{1f680}",
  "각",
  "a\u{e0061}b",
  "a\xadb",
];
const characters: string[] = [];
for (let point = 0xa0; point < 0x110000; point += 1) {
  // Halves of pairs are no characters, and of the private planes each character is like the others.
  if (point >= 0xd800 && point < 0xdfff) point = 0xe000;
  if (point === 0x32000) point = 0xe0000;
  if (point === 0xe1000) point = 0x10ff00;
  characters.push(`ab${String.fromCodePoint(point)}`);
}
const texts = [...characters, ...TEXTS];

function engineColumns(): number[] {
  const engine = makeGhostty({ cols: 40, rows: 2, scrollback: 0 });
  const columns = texts.map((text) => {
    engine.feed(Buffer.from(`\x1b[H\x1b[2K${text}`));
    return engine.cursor().col;
  });
  engine.dispose();
  return columns;
}

/** Where the cursor stands after each of them, as the terminal itself answers. */
async function terminalColumns(): Promise<number[]> {
  const terminal = new headless.Terminal({ cols: 40, rows: 2, allowProposedApi: true, logLevel: "off" });
  terminal.unicode.register(new EngineWidths());
  terminal.unicode.activeVersion = "engine";
  const columns: number[] = [];
  terminal.onData((answer) => columns.push(Number(/;(\d+)R/.exec(answer)?.[1]) - 1));
  for (const text of texts) terminal.write(`\x1b[H\x1b[2K${text}\x1b[6n`);
  await new Promise<void>((resolve) => terminal.write("", resolve));
  terminal.dispose();
  return columns;
}

function named(columns: readonly number[], truth: readonly number[]): string[] {
  const points = (text: string) => [...text].map((char) => char.codePointAt(0)?.toString(16)).join(" ");
  return texts.flatMap((text, i) =>
    columns[i] === truth[i] ? [] : [`${points(text)}: ${columns[i]}, not ${truth[i]}`],
  );
}

describe("columns on the page are the daemon's", () => {
  const truth = engineColumns();

  test("in a frozen output", () => {
    const columns = texts.map((text) => cellsOf(text).reduce((all, cell) => all + cell.columns, 0));
    expect(named(columns, truth)).toEqual([]);
  });

  test("in the live terminal", async () => {
    expect(named(await terminalColumns(), truth)).toEqual([]);
  });
});
