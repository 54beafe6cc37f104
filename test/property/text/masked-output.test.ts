// B6: no reader of the journal gets the nonce of the shell's marks, wherever it begins and ends, also while it is being printed.
import fc from "fast-check";
import { expect, test } from "vitest";
import { maskedOutput } from "../../../src/core/journal/masked-output.ts";
import { MemoryStore } from "../../fixtures/fakes/memory-store.ts";

const SECRET = "7f3k2m9qa0b1c2d3";
const text = fc.array(
  fc.oneof(
    fc.constant(SECRET),
    fc.constant("7f3"),
    fc.constantFrom("7", "\r\n", "漢", "x"),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 12 },
);

function printed(bytes: Uint8Array) {
  const store = new MemoryStore();
  const holder = store.files("s_00000001", "holder");
  holder.appendOutput(bytes);
  return { holder, files: maskedOutput(store.files("s_00000001", "daemon"), () => [SECRET]) };
}

test("any read gives the output with the secret masked, as long as it was, and nothing else changed", () => {
  fc.assert(
    fc.property(text, fc.nat(300), fc.nat(300), (parts, from, length) => {
      const bytes = Buffer.from(parts.join(""));
      const { files } = printed(bytes);
      // What stands at the very end may be the beginning of the secret.
      const open = /7f3k[\w]*$/.exec(bytes.toString("latin1"))?.[0] ?? "";
      const cut = SECRET.startsWith(open) ? bytes.length - open.length : bytes.length;
      const expected = Buffer.from(bytes.toString("latin1").replaceAll(SECRET, "x".repeat(SECRET.length)), "latin1");
      expected.fill("x", cut);
      const into = new Uint8Array(length);
      const got = files.readOutput(from, into);
      expect(Buffer.from(into.subarray(0, got))).toEqual(expected.subarray(from, from + length));
    }),
  );
});

test("read in pieces of any size while it is printed byte by byte, less than four bytes of it are ever seen", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (before, size) => {
      const { holder, files } = printed(new Uint8Array(0));
      const seen: string[] = [];
      let at = 0;
      for (const byte of Buffer.from(`${before}${SECRET}after`)) {
        holder.appendOutput(Uint8Array.of(byte));
        const into = new Uint8Array(size);
        const got = files.readOutput(at, into);
        seen.push(Buffer.from(into.subarray(0, got)).toString("latin1"));
        at += got;
      }
      expect(seen.join("")).not.toContain(SECRET.slice(0, 4));
      expect(seen.join("")).not.toContain(SECRET.slice(4, 8));
    }),
  );
});
