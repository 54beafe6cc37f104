// Output is compressed without a moment at which it could be lost: what would take its place is on the disk, and was read back,
// before it goes.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileStore } from "../../src/host/disk/files.ts";
import { depth } from "../fixtures/depth.ts";
import { sharedFolder } from "../fixtures/folder.ts";
import { seeded } from "../fixtures/seeded.ts";
import { ROOT, run } from "../fixtures/stand/installation.ts";

const ID = "s_00000001";
const HOOK = join(ROOT, "test/fixtures/faults/dies-at-step.mjs");
const STORE = join(ROOT, "build/host/disk/files.js");
const MB = 1 << 20;
const BYTES = 2_500_000;
/** `npm test` kills after one of this many steps. */
const STEPS_PER_KILL = depth(5, 1);
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
async function pack(root: string, old: number | undefined, death: { DIES_AT?: string } = {}): Promise<string[]> {
  const script = `(await import(${JSON.stringify(STORE)})).fileStore(${JSON.stringify(root)}).pack("${ID}", ${old})`;
  const args = ["--import", HOOK, "--input-type=module", "-e", `await ${script}`];
  const { stderr } = await run(process.execPath, args, { env: { ...process.env, ...death } });
  return stderr.split("\n").filter((line) => /^(open|write|sync|rename|delete|fallocate) /.test(line));
}

function whole(root: string): boolean {
  const files = fileStore(root).files(ID, "daemon");
  const into = new Uint8Array(BYTES + 1);
  const got = files.readOutput(0, into);
  const size = files.outputSize();
  files.close();
  return size === BYTES && output.equals(into.subarray(0, got));
}

const [open, frame, sync] = ["open output.raw.gz", "write output.raw.gz", "sync output.raw.gz"];
const tried = ["fallocate output.hole.tried", "delete output.hole.tried"];
const hole = ["write output.hole.new", "sync output.hole.new", "rename output.hole", `sync ${ID}`];
/** All of it after the end, and the first two frames of a session that runs. */
const WAYS = [
  { what: "all", old: undefined, steps: [open, frame, frame, frame, sync, `sync ${ID}`, "delete output.raw"] },
  {
    what: "what is old",
    old: 2 * MB + 5,
    steps: [...tried, open, frame, frame, sync, `sync ${ID}`, ...hole, "fallocate output.raw"],
  },
];

test.each(WAYS)("$what: it is on the disk before the original goes, after a power cut, too", async ({ old, steps }) => {
  const root = journal();
  expect(await pack(root, old)).toEqual(steps);
  expect(whole(root)).toBe(true);
});

test.each(WAYS)("$what: kill -9 after any step loses nothing, and the next try finishes", async ({ old, steps }) => {
  const killed = async (i: number) => {
    const root = journal();
    const done = await pack(root, old, { DIES_AT: String(i + 1) });
    expect([done.length, whole(root)]).toEqual([i + 1, true]);
    await fileStore(root).pack(ID, old);
    const blocks = fs.statSync(join(root, ID, "output.raw"), { throwIfNoEntry: false })?.blocks ?? 0;
    expect([whole(root), blocks * 512 < BYTES - (old ?? 0) + MB / 2]).toEqual([true, true]);
    // The session ends later on.
    await fileStore(root).pack(ID);
    expect([whole(root), fs.readdirSync(join(root, ID))]).toEqual([true, ["output.raw.gz"]]);
  };
  const indices = [...steps.keys()].filter((i) => i % STEPS_PER_KILL === 0);
  await Promise.all(indices.map(killed));
});
