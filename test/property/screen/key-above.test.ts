// A private key of which only the middle is on the screen: its beginning has left, and its end has not come yet.
import { expect, test } from "vitest";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { Screen } from "../../../src/core/screen/screen.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { seeded } from "../../fixtures/seeded.ts";

const random = seeded(41);
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const letters = (count: number) => Array.from({ length: count }, () => LETTERS[Math.floor(random() * 64)]).join("");
const HEADS = {
  RSA: "-----BEGIN RSA PRIVATE KEY-----",
  encrypted: `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${"0A1B".repeat(8)}\n`,
  PGP: "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: mine\n",
};

function shown(output: string, size: { cols: number; rows: number }) {
  const engine = makeGhostty({ ...size, scrollback: 5000 });
  engine.feed(Buffer.from(output.replaceAll("\n", "\r\n")));
  const screen = new Screen(engine).seenBy(new Redactor({ label: () => "ab12" }));
  const texts = {
    rows: screen.shown().rows.join("\n"),
    styled: JSON.stringify(screen.styled({ history: 0 })),
    history: screen.scrollback(8).lines.join("\n"),
  };
  engine.dispose();
  return texts;
}

test.each(
  [
    [20, 10, 50],
    [40, 10, 100],
    [80, 24, 200],
    [33, 8, 400],
    [80, 24, 24],
    [20, 10, 4],
  ].flatMap(([cols = 0, rows = 0, count = 0]) =>
    Object.entries(HEADS).map(([name, head]) => ({ cols, rows, count, name, head })),
  ),
)("$count lines at $cols × $rows, $name", ({ cols, rows, count, head }) => {
  const key = Array.from({ length: count }, () => letters(64));
  const all = Object.values(shown(`$ cat key\n${head}\n${key.join("\n")}\n`, { cols, rows })).join("\n");
  const parts = key.flatMap((line) => [line.slice(0, 12), line.slice(26, 38), line.slice(-12)]);
  expect(parts.filter((part) => all.includes(part))).toEqual([]);
});

test("other rows of letters stay: names of files, base64 of an image, a certificate", () => {
  const files = Array.from({ length: 300 }, (_, i) => `chunk-${i}-${i.toString(16)}.js`).join("\n");
  const image = Array.from({ length: 300 }, () => letters(76)).join("\n");
  const certificate = `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 60 }, () => letters(64)).join("\n")}`;
  for (const text of [files, image, certificate])
    for (const cols of [20, 80]) {
      const { rows } = shown(text, { cols, rows: 10 });
      expect(rows).not.toMatch(/redacted|•/);
    }
});
