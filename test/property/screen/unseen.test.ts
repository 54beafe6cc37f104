// Text that nobody sees is only counted: concealed, or in the colour that it stands on. What real programs draw stays as it is.
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Screen } from "../../../src/core/screen/screen.ts";
import { rowAnsi } from "../../../src/core/viewer/row-ansi.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";

function shown(output: string | Uint8Array, size = { cols: 60, rows: 4 }): string[] {
  const engine = makeGhostty({ ...size, scrollback: 100 });
  engine.feed(typeof output === "string" ? Buffer.from(output) : output);
  const { rows } = new Screen(engine).shown();
  engine.dispose();
  return [...rows];
}

test.each([
  ["8", "concealed"],
  ["31;41", "a colour of the theme on itself"],
  ["95;105", "a bright one"],
  ["1;91;101", "a bright one in bold"],
  ["1;31;101", "a dark one in bold, which is drawn bright"],
  ["38;5;20;48;5;20", "one of the palette"],
  ["38;2;10;20;30;48;2;10;20;30", "a true colour"],
  ["38;2;10;20;30;48;2;12;19;31", "nearly the same"],
  ["38;5;16;48;2;0;0;0", "the palette's and the same as a true colour"],
  ["38;2;255;255;255;48;5;231", "and the other way round"],
  ["38;2;10;13;16", "our own background"],
  ["7;32;42", "in reverse"],
])("%s: %s", (sgr) => {
  expect(shown(`a \x1b[${sgr}mrun rm -rf\x1b[m b`)[0]).toBe("a ⟦10 concealed⟧ b");
});

test.each(["31", "1;30;40", "30", "90", "97;107;1;31", "38;5;20;48;5;21", "48;2;10;13;16", "2", "7"])(
  "%s is seen",
  (sgr) => {
    expect(shown(`a \x1b[${sgr}mrun this\x1b[m b`)[0]).toBe("a run this b");
  },
);

test("a row as ANSI has blanks in its place", () => {
  const runs = [
    { text: "rm 漢", sgr: "31;41" },
    { text: " seen", sgr: "" },
  ];
  expect(rowAnsi({ runs })).toBe("\x1b[31;41m     \x1b[m seen");
});

test("pictures made of blanks and blocks in one colour are no text", () => {
  expect(shown("\x1b[38;5;20;48;5;20m  ▄▄█ \x1b[m x")[0]).toBe("  ▄▄█  x");
});

const SCREENS = fileURLToPath(new URL("../../fixtures/screens/", import.meta.url));

const RECORDED = fs.readdirSync(SCREENS).filter((name) => fs.existsSync(`${SCREENS}${name}/raw`));

test.each(RECORDED)("nothing that %s draws is called unseen", (name) => {
  const raw = fs.readFileSync(`${SCREENS}${name}/raw`);
  const { cols, rows } = JSON.parse(fs.readFileSync(`${SCREENS}${name}/size.json`, "utf8"));
  // At several moments, not only at the end.
  for (const part of [0.25, 0.5, 0.75, 1])
    expect(shown(raw.subarray(0, Math.floor(raw.length * part)), { cols, rows }).join("\n")).not.toContain(
      "concealed⟧",
    );
});
