// What an agent types at a prompt: whatever the bytes, none of those that pass runs a line, ends the shell or leaves the line.

import fc from "fast-check";
import { expect, test } from "vitest";
import { ENTER_KEY } from "../../../src/core/block/shells.ts";
import { promptKeys } from "../../../src/core/gate/prompt-keys.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const enter = text(ENTER_KEY);

test.each<[string, string | undefined]>([
  ["ls -l", "ls -l"],
  ["ls\r", `ls${enter}`],
  ["a\nb\n", `a${enter}b${enter}`],
  ["\x1b[A\r", `\x1b[A${enter}`],
  ["\x1b[200~two\rlines\x1b[201~\r", `\x1b[200~two\rlines\x1b[201~${enter}`],
  ["\x03", "\x03"],
  ["x\x15y", "x\x15y"],
  ["\x04", undefined],
  ["\x0f", undefined],
  ["\x12ls", undefined],
  ["\x18\x05", undefined],
  ["\x1bv", undefined],
  ["\x1b[9977~", undefined],
  ["\x1b[9976~", undefined],
  ["\x1b", undefined],
])("%j", (typed, expected) => {
  const keys = promptKeys(Buffer.from(typed));
  expect(keys && text(keys.bytes)).toBe(expected);
});

test("no bare line break, no end of input, no unknown sequence gets through", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const keys = promptKeys(bytes);
      if (!keys) return;
      const typed = text(keys.bytes)
        .replaceAll(enter, "")
        .replace(/\x1b\[200~[\s\S]*?(?:\x1b\[201~|$)/g, "");
      expect(typed).not.toMatch(/[\r\n\x04\x0f\x12\x18]/);
      expect(typed.replace(/\x1b(?:[[O][ABCDHF]|\[[13478]~|\[201~)/g, "")).not.toContain("\x1b");
    }),
  );
});
