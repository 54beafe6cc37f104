// The shadow repository on real folders: what it keeps exactly, what it says that it leaves out, and what it never runs.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isDue } from "../../../src/core/restore/due.ts";
import type { StoredPoint } from "../../../src/core/restore/state.ts";
import { toTidy } from "../../../src/core/restore/thin.ts";
import { writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { fingerprint } from "../../fixtures/restore/fingerprint.ts";
import { place, sure } from "../../fixtures/restore/place.ts";
import { PLENTY, pointsOf } from "../../fixtures/restore/points-of.ts";

describe("what is kept", () => {
  it("files, links, empty folders, permission bits, and nothing is left over", async () => {
    const { ws, dir, at } = place({ a: "a\n", "run.sh": "#!/bin/sh\n", "secret/key": "k", "old/name": "n" });
    fs.chmodSync(at("run.sh"), 0o755);
    fs.chmodSync(at("secret/key"), 0o600);
    fs.chmodSync(at("secret"), 0o700);
    fs.symlinkSync("a", at("link"));
    fs.mkdirSync(at("empty/inner"), { recursive: true });
    const was = fingerprint(ws);
    const kept = pointsOf(dir, ws);
    await kept.before("rm -rf everything");
    execFileSync(
      "sh",
      ["-c", "rm -r empty link a; chmod 777 secret secret/key run.sh; mv old new; mkdir -p x/y; echo z >x/z"],
      {
        cwd: ws,
      },
    );
    const now = fingerprint(ws);
    const undone = sure(await kept.undo());
    expect(fingerprint(ws)).toEqual(was);
    sure(await kept.undo(undone.saved_as ?? ""));
    expect(fingerprint(ws)).toEqual(now);
  });

  it("a file that the person's repository tracks although it is ignored", async () => {
    const { ws, dir, at, read } = place({ "tracked.log": "mine\n", "other.log": "x", ".gitignore": "*.log\n" });
    git(ws, "init", "-q");
    git(ws, "add", "-f", "tracked.log");
    const kept = pointsOf(dir, ws);
    await kept.before("rm *.log");
    fs.rmSync(at("tracked.log"));
    fs.rmSync(at("other.log"));
    sure(await kept.undo());
    expect(read("tracked.log")).toBe("mine\n");
    expect(fs.existsSync(at("other.log"))).toBe(false);
  });

  it("ignored files, too, where a person wants that", async () => {
    const { ws, dir, at, read } = place({ ".env": "KEY=1\n", ".gitignore": ".env\n" });
    const kept = pointsOf(dir, ws, { limits: { ignored: true, fileBytesMax: 1 << 20, totalBytesMax: 1 << 30 } });
    await kept.before("rm .env");
    fs.rmSync(at(".env"));
    sure(await kept.undo());
    expect(read(".env")).toBe("KEY=1\n");
  });

  it("files of a repository inside the workspace, without its .git", async () => {
    const { ws, dir, at, read } = place({ "sub/file": "1", "sub/deeper/other": "2" });
    for (const one of ["sub", "sub/deeper"]) git(at(one), "init", "-q");
    const own = fingerprint(at("sub/.git"));
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.writeFileSync(at("sub/file"), "changed");
    fs.rmSync(at("sub/deeper/other"));
    fs.writeFileSync(at("sub/new"), "new");
    sure(await kept.undo());
    expect([read("sub/file"), read("sub/deeper/other"), fs.existsSync(at("sub/new"))]).toEqual(["1", "2", false]);
    expect(fingerprint(at("sub/.git"))).toEqual(own);
  });

  it("bytes as they are, whatever .gitattributes asks for", async () => {
    const text = "one\r\ntwo\r\n$Id$\n";
    const { ws, dir, at, read } = place({
      "a.txt": text,
      ".gitattributes": "* text=auto eol=lf ident filter=evil diff=evil working-tree-encoding=UTF-16\n",
    });
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.writeFileSync(at("a.txt"), "gone");
    sure(await kept.undo());
    expect(read("a.txt")).toBe(text);
  });

  it("a change back within the same second, with the same size and an old time on it", async () => {
    const { ws, dir, at, read } = place({ a: "1111" });
    fs.utimesSync(at("a"), 1_000_000_000, 1_000_000_000);
    const kept = pointsOf(dir, ws);
    await kept.before("first");
    fs.writeFileSync(at("a"), "2222");
    fs.utimesSync(at("a"), 1_000_000_000, 1_000_000_000);
    await kept.before("second");
    const second = (await kept.list()).at(-1)?.point_id;
    fs.writeFileSync(at("a"), "3333");
    sure(await kept.undo(second));
    expect(read("a")).toBe("2222");
  });
});

describe("what is left out", () => {
  it("a large file is listed, not kept, and not touched by undo", async () => {
    const { ws, dir, at } = place({ small: "s" });
    fs.writeFileSync(at("large"), Buffer.alloc(2 << 20, 1));
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    expect((await kept.list())[0]).toMatchObject({ left_out: [{ path: "large", why: "large" }], left_out_total: 1 });
    fs.writeFileSync(at("large"), "small now");
    fs.writeFileSync(at("made"), Buffer.alloc(2 << 20, 3));
    fs.writeFileSync(at("small"), Buffer.alloc(2 << 20, 2));
    const undone = sure(await kept.undo());
    expect(undone.left_alone.map(({ path }) => path).sort()).toEqual(["large", "made", "small"]);
    expect(fs.readFileSync(at("large"), "utf8")).toBe("small now");
    expect(fs.statSync(at("small")).size).toBe(2 << 20);
  });

  it("names that git refuses, and what is no file, are said", async () => {
    const { ws, dir, at } = place({ a: "a", ".GIT/x": "x" });
    execFileSync("mkfifo", [at("pipe")]);
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    expect((await kept.list())[0]?.left_out).toEqual([{ path: ".GIT/x", why: "name" }]);
    fs.rmSync(at("a"));
    sure(await kept.undo());
    expect(fs.existsSync(at("a"))).toBe(true);
  });

  it("what was put in a file's place and is not kept can be moved aside, and nothing is destroyed", async () => {
    const { ws, dir, at, read } = place({
      ...{ ".gitignore": "*.tmp\n", "a.txt": "a", "b.txt": "b", "c.txt": "c", "sub/d/e": "e", "f/.gitignore": "x\n" },
      ...{ keep: "k", "h.txt": "h" },
    });
    const kept = pointsOf(dir, ws);
    const was = fingerprint(ws);
    await kept.before("a line");
    const large = Buffer.alloc(2 << 20, 1);
    for (const path of ["a.txt", "b.txt", "c.txt", "sub", "f", "h.txt"]) fs.rmSync(at(path), { recursive: true });
    fs.writeFileSync(at("a.txt"), large);
    execFileSync("mkfifo", [at("b.txt")]);
    writeFiles(ws, { "c.txt/small": "s", "c.txt/x.tmp": "ignored", f: "a file", "h.txt/.git/config": "" });
    fs.writeFileSync(at("c.txt/big"), large);
    fs.writeFileSync(at("sub"), large);
    const left = sure(await kept.undo());
    const inWay = left.left_alone.filter(({ in_way }) => in_way).map(({ path }) => path);
    expect(inWay.sort()).toEqual(["a.txt", "b.txt", "c.txt", "h.txt", "sub", "sub/d/e"]);
    expect(fs.statSync(at("a.txt")).size).toBe(large.length);
    const first = (await kept.list())[0]?.point_id;
    const shown = sure(await kept.undo(first, { in_way: "move", apply: false }));
    expect([...shown.plan.obstacles].sort()).toEqual(expect.arrayContaining(["a.txt", "c.txt", "sub"]));
    const undone = sure(await kept.undo(first, { in_way: "move" }));
    expect(undone.left_alone).toEqual([]);
    expect(undone.moved.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt", "c.txt", "h.txt", "sub"]);
    expect(fingerprint(ws, (path) => path.includes(".aside-"))).toEqual(was);
    const to = Object.fromEntries(undone.moved.map((one) => [one.path, one.to]));
    expect([to["a.txt"], `${to["c.txt"]}/big`, to.sub].map((path) => fs.statSync(at(path ?? "")).size)).toEqual([
      ...[large.length, large.length, large.length],
    ]);
    expect(fs.lstatSync(at(to["b.txt"] ?? "")).isFIFO()).toBe(true);
    expect([read(`${to["c.txt"]}/x.tmp`), read(`${to["h.txt"]}/.git/config`)]).toEqual(["ignored", ""]);
  });

  it("a file that is ignored now is not replaced by one that was kept", async () => {
    const { ws, dir, at, read } = place({ "a.tmp": "kept" });
    const kept = pointsOf(dir, ws);
    await kept.before("first");
    const first = (await kept.list()).at(-1)?.point_id;
    fs.rmSync(at("a.tmp"));
    await kept.before("second");
    writeFiles(ws, { ".git/info/exclude": "*.tmp\n", "a.tmp": "not kept by anybody" });
    const undone = sure(await kept.undo(first));
    expect(undone.left_alone).toEqual([
      { path: "a.tmp", why: "a file that is not kept is in its place", in_way: true },
    ]);
    expect(read("a.tmp")).toBe("not kept by anybody");
    const [moved] = sure(await kept.undo(first, { in_way: "move" })).moved;
    expect([read("a.tmp"), read(moved?.to ?? "")]).toEqual(["kept", "not kept by anybody"]);
  });

  it("what could not be read then is not deleted now", async () => {
    const { ws, dir, at } = place({ a: "1", "locked/x": "x", secret: "s" });
    for (const path of ["locked", "secret"]) fs.chmodSync(at(path), 0);
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    const [first] = await kept.list();
    fs.chmodSync(at("locked"), 0o755);
    fs.chmodSync(at("secret"), 0o644);
    fs.writeFileSync(at("a"), "2");
    sure(await kept.undo(first?.point_id));
    for (const [path, mode] of [
      ["locked", 0o755],
      ["secret", 0o644],
    ] as const)
      fs.chmodSync(at(path), mode);
    expect(["a", "locked/x", "secret"].map((path) => fs.readFileSync(at(path), "utf8"))).toEqual(["1", "x", "s"]);
  });

  it("too much at once: no point, and it is said", async () => {
    const { ws, dir } = place({ a: "x".repeat(700_000), b: "y".repeat(700_000) });
    const kept = pointsOf(dir, ws, { limits: { ignored: false, fileBytesMax: 1 << 20, totalBytesMax: 1_000_000 } });
    await kept.before("a line");
    expect(await kept.list()).toMatchObject([{ skipped: expect.stringContaining("max_total_mb"), state: null }]);
    expect(kept.told).toMatchObject([{ skipped: expect.stringContaining("max_total_mb") }]);
    // It comes after the store was tidied, which nobody waits for otherwise.
    expect(await kept.undo()).toMatchObject({ code: "restore.full" });
  });

  it("no git: said once for many lines, and nothing breaks", async () => {
    const { ws, dir } = place({ a: "a" });
    const { PATH } = process.env;
    onTestFinished(() => void Object.assign(process.env, { PATH }));
    const kept = pointsOf(dir, ws);
    process.env.PATH = ws;
    await kept.before("one");
    await kept.before("two");
    Object.assign(process.env, { PATH });
    expect(await kept.list()).toMatchObject([
      { text: "two", skipped: expect.stringContaining("git is not installed") },
    ]);
    expect(await kept.undo()).toMatchObject({ code: "restore.none" });
  });

  it("a point that takes too long is skipped and said, and what was read serves the next one", async () => {
    const { ws, dir } = place({ a: "a" });
    const hasty = pointsOf(dir, ws, { settings: { ...PLENTY, budget_ms: 0 } });
    await hasty.before("too fast");
    expect(await hasty.list()).toMatchObject([{ text: "too fast", skipped: expect.stringContaining("0 ms") }]);
    const patient = pointsOf(dir, ws);
    await patient.before("next");
    expect((await patient.list()).map(({ skipped }) => skipped === null)).toEqual([false, true]);
  });

  it("nobody waits while a look goes on, nor again and again where looks take too long", () => {
    const looks = { endedAt: 0, late: 0, goesOn: false };
    expect(isDue("line", looks, 1_000_000)).toBe("now");
    expect(isDue("keys", looks, 1_000)).toBe("shared");
    expect(isDue("line", { ...looks, goesOn: true }, 1_000_000)).toHaveProperty("skip");
    expect(isDue("line", { ...looks, late: 1 }, 1_000)).toBe("now");
    expect(isDue("line", { ...looks, late: 2 }, 1_000)).toHaveProperty("skip");
    expect(isDue("line", { ...looks, late: 2 }, 1_000_000)).toBe("now");
  });
});

describe("what is not run, touched or believed", () => {
  it("hooks, filters, monitors and pagers of the person, the workspace and the system", async () => {
    const { folder, ws, dir, at } = place({ a: "a", ".gitattributes": "* filter=evil diff=evil\n" });
    git(ws, "init", "-q");
    const canary = join(folder, "canary");
    const config = `[core]\n\tfsmonitor = touch ${canary}; false\n\thooksPath = ${folder}\n[filter "evil"]\n\tclean = touch ${canary}; cat\n\tsmudge = touch ${canary}; cat\n\trequired = true\n[diff "evil"]\n\tcommand = touch ${canary}\n\ttextconv = touch ${canary}\n`;
    fs.appendFileSync(at(".git/config"), config);
    writeFiles(folder, { ".gitconfig": config, "post-index-change": `#!/bin/sh\ntouch ${canary}\n` });
    fs.chmodSync(join(folder, "post-index-change"), 0o755);
    const { HOME, XDG_CONFIG_HOME } = process.env;
    onTestFinished(
      () => void Object.assign(process.env, { HOME }, XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME }),
    );
    process.env.HOME = folder;
    const own = fingerprint(at(".git"));
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.writeFileSync(at("a"), "b");
    sure(await kept.undo(undefined, { apply: false }));
    sure(await kept.undo());
    expect(fs.existsSync(canary)).toBe(false);
    expect(fingerprint(at(".git"))).toEqual(own);
  });

  it("a folder that became a link does not lead out of the workspace", async () => {
    const { folder, ws, dir, at } = place({ "sub/file": "mine" });
    const outside = join(folder, "outside");
    writeFiles(outside, { file: "theirs" });
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.rmSync(at("sub"), { recursive: true });
    fs.symlinkSync(outside, at("sub"));
    expect(sure(await kept.undo()).left_alone).toEqual([]);
    expect(fs.lstatSync(at("sub")).isDirectory()).toBe(true);
    expect(fs.readFileSync(join(outside, "file"), "utf8")).toBe("theirs");
  });

  it("a folder with the name of undo's own files stays as it is, and undo goes on", async () => {
    const { ws, dir, at, read } = place({ "doc.txt": "mine" });
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.writeFileSync(at("doc.txt"), "spoilt");
    writeFiles(ws, { ".duetty-undo-tmp/x": "x" });
    const undone = sure(await kept.undo(undefined, { paths: ["doc.txt"] }));
    expect([undone.left_alone, read("doc.txt"), read(".duetty-undo-tmp/x")]).toEqual([[], "mine", "x"]);
  });

  it("locks and half-written files that a killed process left", async () => {
    const { ws, dir, at, read } = place({ a: "1" });
    await pointsOf(dir, ws).before("first");
    const [index = ""] = fs.readdirSync(dir).filter((name) => name.startsWith("index."));
    for (const name of [
      `${index}.lock`,
      "index.lock",
      "index.dead",
      "index.dead.lock",
      "config.lock",
      "packed-refs.lock",
    ])
      fs.writeFileSync(join(dir, name), "");
    writeFiles(ws, { ".duetty-undo-tmp": "half" });
    fs.writeFileSync(join(dir, "points/p_torn.json"), '{"point_id": "p_to');
    fs.writeFileSync(at("a"), "2");
    const kept = pointsOf(dir, ws);
    await kept.before("second");
    fs.writeFileSync(at("a"), "3");
    sure(await kept.undo());
    expect(read("a")).toBe("2");
    expect(fs.existsSync(at(".duetty-undo-tmp"))).toBe(false);
    expect(await kept.list()).toHaveLength(3);
  });

  it("a broken store begins anew, and old points stay", async () => {
    const { ws, dir, at, read } = place({ a: "1" });
    await pointsOf(dir, ws).before("first");
    fs.writeFileSync(join(dir, "state.json"), "{");
    fs.writeFileSync(at("a"), "2");
    const kept = pointsOf(dir, ws);
    await kept.before("second");
    sure(await kept.undo((await kept.list())[0]?.point_id));
    expect(read("a")).toBe("1");
  });
});

const POINT: StoredPoint = {
  ...{ point_id: "p", ts: 0, actor: "agent:a", session_id: null, text: "", skipped: null, state: null },
  ...{ left_out: [], left_out_total: 0 },
};

describe("which points there are", () => {
  it("one for each state, not more often than something changed", async () => {
    const { ws, dir, at } = place({ a: "1" });
    const kept = pointsOf(dir, ws);
    for (const line of ["one", "two"]) await kept.before(line);
    fs.writeFileSync(at("a"), "2");
    writeFiles(ws, { b: "new" });
    for (const line of ["three", "four"]) await kept.before(line);
    const listed = await kept.points.listed(ws);
    expect(listed.map(({ point, changed }) => [point.text, changed])).toEqual([
      ["one", { added: 1, modified: 1, deleted: 0 }],
      ["three", null],
    ]);
  });

  it("old ones go after thirty days; a full store takes older ones after a week, never younger ones", () => {
    const now = 1_800_000_000_000;
    const state = { tree: "t", key: "k", more: "m" };
    const aged = (days: number) => ({ ...POINT, state, point_id: `p_${days}`, ts: now - days * 24 * 3_600_000 });
    const points = [40, 31, 20, 15, 10, 8, 6, 1, 0].map(aged);
    const tidy = (room: "enough" | "none") => toTidy(points, { keep: 2, now, room, thinned: undefined })?.forget;
    expect(tidy("enough")).toEqual(["p_40", "p_31"]);
    expect(tidy("none")).toEqual(["p_40", "p_31", "p_20"]);
    const young = [6, 5, 4, 3, 2, 1].map(aged);
    expect(toTidy(young, { keep: 1, now, room: "none", thinned: undefined })?.forget).toEqual([]);
  });

  it("only named paths are brought back", async () => {
    const { ws, dir, at, read } = place({ a: "1", "src/b": "1" });
    const kept = pointsOf(dir, ws);
    await kept.before("a line");
    fs.writeFileSync(at("a"), "2");
    fs.writeFileSync(at("src/b"), "2");
    sure(await kept.undo(undefined, { paths: ["src"] }));
    expect([read("a"), read("src/b")]).toEqual(["2", "1"]);
    fs.rmSync(at("src"), { recursive: true });
    const [first] = await kept.list();
    sure(await kept.undo(first?.point_id, { paths: ["src/b"] }));
    expect([read("a"), read("src/b")]).toEqual(["2", "1"]);
  });
});
