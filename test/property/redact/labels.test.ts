// Labels: the same for the same secret and key, as the published vector of SipHash says.
import { expect, test } from "vitest";
import { labels, sipHash } from "../../../src/core/redact/labels.ts";

const key = Uint8Array.from({ length: 16 }, (_, i) => i);

test("SipHash-2-4 is as published", () => {
  expect(
    sipHash(
      key,
      Uint8Array.from({ length: 15 }, (_, i) => i),
    ),
  ).toBe(0xa129ca6149be45e5n);
});

test("a label is four hexadecimal digits, the same each time, and another with another key", () => {
  const [mine, yours] = [labels(key), labels(new Uint8Array(16))];
  expect(mine("hunter2!")).toMatch(/^[0-9a-f]{4}$/);
  expect(mine("hunter2!")).toBe(labels(key)("hunter2!"));
  expect(mine("hunter2!")).not.toBe(yours("hunter2!"));
});
