// The VT standard as tables: each row of conformance/ on our engine and on the oracle. Who deviates is asserted to
// deviate in exactly that way, and docs/engine-deviations.md must have the section that explains it.
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { Engine, MakeEngine } from "../../src/core/screen/engine.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { makeXterm, settleXterm } from "../fixtures/terminal/xterm-engine.ts";
import { type Case, COLS, ROWS, type Shown } from "./conformance/case.ts";
import { edits } from "./conformance/edits.ts";
import { gaps } from "./conformance/gaps.ts";
import { motion } from "./conformance/motion.ts";
import { margins, regions } from "./conformance/regions.ts";
import { replies } from "./conformance/replies.ts";
import { states } from "./conformance/states.ts";

const tables = { motion, edits, regions, margins, states, gaps };

async function fed(make: MakeEngine, input: string | Uint8Array, cols = COLS): Promise<Engine> {
  const engine = make({ cols, rows: ROWS, scrollback: 20 });
  engine.feed(Buffer.from(input));
  if (make === makeXterm) await settleXterm(engine);
  return engine;
}

function shown(engine: Engine): Shown {
  const { row, col } = engine.cursor();
  return { rows: engine.rows(), cursor: [row, col] };
}

function expected({ rows, cursor }: Shown): Shown {
  return { rows: Array.from({ length: ROWS }, (_, row) => rows[row] ?? ""), cursor };
}

describe.each(Object.entries(tables))("%s", (_, cases) => {
  test.each(cases)("$name: $why", async (row: Case) => {
    expect(shown(await fed(makeGhostty, row.input, row.cols))).toEqual(expected(row.ours ?? row));
    expect(shown(await fed(makeXterm, row.input, row.cols))).toEqual(expected(row.oracle ?? row));
  });
});

// The grid's text cannot show a colour; what a repaint writes can.
describe("erased cells have the current background colour and no other attribute", () => {
  const blue = (count: number) => `\x1b[0;44m\x1b[${count}X`;
  test.each([
    { name: "EL", input: "\x1b[44;7;4m\x1b[2K\x1b[m", paints: blue(10) },
    { name: "ECH", input: "AB\x1b[1G\x1b[44m\x1b[X\x1b[m", paints: `${blue(1)}\x1b[1C\x1b[0mB` },
    { name: "ICH", input: "ABC\x1b[1G\x1b[44m\x1b[2@\x1b[m", paints: `${blue(2)}\x1b[2C\x1b[0mABC` },
    { name: "DCH", input: "ABC\x1b[1G\x1b[44m\x1b[2P\x1b[m", paints: `C\x1b[7C${blue(2)}` },
    { name: "IL", input: "\x1b[44m\x1b[L\x1b[m", paints: blue(10) },
    { name: "LF that scrolls", input: "\x1b[5;1H\x1b[44m\n\x1b[m", paints: `\r\n${blue(10)}` },
  ])("$name", async ({ input, paints }) => {
    const engine = await fed(makeGhostty, input);
    expect(Buffer.from(engine.repaint({ scrollback: 0, reset: "hard" })).toString()).toContain(paints);
  });
});

describe("replies", () => {
  test.each(replies)("$name", async ({ ask, reply }) => {
    const engine = await fed(makeGhostty, ask);
    expect(Buffer.from(engine.takeReplies()).toString("latin1")).toBe(reply);
  });
});

test("every deviation is explained", () => {
  const text = fs.readFileSync(new URL("../../docs/engine-deviations.md", import.meta.url), "utf8");
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => anchorOf(title));
  const used = Object.values(tables).flatMap((cases) => cases.flatMap(({ ours, oracle }) => [ours?.doc, oracle?.doc]));
  for (const doc of used) if (doc !== undefined) expect(anchors).toContain(doc);
});

/** As GitHub makes it from a heading. */
function anchorOf(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")}`;
}
