// What an agent does at a prompt: whatever the bytes, it is a change of the line by name, and no byte is typed.

import fc from "fast-check";
import { expect, test } from "vitest";
import { promptKeys } from "../../../src/core/gate/prompt-keys.ts";

/** The edits, and "enter" if it is entered. */
const read = (typed: string | Uint8Array): readonly string[] | string | undefined => {
  const keys = promptKeys(Buffer.from(typed));
  return keys?.do === "edit" ? [...keys.edits, ...(keys.enters ? ["enter"] : [])] : keys?.do;
};

test.each<[string, readonly string[] | string | undefined]>([
  ["ls -l", ["=ls -l"]],
  ["ls é\r", ["=ls é", "enter"]],
  ["\n", ["enter"]],
  ["\x1b[200~two\rli\tnes\x1b[201~\r", ["=two\nli\tnes", "enter"]],
  [
    "a\x1b[D\x1bOC\x1b[H\x1b[F\x1b[1~\x1b[7~\x1b[4~\x1b[8~\x1b[3~",
    "=a left right home end home home end end delete".split(" "),
  ],
  ["x\x01\x02\x05\x06\x08\x0b\x15\x17\x7f", "=x home left end right back kill clear word back".split(" ")],
  ["\x03", "interrupt"],
  // A program may read what follows an Enter.
  ["a\nb\n", undefined],
  ["a\r\x03", undefined],
  ["a\x03", undefined],
  // M1: lines of the person's history would be changed.
  ["\x1b[A", undefined],
  ["\x1bOB", undefined],
  ["\x04", undefined],
  ["\x0f", undefined],
  ["\x12ls", undefined],
  ["\x18\x05", undefined],
  ["\x19", undefined],
  ["a\tb", undefined],
  ["\x1bv", undefined],
  ["\x1b[9977~", undefined],
  ["\x1b[9976~", undefined],
  ["\x1b[200~open", undefined],
  ["\x1b[200~\x1b[7~\x1b[201~", undefined],
  ["\x1b[200~\x04\x1b[201~", undefined],
  ["\x1b", undefined],
])("%j", (typed, expected) => {
  expect(read(typed)).toEqual(expected);
});

test("inserted text holds no control character but line breaks and tabs of a paste, and bytes that are no text do not pass", () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: "binary" }).map(Buffer.from)), (bytes) => {
      const keys = promptKeys(bytes);
      if (keys?.do !== "edit") return;
      expect(Buffer.from(Buffer.from(bytes).toString())).toEqual(Buffer.from(bytes));
      for (const edit of keys.edits)
        expect(edit).toMatch(/^(?:=[^\x00-\x08\x0b-\x1f\x7f]*|left|right|home|end|back|delete|kill|clear|word)$/);
    }),
  );
});
