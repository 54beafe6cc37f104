// Folders that somebody swaps between a box's plan and its mounts. Programs in another box of the same agent can do that as often
// as they like, in all that they may write.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type BoxStand, boxStand } from "../../fixtures/box/box.ts";
import { depth } from "../../fixtures/depth.ts";
import { until } from "../../fixtures/soon.ts";

/** Of the boxes that bubblewrap makes, one in a hundred opens the home folder. */
const TRIES = 300;
/** On a busy machine fewer tries must do, as long as one of them has started. */
const TRIES_MS_MAX = depth(1_000, 2_500, 30_000);

/** A box has its own /tmp, and sees the rest of the disk with all links in it. */
describe.each(["/tmp", "/var/tmp"])("in %s", (under) => {
  const stand = () => boxStand(undefined, {}, under);

  test("a root that became a link after the plan opens nothing elsewhere", () => {
    using box = stand();
    const words = planned(box);
    fs.renameSync(join(box.workspace, "sub"), join(box.workspace, "moved"));
    fs.symlinkSync("../home", join(box.workspace, "sub"));
    begin(words, `echo x >'${box.homeFolder}/file'; echo x >'${box.homeFolder}/secret'`);
    expect(inHome(box)).toEqual({ secret: "canary" });
  });

  test("another folder in place of a root is not opened", () => {
    using box = stand();
    const words = planned(box);
    fs.mkdirSync(join(box.workspace, "other"));
    fs.renameSync(join(box.workspace, "sub"), join(box.workspace, "moved"));
    fs.renameSync(join(box.workspace, "other"), join(box.workspace, "sub"));
    begin(words, `echo x >'${join(box.workspace, "sub/file")}'`);
    expect(fs.readdirSync(join(box.workspace, "sub"))).toEqual([]);
  });

  test("a protected name that became a link after the plan shows nothing from elsewhere", () => {
    using box = stand();
    fs.mkdirSync(join(box.workspace, "sub"));
    fs.writeFileSync(join(box.workspace, "sub/.envrc"), "");
    const words = planned(box);
    fs.rmSync(join(box.workspace, "sub/.envrc"));
    fs.symlinkSync("../../home/.ssh/secret", join(box.workspace, "sub/.envrc"));
    const { output } = begin(words, `echo STARTED; cat '${join(box.workspace, "sub/.envrc")}'`);
    expect(output).not.toMatch(/STARTED|canary/);
  });
});

test.each([undefined, "nobody, by bubblewrap"] as const)(
  "however often a root and a link to the home folder are exchanged while boxes start, no box writes there: %s",
  async (user) => {
    using box = boxStand(user, {}, "/var/tmp");
    const sub = join(box.workspace, "sub");
    const words = planned(box);
    fs.symlinkSync("../home", join(box.workspace, "link"));
    const swaps = spawn("python3", ["-c", SWAP, sub, join(box.workspace, "link")]);
    await using _ = { [Symbol.asyncDispose]: () => ended(swaps) };
    await until(() => fs.lstatSync(sub).isSymbolicLink(), "a swap");
    const line = `echo x >'${box.homeFolder}/file'; echo x >'${join(sub, "file")}'; exit 42`;
    const end = performance.now() + TRIES_MS_MAX;
    let started = 0;
    for (let tries = 0; tries < TRIES && (started === 0 || performance.now() < end); tries += 1)
      if (begin(words, line).code === 42) started += 1;
    expect(inHome(box)).toEqual({ secret: "canary" });
    expect(started).toBeGreaterThan(0);
  },
);

/** renameat2 with RENAME_EXCHANGE, up to 100 µs apart: a mount takes about as long. */
const SWAP = `import ctypes, random, sys
exchange = ctypes.CDLL(None).renameat2
a, b = (name.encode() for name in sys.argv[1:])
while True:
  exchange(-100, a, -100, b, 2)
  for _ in range(random.randrange(3000)): pass`;

/** What starts a box for the folder `sub` of the workspace. */
function planned({ sandbox, workspace, homeFolder }: BoxStand): string[] {
  fs.mkdirSync(join(homeFolder, ".ssh"), { recursive: true });
  for (const name of ["secret", ".ssh/secret"]) fs.writeFileSync(join(homeFolder, name), "canary");
  const sub = join(workspace, "sub");
  if (!fs.lstatSync(sub, { throwIfNoEntry: false })) fs.mkdirSync(sub);
  const plan = sandbox.plan({ cwd: sub });
  sandbox.reserve("box", plan);
  return sandbox.prefix("box", plan);
}

function begin(words: readonly string[], line: string): { output: string; code: number | null } {
  const [file = "", ...args] = [...words, "/bin/bash", "-c", line];
  const { stdout, stderr, status } = spawnSync(file, args, { cwd: "/", encoding: "utf8" });
  return { output: stdout + stderr, code: status };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Files. bubblewrap may leave an empty folder where it wanted to mount something. */
function inHome({ homeFolder }: BoxStand): Record<string, string> {
  const entries = fs.readdirSync(homeFolder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.parentPath.endsWith("/.ssh"));
  return Object.fromEntries(
    files.map(({ name, parentPath }) => [name, fs.readFileSync(join(parentPath, name), "utf8")]),
  );
}
