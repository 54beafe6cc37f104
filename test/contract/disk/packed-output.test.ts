// Packed output reads as the raw one did: any range of any output, also while it grows. It is a plain gzip file.
import fs from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileStore } from "../../../src/host/disk/files.ts";
import { sharedFolder } from "../../fixtures/folder.ts";

const folder = sharedFolder();
const ID = "s_00000001";
const MB = 1 << 20;

/** What was written, and a store that has it packed. */
async function packed(pieces: readonly Uint8Array[]) {
  const root = fs.mkdtempSync(join(folder, "r-"));
  fs.mkdirSync(join(root, ID));
  const held = fileStore(root).files(ID, "holder");
  for (const piece of pieces) held.appendOutput(piece);
  held.close();
  const raw = fs.readFileSync(join(root, ID, "output.raw"));
  const store = fileStore(root);
  const isPacked = await store.pack(ID);
  return { raw, root, store, isPacked, path: join(root, ID, "output.raw.gz") };
}

/** Compresses well or not at all, and is not the same twice. */
const Piece = fc
  .record({ seed: fc.uint8Array({ minLength: 1, maxLength: 2_000 }), times: fc.integer({ min: 1, max: 600 }) })
  .map(({ seed, times }) => Buffer.concat(Array.from({ length: times }, (_, i) => Buffer.from([...seed, i & 255]))));

test("random output, packed: every range is what it was", async () => {
  const Ranges = fc.array(fc.tuple(fc.nat(3 * MB), fc.nat(1.5 * MB)), { minLength: 5, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(fc.array(Piece, { minLength: 1, maxLength: 8 }), Ranges, async (pieces, ranges) => {
      const { raw, store } = await packed(pieces);
      const files = store.files(ID, "daemon");
      expect([files.outputSize(), store.started(ID)]).toEqual([raw.length, true]);
      // Around the border of two frames, too.
      for (const [at, length] of [...ranges, [MB - 1, 2], [MB, 1], [0, raw.length + 1]] as const) {
        const into = new Uint8Array(length);
        const got = files.readOutput(at, into);
        expect(raw.subarray(at, at + length).equals(into.subarray(0, got))).toBe(true);
      }
      files.close();
    }),
    { numRuns: 15 },
  );
});

test("it is a gzip file, smaller than what it holds; little output is left alone; packing again does nothing", async () => {
  const log = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${i} a line of a log\r\n`).join(""));
  const { raw, path, store, isPacked } = await packed([log]);
  expect(isPacked).toBe(true);
  expect(gunzipSync(fs.readFileSync(path)).equals(raw)).toBe(true);
  expect(fs.statSync(path).size).toBeLessThan(raw.length / 4);
  expect(store.files(ID, "daemon").outputHas("59999 a line", 0, raw.length)).toBe(true);
  expect(await store.pack(ID)).toBe(false);
  expect((await packed([Buffer.from("little")])).isPacked).toBe(false);
});

test("a damaged frame is not read, and the others are", async () => {
  const { raw, path, store } = await packed([Buffer.alloc(2.5 * MB, "some text\r\n")]);
  const bytes = fs.readFileSync(path);
  bytes[200] = (bytes[200] ?? 0) ^ 16;
  fs.writeFileSync(path, bytes);
  const files = store.files(ID, "daemon");
  const into = new Uint8Array(100);
  expect([files.outputSize(), files.readOutput(10, into), files.readOutput(MB + 10, into)]).toEqual([
    raw.length,
    0,
    100,
  ]);
  expect(raw.subarray(MB + 10, MB + 110).equals(into)).toBe(true);
});

test("what runs is packed again and again, as far as it is old: every range is what it was", async () => {
  const Turns = fc.array(fc.tuple(Piece, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 3, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(Turns, fc.array(fc.nat(4 * MB), { minLength: 5, maxLength: 5 }), async (turns, places) => {
      const root = fs.mkdtempSync(join(folder, "r-"));
      fs.mkdirSync(join(root, ID));
      const held = fileStore(root).files(ID, "holder");
      const store = fileStore(root);
      const files = store.files(ID, "daemon");
      let raw = Buffer.alloc(0);
      for (const [piece, old] of turns) {
        held.appendOutput(piece);
        raw = Buffer.concat([raw, piece]);
        await store.pack(ID, Math.floor(old * raw.length));
        for (const at of [0, MB - 1, Math.max(0, raw.length - 3), ...places]) {
          const into = new Uint8Array(MB + 100);
          const got = files.readOutput(at, into);
          expect(raw.subarray(at, at + into.length).equals(into.subarray(0, got))).toBe(true);
        }
        expect(files.outputSize()).toBe(raw.length);
      }
      files.close();
      held.close();
    }),
    { numRuns: 15 },
  );
});

test.each([
  ["frame", 200, { reads: [0, 100] }],
  ["header", 12, { reads: [0, 0] }],
])(
  "a damaged %s of a session that runs: no zeros in its place, and what is left is not packed over",
  async (_, at, { reads }) => {
    const root = fs.mkdtempSync(join(folder, "r-"));
    fs.mkdirSync(join(root, ID));
    const raw = Buffer.alloc(3.5 * MB, "some text\r\n");
    fs.writeFileSync(join(root, ID, "output.raw"), raw);
    expect(await fileStore(root).pack(ID, 2 * MB)).toBe(true);
    const path = join(root, ID, "output.raw.gz");
    const bytes = fs.readFileSync(path);
    bytes[at] = (bytes[at] ?? 0) ^ 16;
    fs.writeFileSync(path, bytes);
    const store = fileStore(root);
    const files = store.files(ID, "daemon");
    const into = new Uint8Array(100);
    expect([files.readOutput(10, into), files.readOutput(MB + 10, into)]).toEqual(reads);
    await store.pack(ID, 3 * MB).catch((error) => expect(String(error)).toContain("damaged"));
    expect(fs.readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true);
  },
);
