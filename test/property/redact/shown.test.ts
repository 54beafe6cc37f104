// What a screen has hidden is hidden in bytes that draw parts of it again, and nothing else is. What is struck over is read, too.
import { expect, test } from "vitest";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { ShownSecrets } from "../../../src/core/redact/shown-secrets.ts";

const COLS = 100;

/** Eyes that know what was hidden in these rows, of which the one with this number is being written. */
function after(rows: readonly string[], writing?: number): Redactor {
  const eyes = new Redactor({ label: (secret) => String(secret.length).padStart(4, "0") });
  const shown = new ShownSecrets();
  const lines = rows.map((text) => ({ text, wraps: false }));
  shown.hidden(lines, eyes.rowMasks(lines, COLS, writing), writing);
  return eyes.knowing(shown);
}

const SECRET = "Fj4passwordLk22wq";

test.each([
  ["all of it", SECRET, "‹redacted:password:0017›"],
  ["its end, behind a letter", `b${SECRET.slice(3)}`, "b‹redacted:password:0017›"],
  [
    "a part of eight characters",
    `\u001b[5;9H${SECRET.slice(8, 16)}\u001b[K`,
    "\u001b[5;9H‹redacted:password:0017›\u001b[K",
  ],
  ["seven characters", SECRET.slice(0, 7), SECRET.slice(0, 7)],
  ["a word that stands in it", "the password is wrong", "the password is wrong"],
])("%s", (_, output, wanted) => {
  expect(after([`DB_PASSWORD=${SECRET}`]).output(output)).toBe(wanted);
});

test("what is not complete, and words, are not learnt", () => {
  expect(after([`DB_PASSWORD=${SECRET}`], 0).output(SECRET)).toBe(SECRET);
  expect(after(["DB_PASSWORD=production"]).output("in production")).toBe("in production");
});

test("how a token begins is no part of it: a guess has to have eight characters of the rest", () => {
  const token = `ghp_${"q7Wm2Ns9Bv".repeat(4).slice(0, 36)}`;
  const eyes = after([`the token is ${token}`]);
  expect(eyes.output(`x ${token.slice(0, 11)} x`)).toBe(`x ${token.slice(0, 11)} x`);
  expect(eyes.output(`x ${token.slice(9, 17)} x`)).toBe("x ‹redacted:github:0040› x");
});

test("a screen with more values than are kept makes it forget the oldest, and nothing else", () => {
  const rows = Array.from({ length: 300 }, (_, i) => `API_KEY=k${i}Xy${(i * 7919 + 100_000).toString(36)}Zq${i}mMw`);
  const eyes = after(rows);
  const hidden = rows.map((row) => eyes.output(row.slice(8)).startsWith("‹"));
  expect(hidden.slice(-256)).toEqual(Array(256).fill(true));
});

/** By itself it looks like nothing: the screen has to have shown it. */
const DRAWN = "the rest is drawn again";
const BACK = "\b".repeat(12);
test.each([
  ["the cursor goes back", `PASSWORD=Yp6meadowLane44kkQ2vv${BACK}\u001b[1@x\r\n`],
  [DRAWN, `PASSWORD=Yp6meadowLane44kkQ2vv${BACK}xLane44kkQ2vv${BACK}\r\n`],
  ["it is erased", `PASSWORD=Yp6meadowLane44kkQ2vv${"\b\u001b[K".repeat(21)}none\r\n`],
  ["it is erased with blanks", `PASSWORD=Yp6meadowLane44kkQ2vv${"\b \b".repeat(21)}none\r\n`],
  ["with colours", `PASSWORD=Yp6meadow\u001b[1mLane44kk\u001b[mQ2vv${BACK}\u001b[1@x\r\n`],
])("what is struck over is read: %s", (how, output) => {
  const eyes = after(how === DRAWN ? ["PASSWORD=Yp6meadowLane44kkQ2vv"] : []);
  const rest = eyes.output(output);
  for (let at = 0; at + 8 <= 21; at++) expect(rest).not.toContain("Yp6meadowLane44kkQ2vv".slice(at, at + 8));
  const stream = eyes.starred();
  const starred = Buffer.concat([stream.push(Buffer.from(output)), stream.end()]).toString();
  expect(starred).toHaveLength(output.length);
  expect(starred).not.toMatch(/meadow|Lane44|kkQ2/);
  expect(starred.replace(/[^\b\u001b]/g, "")).toBe(output.replace(/[^\b\u001b]/g, ""));
});

test.each([
  ["git clone https://bob:winter", "git clone https://bob:••••••"],
  ["git clone https://bob:12", "git clone https://bob:••"],
  ["git clone https://bob:1234567", "git clone https://•••••••••••"],
  ["curl http://host:80", "curl http://host:••"],
  ["curl http://localhost:8080/path", "curl http://localhost:8080/path"],
])("a password in a URL has dots from its first letter on: %s", (text, wanted) => {
  const eyes = after([]);
  expect(eyes.rows([{ text, wraps: false }], COLS, 0)).toEqual([wanted]);
  expect(eyes.written(text)).toBe(wanted.replace(/•+/, "••••"));
});
