// Keeps up what protects and hides files in boxes that are open. A mount goes with the file that it lies on: when the person
// replaces `.git/config` or `.netrc`, the new file has none, so it gets one here, from outside. Links get one, too, which
// bubblewrap cannot give them. Owns: the watches. Refuses: to promise it for the milliseconds in between (SECURITY.md).
import { execFile } from "node:child_process";
import fs from "node:fs";
import { dirname, join } from "node:path";
import type { BoxPlan } from "../../core/box/plan.ts";
import { packageFile } from "../../package.ts";
import { standing } from "./links.ts";

const PERL = "/usr/bin/perl";
const SCRIPT = packageFile("shell/protect.pl");
/** A box with more repositories keeps what it had at the start. */
const FOLDERS_MAX = 200;
/** A box starts in 5 ms. A machine that swaps takes a second. */
const START_LOOK_MS = 20;
const START_LOOKS_MAX = 500;
/** A program that writes all the time costs the daemon a tenth of its time at most. */
const GO_MS = 5;

interface Renewed {
  readonly plan: Pick<BoxPlan, "readOnly" | "links" | "gitFolders">;
  /** What is empty inside, as soon as it is there. */
  readonly secrets: readonly string[];
  /** new: it was made by this plan. found: nobody knows what was replaced before we came. */
  readonly box: "new" | "found";
  /** Any process inside. Null while it starts. */
  pid(): number | null;
  /** The box is there, with all its mounts. */
  made(): void;
  /** Something has changed where git writes. */
  sweep(): void;
  /** What it could not do. */
  say(text: string): void;
}

/** The folders are watched when it returns. */
export function renewProtection({ plan, secrets, box, pid, made, sweep, say }: Renewed): { close(): void } {
  const hidden = new Set(secrets);
  const paths = new Set([...secrets, ...plan.readOnly.map(({ path }) => path), ...plan.links]);
  const covered = new Map([...paths].map((path) => [path, box === "new" ? idOf(path) : undefined]));
  const closed = new AbortController();
  let turn = Promise.resolve();
  const cover = (wanted: readonly string[]) => {
    if (wanted.length === 0) return;
    turn = turn.then(async () => {
      const inside = await started(pid, closed.signal);
      if (inside === null || closed.signal.aborted) return;
      const words = wanted.map((path) => (hidden.has(path) ? "h" : "r") + path);
      const why = await run([SCRIPT, String(inside), ...words]);
      if (why !== null && !closed.signal.aborted)
        say(`The box of this session cannot protect ${wanted.join(", ")} (${why}). Open a new session.`);
    });
  };
  const look = (path: string) => {
    const id = idOf(path);
    const isNew = id !== undefined && covered.get(path) !== id;
    covered.set(path, id);
    if (isNew) cover([path]);
  };
  const swept = new Set(plan.gitFolders);
  const sweepSoon = inOneGo(() => closed.signal.aborted || sweep());
  const folders = [...new Set([...[...paths].map(dirname), ...swept])].slice(0, FOLDERS_MAX);
  const changed = (folder: string, name: string) => {
    if (paths.has(join(folder, name))) look(join(folder, name));
    if (swept.has(folder)) sweepSoon();
  };
  for (const folder of folders) watch(folder, closed.signal, (name) => changed(folder, name), say);
  cover(box === "new" ? plan.links : [...paths]);
  void started(pid, closed.signal).then((inside) => inside !== null && made());
  return { close: () => closed.abort() };
}

/** git changes many files at once. */
function inOneGo(act: () => void): () => void {
  let isDue = false;
  const go = () => {
    isDue = false;
    act();
  };
  return () => {
    if (!isDue) setTimeout(go, GO_MS).unref();
    isDue = true;
  };
}

/** A file that was replaced is another one. */
function idOf(path: string): string | undefined {
  const stat = standing(path);
  return stat && `${stat.dev}:${stat.ino}`;
}

function watch(
  folder: string,
  signal: AbortSignal,
  changed: (name: string) => void,
  say: (text: string) => void,
): void {
  const failed = (error: unknown) => say(`The box of this session cannot watch ${folder}: ${error}`);
  try {
    const watcher = fs.watch(folder, { persistent: false, signal });
    watcher.on("change", (_, name) => changed(String(name)));
    watcher.on("error", failed);
  } catch (error) {
    // It is gone, or the machine has no watches left.
    if (fs.existsSync(folder)) failed(error);
  }
}

async function started(pid: () => number | null, signal: AbortSignal): Promise<number | null> {
  for (let looks = 0; looks < START_LOOKS_MAX && !signal.aborted; looks += 1) {
    const inside = pid();
    if (inside !== null) return inside;
    await new Promise((resolve) => setTimeout(resolve, START_LOOK_MS));
  }
  return null;
}

/** Why it failed, or null. */
function run(args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(PERL, args, (error, _, stderr) => resolve(error && (stderr.trim() || error.message)));
  });
}
