// The Workspace port of the host: it reads files, a missing file is not an error, and reading from git changes nothing.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { workspaceAt } from "../../../src/host/disk/workspace.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { git as gitIn } from "../../fixtures/git.ts";

let root: string;
beforeEach(() => {
  root = testFolder();
});
const git = (...args: string[]) => gitIn(root, ...args);

describe("workspace contract: host", () => {
  test("reads files below and above the folder, and nothing else", async () => {
    mkdirSync(join(root, "a/b"), { recursive: true });
    writeFileSync(join(root, "a/one.txt"), "zwölf\n");
    const ws = workspaceAt(join(root, "a/b"));
    expect(ws.root).toBe(join(root, "a/b"));
    expect(await ws.read("../one.txt")).toBe("zwölf\n");
    expect(await ws.read("one.txt")).toBeUndefined();
    expect(await ws.read("../one.txt/deeper")).toBeUndefined();
    expect(await ws.read("..")).toBeUndefined();
    expect(await ws.exists("..")).toBe(true);
    expect(await ws.exists("../two.txt")).toBe(false);
    expect(await ws.list("..")).toEqual(["b", "one.txt"]);
    expect(await ws.list("nowhere")).toEqual([]);
    expect(await ws.list("../one.txt")).toEqual([]);
  });

  test("files that are too large, and what is not a file, are not read", async () => {
    writeFileSync(join(root, "large"), Buffer.alloc((1 << 20) + 1, 0x61));
    writeFileSync(join(root, "fits"), Buffer.alloc(1 << 20, 0x61));
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("loop", join(root, "loop"));
    const ws = workspaceAt(root);
    expect(await ws.read("large")).toBeUndefined();
    expect((await ws.read("fits"))?.length).toBe(1 << 20);
    expect(await ws.read("pipe")).toBeUndefined();
    expect(await ws.read("loop")).toBeUndefined();
    expect(await ws.exists("loop")).toBe(false);
  });

  test("without git, or in a folder that git does not know, no file counts as changed", async () => {
    writeFileSync(join(root, "a"), "");
    expect(await workspaceAt(root).changed()).toEqual([]);
    expect(await workspaceAt(join(root, "nowhere")).changed()).toEqual([]);
  });

  test("lists every changed, staged, new and deleted file below the root, whatever its name", async () => {
    mkdirSync(join(root, "sub/new"), { recursive: true });
    for (const name of ["above", "sub/same", "sub/changed", "sub/gone", "sub/moved"])
      writeFileSync(join(root, name), name);
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    for (const name of ["above", "sub/changed", "sub/new/ü x\n'\"y", "sub/staged"])
      writeFileSync(join(root, name), "2");
    git("add", "sub/staged");
    git("mv", "sub/moved", "sub/there");
    rmSync(join(root, "sub/gone"));
    const changed = await workspaceAt(join(root, "sub")).changed();
    expect([...changed].sort()).toEqual(["changed", "gone", "moved", "new/ü x\n'\"y", "staged", "there"]);
    expect(await workspaceAt(root).changed()).toContain("above");
  });

  test("a repository without a commit has only new files; a link to it changes nothing", async () => {
    git("init", "-q");
    writeFileSync(join(root, "a"), "");
    expect(await workspaceAt(root).changed()).toEqual(["a"]);
    const link = `${root}-link`;
    symlinkSync(root, link);
    expect(await workspaceAt(link).changed()).toEqual(["a"]);
    rmSync(link);
  });

  test("reading changes starts no program that the repository's settings name", async () => {
    const [ran, inner] = [join(testFolder(), "ran"), join(root, "inner")];
    const program = `touch '${ran}'; cat`;
    const settings = (folder: string) => {
      for (const name of ["filter.x.clean", "filter.x.process", "diff.x.textconv", "diff.x.command", "core.fsmonitor"])
        gitIn(folder, "config", name, program);
      writeFileSync(join(folder, ".gitattributes"), "* filter=x diff=x\n");
      writeFileSync(join(folder, "a"), "second");
    };
    for (const folder of [inner, root]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "a"), "first one");
      for (const words of [
        ["init", "-q"],
        ["add", "."],
        ["commit", "-q", "-m", "first"],
      ])
        gitIn(folder, ...words);
    }
    for (const folder of [inner, root]) settings(folder);
    expect(await workspaceAt(root).changed()).toEqual(["a", ".gitattributes"]);
    // git reads a file that changed in the same moment as its index.
    utimesSync(join(root, "a"), 1, 1);
    utimesSync(join(root, ".git/index"), 1, 1);
    await workspaceAt(root).changed();
    expect(existsSync(ran)).toBe(false);
    // Objects that are missing are fetched, by a program.
    rmSync(join(root, ".git/objects"), { recursive: true });
    mkdirSync(join(root, ".git/objects"));
    git("config", "remote.origin.url", `ext::sh -c "${program}"`);
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.uploadpack", program);
    git("config", "protocol.ext.allow", "always");
    git("config", "extensions.partialClone", "origin");
    git("config", "core.repositoryFormatVersion", "1");
    await workspaceAt(root).changed();
    expect(existsSync(ran)).toBe(false);
  });

  test("reading changes starts no file monitor and leaves the index alone", async () => {
    git("init", "-q");
    writeFileSync(join(root, "a"), "");
    git("add", "a");
    const hook = join(root, "hook.sh");
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(root, "woken")}\n`);
    chmodSync(hook, 0o755);
    git("config", "core.fsmonitor", hook);
    const ws = workspaceAt(root);
    await ws.changed();
    expect(await ws.exists("woken")).toBe(false);
    expect(await ws.exists(".git/index.lock")).toBe(false);
  });
});
