// A real session's files, cut at every byte near their end and with single bits turned over: all that is whole is still read, and
// nothing is read that was not written. Read through the store, as the daemon does.
import fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LineFile } from "../../src/core/journal/store.ts";
import { fileStore } from "../../src/host/disk/files.ts";
import { depth } from "../fixtures/depth.ts";
import { makeFolder, removeFolder } from "../fixtures/folder.ts";
import { seeded } from "../fixtures/seeded.ts";
import { stand } from "../fixtures/stand/stand.ts";

const CUTS = depth(150, 500, 4_096);
const FLIPS = depth(60, 200, 1_000);
const LINES: readonly LineFile[] = ["records", "events", "screen", "blocks"];

/** Everything of this file lies here. */
const folder = makeFolder();
afterAll(() => removeFolder(folder));
const kept = join(folder, "kept");
const root = join(folder, "damaged");
let id = "";
beforeAll(async () => {
  await using s = await stand();
  const { session_id } = await s.openShell();
  for (let i = 0; i < 12; i++) await s.agent().run_command({ session_id, command: `echo ${i}; seq ${i * 10}` });
  await s.person.pty_close({ session_id });
  id = session_id;
  // From then on nothing is written.
  await s.person.shutdown({});
  fs.cpSync(join(s.duetty.home.sessions, id), join(kept, id), { recursive: true });
});

/** What the store reads of a session whose file was changed. */
function read(name: LineFile, change: (bytes: Buffer) => Buffer): string[] {
  fs.mkdirSync(join(root, id), { recursive: true });
  const file = `${name}.jsonl`;
  fs.copyFileSync(join(kept, id, "meta.json"), join(root, id, "meta.json"));
  fs.writeFileSync(join(root, id, file), change(fs.readFileSync(join(kept, id, file))));
  const files = fileStore(root).files(id, "daemon");
  const lines = files.readLines(name).map((line) => JSON.stringify(line));
  files.close();
  fs.rmSync(root, { recursive: true });
  return lines;
}

test.each(LINES)("%s, cut anywhere: the whole lines before the cut, and no other", (name) => {
  const all = read(name, (bytes) => bytes);
  const size = fs.statSync(join(kept, id, `${name}.jsonl`)).size;
  expect(all.length).toBeGreaterThan(2);
  for (let cut = 1; cut < Math.min(CUTS, size); cut++) {
    let whole = 0;
    const lines = read(name, (bytes) => {
      const left = bytes.subarray(0, size - cut);
      whole = left.filter((byte) => byte === 0x0a).length;
      return left;
    });
    // A cut between the last brace and its line end leaves a line that was written.
    expect([all.slice(0, whole), all.slice(0, whole + 1)]).toContainEqual(lines);
  }
});

test.each(LINES)("%s, a bit turned over: all other lines are as they were", (name) => {
  const all = read(name, (bytes) => bytes);
  const random = seeded(20_261);
  for (let i = 0; i < FLIPS; i++) {
    const lines = read(name, (bytes) => {
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      return bytes;
    });
    // The line itself is changed or left out; a line end that is gone takes the next line with it.
    const strange = lines.filter((line) => !all.includes(line)).length;
    expect(strange).toBeLessThan(2);
    expect(lines.length).toBeGreaterThanOrEqual(all.length - 2);
  }
});

test("output, cut anywhere: exactly the bytes before the cut", () => {
  const whole = fs.readFileSync(join(kept, id, "output.raw"));
  for (let cut = 1; cut < Math.min(CUTS, whole.length); cut++) {
    fs.mkdirSync(join(root, id), { recursive: true });
    fs.writeFileSync(join(root, id, "output.raw"), whole.subarray(0, -cut));
    const files = fileStore(root).files(id, "daemon");
    const into = new Uint8Array(whole.length);
    expect(files.outputSize()).toBe(whole.length - cut);
    expect(whole.subarray(0, -cut).equals(into.subarray(0, files.readOutput(0, into)))).toBe(true);
    files.close();
    fs.rmSync(root, { recursive: true });
  }
});
