// Which texts hold a secret: made-up ones of every kind are found, what only looks like one stays byte for byte.
import { expect, test } from "vitest";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { labelled, leaks, lookAlikes, samples } from "../../fixtures/redact/samples.ts";

const redactor = new Redactor({ label: (secret) => (secret.length % 65_536).toString(16).padStart(4, "0") });
const SEEDS = Array.from({ length: 12 }, (_, i) => i);

test("secrets of every kind are found, whatever their letters", () => {
  const missed = SEEDS.flatMap(samples).filter((sample) => leaks(redactor.text(sample.text), sample) !== undefined);
  expect(missed.map(({ text }) => `${text} → ${redactor.text(text)}`)).toEqual([]);
});

test("what only looks like a secret stays as it is", () => {
  expect(lookAlikes().filter((text) => redactor.text(text) !== text)).toEqual([]);
  const all = lookAlikes().join("\n");
  expect(redactor.text(all)).toBe(all);
});

test("labelled lines are judged as somebody else judged them", () => {
  for (const { text, secret, kind } of labelled()) {
    const shown = redactor.text(text);
    if (secret === undefined) expect(shown, kind).toBe(text);
    else expect(shown.includes(secret) || shown === text, `${kind}: ${shown}`).toBe(false);
  }
});
