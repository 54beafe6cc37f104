// Output is compressed without a moment at which it could be lost: what would take its place is on the disk, and was read back,
// before it goes.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileStore } from "../../src/host/disk/files.ts";
import { sharedFolder } from "../fixtures/folder.ts";
import { seeded } from "../fixtures/seeded.ts";
import { ROOT, run } from "../fixtures/stand/installation.ts";

const ID = "s_00000001";
const HOOK = join(ROOT, "test/fixtures/faults/dies-at-step.mjs");
const STORE = join(ROOT, "build/host/disk/files.js");
const BYTES = 2_500_000;
const folder = sharedFolder();
const random = seeded(20_261);
const output = Buffer.from(Array.from({ length: BYTES }, () => 97 + Math.floor(random() * 4)));

function journal(): string {
  const root = fs.mkdtempSync(join(folder, "r-"));
  fs.mkdirSync(join(root, ID));
  fs.writeFileSync(join(root, ID, "output.raw"), output);
  return root;
}

/** What it did, up to the step at which it dies. */
async function pack(root: string, death: { DIES_AT?: string } = {}): Promise<string[]> {
  const script = `(await import(${JSON.stringify(STORE)})).fileStore(${JSON.stringify(root)}).pack("${ID}")`;
  const args = ["--import", HOOK, "--input-type=module", "-e", `await ${script}`];
  const { stderr } = await run(process.execPath, args, { env: { ...process.env, ...death } });
  return stderr.split("\n").filter((line) => /^(open|write|sync|rename|delete) /.test(line));
}

function whole(root: string): boolean {
  const files = fileStore(root).files(ID, "daemon");
  const into = new Uint8Array(BYTES + 1);
  const got = files.readOutput(0, into);
  const size = files.outputSize();
  files.close();
  return size === BYTES && output.equals(into.subarray(0, got));
}

test("what was compressed is on the disk before the original goes, after a power cut, too", async () => {
  const root = journal();
  const frame = "write output.raw.gz.new";
  expect(await pack(root)).toEqual([
    "open output.raw.gz.new",
    ...[frame, frame, frame],
    "sync output.raw.gz.new",
    "rename output.raw.gz",
    `sync ${ID}`,
    "delete output.raw",
  ]);
  expect([whole(root), fs.readdirSync(join(root, ID))]).toEqual([true, ["output.raw.gz"]]);
});

test("kill -9 after any of its steps loses nothing, and the next try finishes", async () => {
  const steps = Array.from({ length: 8 }, (_, i) => i + 1);
  const killed = async (DIES_AT: number) => {
    const root = journal();
    const done = await pack(root, { DIES_AT: String(DIES_AT) });
    expect([done.length, whole(root)]).toEqual([DIES_AT, true]);
    await fileStore(root).pack(ID);
    expect([whole(root), fs.readdirSync(join(root, ID))]).toEqual([true, ["output.raw.gz"]]);
  };
  await Promise.all(steps.map(killed));
});
