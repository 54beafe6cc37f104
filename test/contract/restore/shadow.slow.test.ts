// The shadow repository against programs that swap files while it works, repositories that stop git, and stores that fill up.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../fixtures/folder.ts";
import { fingerprint } from "../../fixtures/restore/fingerprint.ts";
import { place, sure } from "../../fixtures/restore/place.ts";
import { PLENTY, pointsOf } from "../../fixtures/restore/points-of.ts";

describe("what is not run, touched or believed", () => {
  it("a program that swaps folders for links all the time gets nothing written or deleted outside", async () => {
    const { folder, ws, dir, at } = place({ "sub/file": "mine", "sub/gone": "mine", "sub/deep/file": "mine" });
    const outside = join(folder, "outside");
    // Undo's own leftovers have this name; it removes them inside the workspace only.
    writeFiles(outside, { made: "theirs", "deep/made": "theirs", ".duetty-undo-tmp": "theirs" });
    const was = fingerprint(outside);
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    const [first] = await kept.list();
    const swap = `while :; do ln -s ${outside} sub; rm -rf sub; mkdir -p sub/deep; touch sub/made sub/.duetty-undo-tmp sub/deep/made; rm -rf sub; done`;
    // The pipe is closed when everything that it started is over.
    const child = spawn("sh", ["-c", swap], { cwd: ws, detached: true, stdio: ["ignore", "pipe", "ignore"] });
    for (let i = 0; i < 25; i++) await kept.undo(first?.point_id);
    const ended = new Promise((resolve) => child.on("close", resolve));
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    expect(fingerprint(outside)).toEqual(was);
    fs.rmSync(at("sub"), { recursive: true, force: true });
    sure(await kept.undo(first?.point_id));
    expect(fs.readFileSync(at("sub/deep/file"), "utf8")).toBe("mine");
  });

  it("a program that swaps undo's own files for links while undo works gets nothing deleted outside", async () => {
    const { folder, ws, dir, at, read } = place({ "doc.txt": "mine" });
    const victim = join(folder, "victim");
    const names = Array.from({ length: 3_000 }, (_, i) => `f${i}`);
    for (const inside of [victim, at(".duetty-undo-tmp")])
      writeFiles(inside, Object.fromEntries(names.map((name) => [name, ""])));
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.writeFileSync(at("doc.txt"), "spoilt");
    const swap = `const fs = require("fs");
      const [first] = fs.readdirSync(".duetty-undo-tmp");
      const isOurs = (name) => name.startsWith(".duetty-undo-tmp-");
      console.log("ready");
      for (;;) {
        if (!fs.existsSync(".duetty-undo-tmp/" + first)) {
          fs.renameSync(".duetty-undo-tmp", "moved");
          fs.symlinkSync(process.argv[1], ".duetty-undo-tmp");
          break;
        }
        for (const name of fs.readdirSync(".").filter(isOurs))
          try { fs.unlinkSync(name); fs.symlinkSync(process.argv[1], name); } catch {}
      }`;
    const child = spawn(process.execPath, ["-e", swap, victim], { cwd: ws, stdio: ["ignore", "pipe", "ignore"] });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    for (let i = 0; i < 5; i++) await kept.undo((await kept.list())[0]?.point_id, { paths: ["doc.txt"] });
    child.kill("SIGKILL");
    await ended;
    expect(fs.readdirSync(victim)).toHaveLength(names.length);
    sure(await kept.undo((await kept.list())[0]?.point_id, { paths: ["doc.txt"] }));
    expect(read("doc.txt")).toBe("mine");
  });

  it.each([".gitignore", "sub/.gitattributes"])(
    "a named pipe %s, which stops git: it is named, and undo goes on without it",
    async (pipe) => {
      const { ws, dir, at, read } = place({ "sub/a": "1" });
      const kept = pointsOf(dir, ws);
      await kept.before("first");
      fs.writeFileSync(at("sub/a"), "2");
      execFileSync("mkfifo", [at(pipe)]);
      await kept.before("second");
      expect((await kept.list()).at(-1)?.skipped).toContain(pipe);
      expect(await kept.undo()).toMatchObject({ code: "restore.failed", message: expect.stringContaining(pipe) });
      fs.rmSync(at(pipe));
      sure(await kept.undo());
      expect(read("sub/a")).toBe("1");
    },
  );
});

describe("which points there are", () => {
  it("those whose files are all in their neighbours go, the store is packed, and the rest still comes back", async () => {
    const { ws, dir, at, read } = place({ a: "0" });
    const kept = pointsOf(dir, ws, { settings: { ...PLENTY, keep: 3 } });
    for (let i = 0; i < 30; i++) {
      fs.writeFileSync(at(`made ${i}`), `${i}`);
      await kept.before(`line ${i}`);
    }
    fs.writeFileSync(at("a"), "last");
    const undone = sure(await kept.undo());
    expect([read("a"), undone.point.text]).toEqual(["0", "line 29"]);
    const left = await kept.list();
    expect(left.length).toBeLessThan(10);
    expect(left[0]?.text).toBe("line 0");
    expect(fs.readdirSync(join(dir, "refs/points")).sort()).toEqual(left.map(({ point_id }) => point_id).sort());
    // What a point says of the next one is true of the next one that is left.
    expect((await kept.points.listed(ws))[0]?.changed?.added).toBeGreaterThan(1);
    sure(await kept.undo(left[0]?.point_id));
    expect(fs.readdirSync(ws).sort()).toEqual(["a", "made 0"]);
  });

  it.each([
    ["makes new files", (i: number) => `made ${i}`],
    ["writes one file again and again", () => "made"],
  ])("an agent that deletes a file and then %s does not drive out the point that has it", async (_, made) => {
    const { ws, dir, at, read } = place({ a: "1" });
    const kept = pointsOf(dir, ws, { settings: { ...PLENTY, keep: 5 } });
    const lines = async (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        await kept.before(`line ${i}`);
        fs.writeFileSync(at(made(i)), `${i}`);
      }
    };
    await lines(0, 3);
    writeFiles(ws, { "thesis.txt": "a person's own" });
    await kept.before("the worst line");
    fs.rmSync(at("thesis.txt"));
    await lines(3, 40);
    const worst = (await kept.list()).find(({ text }) => text === "the worst line");
    sure(await kept.undo(worst?.point_id, { paths: ["thesis.txt"] }));
    expect(read("thesis.txt")).toBe("a person's own");
  });

  it("many small files fill the store as well as a large one: that is said, and what is kept stays", async () => {
    const { ws, dir, at, read } = place({ mine: "a person's own" });
    const limits = { ignored: false, fileBytesMax: 1 << 20, totalBytesMax: 2_000_000 };
    const kept = pointsOf(dir, ws, { limits, settings: { ...PLENTY, keep: 2 } });
    await kept.before("first");
    fs.rmSync(at("mine"));
    for (let i = 0; i < 12; i++) {
      fs.writeFileSync(at("made"), randomBytes(300_000));
      await kept.before(`line ${i}`);
    }
    const list = await kept.list();
    expect(list.at(-1)?.skipped).toContain("max_total_mb");
    for (const made of fs.readdirSync(ws)) fs.rmSync(at(made));
    sure(await kept.undo(list[0]?.point_id));
    expect(read("mine")).toBe("a person's own");
  });
});
