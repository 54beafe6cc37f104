// However a text is cut, coloured or wrapped, a secret in it is hidden, and everything else comes back as it was.
import { expect, test } from "vitest";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { leaks, lookAlikes, type Sample, samples } from "../../fixtures/redact/samples.ts";
import { seeded } from "../../fixtures/seeded.ts";

const redactor = new Redactor({ label: () => "ab12" });
const ALL = samples(7);
const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function streamed(pieces: readonly string[], between: "flush" | "nothing"): string {
  const stream = redactor.stream();
  return (
    pieces.map((piece) => stream.push(piece) + (between === "flush" ? stream.flush() : "")).join("") + stream.end()
  );
}

function rowsOf(text: string, cols: number) {
  return text.split("\n").flatMap((line) => {
    const parts = line.match(new RegExp(`.{1,${cols}}`, "gu")) ?? [""];
    return parts.map((part, i) => ({ text: part, wraps: i < parts.length - 1 }));
  });
}

const leaking = (pieces: (sample: Sample) => readonly string[], between: "flush" | "nothing" = "nothing") =>
  ALL.flatMap((sample) => {
    const shown = streamed(pieces(sample), between);
    const leak = leaks(shown, sample);
    return leak === undefined ? [] : [`${JSON.stringify(pieces(sample))} → ${shown}`];
  });

test("a stream that is cut anywhere hides what the whole text hides, with and without a pause at the cut", () => {
  const random = seeded(3);
  for (const sample of ALL) {
    const line = `before\r\n${sample.text}\r\nafter`;
    const whole = redactor.text(line);
    for (let i = 0; i < 6; i++) {
      const [a = 0, b = 0] = [random(), random()].map((at) => Math.floor(at * line.length)).sort((x, y) => x - y);
      const pieces = [line.slice(0, a), line.slice(a, b), line.slice(b)];
      expect(streamed(pieces, "nothing"), JSON.stringify(pieces)).toBe(whole);
      if (!sample.text.startsWith("echo"))
        expect(leaks(streamed(pieces, "flush"), sample), JSON.stringify(pieces)).toBeUndefined();
    }
  }
});

test("one character at a time, with a pause after each, does not give a secret away", () => {
  // What only the end of a line makes a secret (echo WORD | sudo -S) has been shown by then.
  expect(leaking(({ text }) => [...`${text}\n`], "flush").filter((line) => !line.includes('["e","c","h","o"'))).toEqual(
    [],
  );
});

test("colours between a secret's characters change nothing", () => {
  const random = seeded(5);
  const coloured = (text: string) =>
    [...text].map((char) => (random() < 0.3 ? `\u001b[${Math.floor(random() * 50)}m${char}\u001b[0m` : char)).join("");
  expect(leaking(({ text }) => [coloured(text)])).toEqual([]);
  expect(leaking(({ text }) => coloured(text).split(/(?<=m)/))).toEqual([]);
});

test("wrapped rows are one line at every width, and no cell moves", () => {
  for (const sample of ALL) {
    for (let cols = 20; cols <= 200; cols += 19) {
      const rows = rowsOf(sample.text, cols);
      const shown = redactor.rows(rows, cols);
      expect(leaks(shown.join(""), sample), `${cols}: ${shown.join("\n")}`).toBeUndefined();
      for (const [i, row] of shown.entries())
        expect(row.length).toBeLessThanOrEqual(Math.max(cols, rows[i]?.text.length ?? 0));
      const hard = redactor.rows(
        rows.map(({ text }) => ({ text, wraps: false })),
        cols,
      );
      if (sample.kind !== "private-key")
        expect(leaks(hard.join(""), sample), `${cols}: ${hard.join("\n")}`).toBeUndefined();
    }
  }
});

test("long secrets, and long lines around them, are hidden in pieces of any size", () => {
  const random = seeded(13);
  const letters = (count: number) => Array.from({ length: count }, () => ALNUM[Math.floor(random() * 62)]).join("");
  const lines = (count: number) => Array.from({ length: count }, () => letters(64)).join("\n");
  const key = (count: number) => `-----BEGIN PRIVATE KEY-----\n${lines(count)}\n-----END PRIVATE KEY-----`;
  const long = [
    { text: `{"a":1,"private_key":${JSON.stringify(key(90))},"b":"${"x y ".repeat(200)}"}` },
    { text: `$ cat key\n${key(900)}\n$ ` },
    { text: `export SESSION_TOKEN=${letters(20_000)} done` },
    { text: `${"log ".repeat(3000)} token=${letters(40)} ${"log ".repeat(3000)}` },
  ].map(({ text }) => ({ kind: "long", text, secret: text.match(/[A-Za-z0-9]{40,}/g)?.join("") ?? "" }));
  for (const sample of long) {
    for (const size of [100, 1000, 4096, 5000, 70_000]) {
      const pieces = sample.text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      for (const between of ["flush", "nothing"] as const) {
        const shown = streamed(pieces, between);
        expect(leaks(shown, sample), `${size} ${between}: ${shown.slice(0, 300)}`).toBeUndefined();
        expect(shown).toContain("‹redacted:");
        expect(shown.endsWith(sample.text.slice(-2))).toBe(true);
      }
    }
  }
});

test("what holds no secret comes back byte for byte, however it is cut", () => {
  const all = lookAlikes().join("\r\n");
  const random = seeded(11);
  for (let i = 0; i < 20; i++) {
    const pieces: string[] = [];
    for (let at = 0; at < all.length; ) {
      const size = 1 + Math.floor(random() * 400);
      pieces.push(all.slice(at, at + size));
      at += size;
    }
    expect(streamed(pieces, i % 2 ? "flush" : "nothing")).toBe(all);
  }
});
