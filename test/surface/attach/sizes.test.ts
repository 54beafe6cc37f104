// Terminals of different widths on one session: who typed last decides its size, the others see a part of it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, openBash } = sharedStand();
const WIDE = { cols: 160, rows: 30 };
const NARROW = { cols: 60, rows: 20 };

const colsOf = async (session_id: string) => (await person.status({ session_id })).session?.cols;
const becomes = (session_id: string, cols: number) => expect.poll(() => colsOf(session_id)).toBe(cols);

it("a narrow terminal that joins shrinks nothing; typing in it does, and typing in the wide one brings it back", async () => {
  const session_id = await openBash();
  const wide = TestTerminal.open(duetty, ["attach", session_id], WIDE);
  await becomes(session_id, WIDE.cols);
  const narrow = TestTerminal.open(duetty, ["attach", session_id], NARROW);
  await narrow.shows("Shared");
  wide.type("echo seen-$((1+1))\r");
  await narrow.shows("seen-2");
  expect(await colsOf(session_id)).toBe(WIDE.cols);
  narrow.type("echo narrow\r");
  await becomes(session_id, NARROW.cols);
  wide.type("echo wide\r");
  await becomes(session_id, WIDE.cols);
  narrow.type("x");
  await becomes(session_id, NARROW.cols);
  narrow.type("\x1c");
  await narrow.ended();
  await becomes(session_id, WIDE.cols);
  wide.type("\x1c");
  await wide.ended();
  const records = readFileSync(duetty.sessionFile(session_id, "records.jsonl"), "utf8").trim().split("\n");
  const sizes = records.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "resize");
  expect(sizes.map(({ cols }) => cols)).toEqual([160, 60, 160, 60, 160]);
});
