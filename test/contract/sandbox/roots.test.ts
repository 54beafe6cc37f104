// Which folders a box can write. It is often an agent that chooses where it works.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BoxStand, boxStand } from "../../fixtures/box/box.ts";
import { git } from "../../fixtures/git.ts";

function rootsIn(box: BoxStand, folder: string, roots?: readonly string[]): readonly string[] {
  fs.mkdirSync(folder, { recursive: true });
  return box.sandbox.plan({ cwd: folder, ...(roots ? { roots } : {}) }).roots;
}

test("a folder of settings or programs is no workspace, whoever names it", () => {
  using box = boxStand();
  const home = (name: string) => join(box.homeFolder, name);
  for (const name of [".config/fish", ".claude", ".local/bin", ".local/share/systemd/user", ".ssh", "bin", "bin/tools"])
    expect(rootsIn(box, home(name)), name).toEqual([]);
  for (const name of [".vscode", ".git", ".git/hooks", "sub/.idea"])
    expect(rootsIn(box, box.workspace, [join(box.workspace, name)]), name).toEqual([]);
  for (const folder of ["/var/spool", "/var/lib", "/etc", "/usr/local", "/", box.homeFolder])
    expect(rootsIn(box, folder), folder).toEqual([]);
});

test("work is possible in any other folder, and in the whole of its work tree", () => {
  using box = boxStand();
  expect(rootsIn(box, join(box.homeFolder, "projects/one"))).toEqual([join(box.homeFolder, "projects/one")]);
  git(box.workspace, "init", "-q");
  expect(rootsIn(box, join(box.workspace, "sub"))).toEqual([box.workspace]);
  expect(rootsIn(box, join(box.workspace, ".git/hooks"))).toEqual([box.workspace]);
});

test("a person names a hidden folder in the config, and a box can write it", () => {
  using box = boxStand("the tests' own user", { roots: ["~/.dotfiles"] });
  const folder = join(box.homeFolder, ".dotfiles");
  expect(rootsIn(box, folder)).toEqual([folder]);
});
