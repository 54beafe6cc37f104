// Whatever programs do to a folder between two restore points, going back brings back exactly what was there, and going back
// from that brings back what was there before it. The person's own repository is not touched by any of it.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { depth } from "../../fixtures/depth.ts";
import { makeFolder, removeFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { fingerprint } from "../../fixtures/restore/fingerprint.ts";
import { pointsOf } from "../../fixtures/restore/points-of.ts";
import { type Change, change, changes } from "../../fixtures/restore/random-changes.ts";

const FILES = {
  a: "first\n",
  "src/main.c": "int main;\r\n",
  "docs/one": "1",
  ".gitignore": "*.log\n/build/\n",
  // None of these may change a byte, and none of these programs exists or may run.
  ".gitattributes": "* text=auto eol=lf ident filter=shout working-tree-encoding=UTF-16\n",
};

/** What undo does not touch, besides every .git. */
const isLeft = (path: string) => path === ".git" || path === "build" || path.endsWith("/.git");

const KINDS = {
  "a repository": (folder: string) => {
    writeFiles(folder, { a: "first\n", "docs/one": "1" });
    git(folder, "init", "-q");
    git(folder, "add", "a", "docs");
    git(folder, "commit", "-qm", "first");
    writeFiles(folder, FILES);
  },
  "a plain folder": (folder: string) => writeFiles(folder, FILES),
  "a folder with many files": (folder: string) => {
    writeFiles(folder, FILES);
    writeFiles(
      folder,
      Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`many/${i % 40}/f${i}`, `file ${i}\n`])),
    );
  },
};

interface Round {
  readonly changes: readonly Change[];
  /** After how many milliseconds a process that makes a point here is killed. */
  readonly kill: number | null;
}

const rounds = fc.array(
  fc.record({
    changes: fc.array(changes, { minLength: 1, maxLength: 10 }),
    kill: fc.oneof(
      { weight: 5, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 40, max: 400 }) },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);
/** Some forty calls of git each: a busy machine takes a second for one. */
const SEQUENCES_MS = 900_000;

describe.concurrent("undo brings back exactly what was there", () => {
  it.each([
    ["a repository", depth(1, 6, 144)],
    ["a plain folder", depth(1, 6, 144)],
    ["a folder with many files", depth(1, 2, 24)],
  ] as const)(
    "in %s, sequences: %i",
    async (kind, numRuns) => {
      const law = fc.asyncProperty(rounds, fc.nat(), async (all, pick) => {
        const folder = makeFolder();
        const [workspace, dir] = [join(folder, "ws"), join(folder, "shadow")];
        fs.mkdirSync(workspace);
        try {
          KINDS[kind](workspace);
          await sequence(workspace, dir, all, pick);
        } finally {
          removeFolder(folder);
        }
      });
      await fc.assert(law, { numRuns, endOnFailure: true });
    },
    SEQUENCES_MS,
  );
});

async function sequence(workspace: string, dir: string, all: readonly Round[], pick: number): Promise<void> {
  const own = fs.existsSync(join(workspace, ".git")) ? fingerprint(join(workspace, ".git")) : [];
  const kept = pointsOf(dir, workspace);
  const was = new Map<string, string[]>();
  for (const round of [{ changes: [], kill: null }, ...all]) {
    for (const one of round.changes) change(workspace, one);
    if (round.kill !== null) await killedInside(["point", dir, workspace], round.kill);
    await kept.before("a line");
    const newest = (await kept.list()).findLast(({ state }) => state)?.point_id ?? "";
    was.set(newest, fingerprint(workspace, isLeft));
  }
  const [to, files] = [...was][pick % was.size] ?? ["", []];
  for (const one of all[0]?.changes ?? []) change(workspace, one);
  const before = fingerprint(workspace, isLeft);
  const kill = all[0]?.kill ?? null;
  if (kill !== null) await killedInside(["undo", dir, workspace, to], kill);
  const undone = await kept.undo(to);
  expect(isFault(undone) ? undone : undone.left_alone).toEqual([]);
  expect(fingerprint(workspace, isLeft)).toEqual(files);
  if (kill === null && !isFault(undone)) {
    await kept.undo(undone.saved_as ?? "");
    expect(fingerprint(workspace, isLeft)).toEqual(before);
  }
  if (own.length > 0) expect(fingerprint(join(workspace, ".git"))).toEqual(own);
}

/** A process of its own does it and is killed meanwhile, or just after. Its git processes live on. */
async function killedInside(args: readonly string[], ms: number): Promise<void> {
  const program = join(import.meta.dirname, "../../fixtures/restore/one-point.mjs");
  const child = spawn(process.execPath, [program, ...args, `p_${randomBytes(4).toString("hex")}`], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await ended;
  clearTimeout(timer);
}
