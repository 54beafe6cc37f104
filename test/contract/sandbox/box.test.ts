// What holds in every box, for root and for an ordinary user.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { boxStand, type User } from "../../fixtures/box/box.ts";
import { git } from "../../fixtures/git.ts";

const USERS: User[] = ["the tests' own user", "nobody"];

describe.each(USERS)("a box of %s", (user) => {
  test("writes in the workspace and nowhere else", () => {
    using box = boxStand(user);
    const { code, output } = box.run(`echo yes >inside; echo no >'${box.homeFolder}/outside'; echo no >/etc/outside`);
    expect(output.match(/Read-only file system|Permission denied/g)).toHaveLength(2);
    expect(code).not.toBe(0);
    expect(fs.readFileSync(join(box.workspace, "inside"), "utf8")).toBe("yes\n");
    expect(fs.existsSync(join(box.homeFolder, "outside"))).toBe(false);
  });
  test("shows nothing of our home", () => {
    using box = boxStand(user);
    fs.writeFileSync(box.home.personToken, "canary-token");
    const { output } = box.run(
      `cat '${box.home.personToken}'; ls -A '${box.home.dir}'; grep -r canary-token '${box.home.dir}'`,
    );
    expect(output).not.toContain("canary-token\n");
    expect(output).not.toContain("person.token\n");
  });
});

describe.each(USERS)("what a person's own tools obey, in a box of %s,", (user) => {
  /** Missing in a new repository, each as something that its tool would obey. */
  const NAMES = [
    ".vscode/settings.json",
    ".claude/settings.json",
    ".envrc",
    ".mcp.json",
    ".duetty.json",
    ".git/hooks/pre-commit",
    ".git/info/attributes",
    ".git/commondir",
    ".git/config.worktree",
  ];

  test("cannot be made, git works meanwhile, and nothing is left behind", () => {
    using box = boxStand(user);
    const { workspace } = box;
    commit(workspace);
    for (const name of ["hooks", "info"]) fs.rmSync(join(workspace, ".git", name), { recursive: true });
    const before = filesIn(workspace);
    for (const name of NAMES) {
      const [top] = name.split("/");
      const { output } = box.run(
        `mkdir -p "$(dirname ${name})"; echo x >${name} && echo ESCAPED; ln -s /tmp ${name} && echo ESCAPED
         mkdir -p d; echo x >d/f; mv -T d/f ${name} && echo ESCAPED; rm -rf d; mv ${top} moved && echo ESCAPED
         [ "$(git -c safe.directory='*' status --porcelain)" = "" ] || git -c safe.directory='*' status`,
      );
      expect(output).not.toMatch(/ESCAPED|fatal|Untracked/);
    }
    expect(filesIn(workspace)).toEqual(before);
  });

  test("is not written through a link, nor seen through one, nor by a name that the link waits for", () => {
    using box = boxStand(user);
    const { workspace, homeFolder } = box;
    commit(join(workspace, "data"));
    fs.mkdirSync(join(workspace, "shared"));
    fs.mkdirSync(join(homeFolder, ".ssh"));
    fs.writeFileSync(join(homeFolder, ".ssh", "id"), "canary-key");
    fs.writeFileSync(box.home.personToken, "canary-token");
    const links = { ".git": "data/.git", ".vscode": "shared", ".claude": "later", ".idea": join(homeFolder, ".ssh") };
    for (const [name, to] of Object.entries({ ...links, ".envrc": box.home.personToken }))
      fs.symlinkSync(to, join(workspace, name));
    const { output } = box.run(
      `echo x >>.git/config && echo ESCAPED; echo x >.git/hooks/post-commit && echo ESCAPED; echo .. >.git/commondir && echo ESCAPED
       echo x >.vscode/tasks.json && echo ESCAPED; mkdir later; echo x >later/settings.json && echo ESCAPED
       mv data/.git d && echo ESCAPED; mv data d && echo ESCAPED; cat .idea/id .envrc; ls -A .idea/`,
    );
    expect(output).not.toMatch(/ESCAPED|canary-|^id$/m);
  });

  test("is the same in repositories inside the workspace: clones, bare ones, submodules, other work trees", () => {
    using box = boxStand(user);
    const { workspace } = box;
    commit(join(workspace, "clones/one"));
    git(workspace, "init", "-q", "--bare", "mirror");
    git(join(workspace, "clones/one"), "worktree", "add", "-q", "../tree");
    const { output } = box.run(
      `(cd clones/one; echo b >b; git -c safe.directory='*' add b
       git -c safe.directory='*' -c user.name=t -c user.email=t@example.invalid commit -qm second && echo committed)
       for at in clones/one/.git mirror; do
         for name in config hooks/x info/x commondir config.worktree; do echo x >>$at/$name && echo ESCAPED; done
         mv $at m && echo ESCAPED
       done
       mv clones c && echo ESCAPED; mv clones/one o && echo ESCAPED; rm clones/tree/.git && echo ESCAPED
       echo .. >clones/one/.git/worktrees/tree/commondir && echo ESCAPED`,
    );
    expect(output).not.toContain("ESCAPED");
    expect(output).toContain("committed");
  });

  test.each(["the same daemon", "the next daemon"])(
    "S8: is the same after a line has made more folders than are searched: %s",
    (daemon) => {
      vi.useFakeTimers({ toFake: ["performance"] });
      using _ = { [Symbol.dispose]: () => vi.useRealTimers() };
      using box = boxStand(user);
      commit(join(box.workspace, "clones/one"));
      box.run("mkdir d{1..1100}");
      // What was found is believed for a while.
      vi.advanceTimersByTime(60_000);
      if (daemon === "the next daemon") box.restart();
      const { output } = box.run(
        "echo x >clones/one/.git/hooks/post-checkout && echo ESCAPED; mv clones c && echo ESCAPED",
      );
      expect(output).not.toContain("ESCAPED");
    },
  );

  test("a forged work tree opens no other repository", () => {
    using box = boxStand(user);
    const { workspace, homeFolder } = box;
    commit(join(homeFolder, "other"));
    const forged = join(workspace, "tree");
    fs.mkdirSync(join(forged, "folder"), { recursive: true });
    fs.writeFileSync(join(forged, ".git"), `gitdir: ${join(forged, "folder")}\n`);
    fs.writeFileSync(join(forged, "folder", "gitdir"), join(forged, ".git"));
    fs.writeFileSync(join(forged, "folder", "commondir"), join(homeFolder, "other", ".git"));
    const line = `cd ${homeFolder}/other/.git; touch refs/x && echo ESCAPED; rm -rf objects/* && echo ESCAPED`;
    const before = filesIn(join(homeFolder, "other"));
    for (const cwd of [forged, workspace]) expect(box.run(line, { cwd }).output).not.toContain("ESCAPED");
    expect(filesIn(join(homeFolder, "other"))).toEqual(before);
  });

  test("stays as it is where the settings, husky or PATH name it in the tree", () => {
    using box = boxStand(user);
    const { workspace } = box;
    commit(workspace);
    const folders = ["tools", ".husky", ".husky/_", "node_modules/.bin"].map((name) => join(workspace, name));
    for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
    git(workspace, "config", "core.hooksPath", ".husky/_");
    git(workspace, "config", "include.path", "../more.gitconfig");
    fs.writeFileSync(join(workspace, "more.gitconfig"), "");
    const [tools, , , bin] = folders;
    const { output } = box.run(
      `for at in tools/git .husky/pre-commit .husky/_/pre-commit more.gitconfig; do echo x >>$at && echo ESCAPED; done
       mv more.gitconfig other && echo ESCAPED; mv .husky other && echo ESCAPED; mv tools other && echo ESCAPED
       echo x >node_modules/.bin/tool && echo written`,
      { path: `${tools}:${bin}:${process.env.PATH}` },
    );
    expect(output).not.toContain("ESCAPED");
    expect(output).toContain("written");
  });

  test("a link in the repository makes nothing writable", () => {
    using box = boxStand(user);
    const { workspace, homeFolder } = box;
    commit(workspace);
    fs.mkdirSync(join(homeFolder, "victim"));
    for (const name of ["modules", "objects", "refs/heads", "logs"]) {
      fs.rmSync(join(workspace, ".git", name), { recursive: true, force: true });
      fs.symlinkSync(join(homeFolder, "victim"), join(workspace, ".git", name));
      const { output } = box.run(
        `echo x >'${homeFolder}/victim/x' && echo ESCAPED; echo x >.git/${name}/x && echo ESCAPED`,
      );
      expect(output, name).not.toContain("ESCAPED");
    }
  });
});

test("what is hidden inside the workspace stays hidden when a line moves the folder around it", () => {
  using box = boxStand(undefined, { masks: ["~/../work/app/keys/secret"] });
  fs.mkdirSync(join(box.workspace, "app/keys/secret"), { recursive: true });
  fs.writeFileSync(join(box.workspace, "app/keys/secret/key"), "canary");
  const show = "cat app/keys/secret/key moved/keys/secret/key app/moved/secret/key; echo STARTED";
  for (const line of [show, `mv app moved; ${show}`, show, `mv app/keys app/moved; ${show}`, show]) {
    const { output } = box.run(line);
    expect(output).toContain("STARTED");
    expect(output).not.toContain("canary");
  }
});

describe("S13: what a line closes, the next line cannot open and write:", () => {
  test.each([
    [".git", ".git/config"],
    [".git/modules/m", ".git/modules/m/config"],
    ["sub", "sub/repo/.git/config"],
    ["sub/repo", "sub/repo/.git/hooks/pre-commit"],
    ["tools", "tools/hooks/pre-commit"],
    [".", ".vscode/tasks.json"],
  ])("%s, around %s", (closed, written) => {
    using box = boxStand("nobody");
    for (const at of [".", "sub/repo"]) git(box.workspace, "init", "-q", at);
    git(box.workspace, "init", "-q", "--bare", ".git/modules/m");
    git(box.workspace, "config", "core.hooksPath", "tools/hooks");
    fs.mkdirSync(join(box.workspace, "tools/hooks"), { recursive: true });
    const at = join(box.workspace, closed);
    const file = join(box.workspace, written);
    expect(box.run(`chmod 0 '${at}' && echo CLOSED`).output).toContain("CLOSED");
    box.run(`chmod 700 '${at}'; mkdir -p "$(dirname '${file}')"; echo ESCAPED >>'${file}'`);
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    expect(text).not.toContain("ESCAPED");
  });

  test("a folder around a secret", () => {
    using box = boxStand("nobody", { masks: ["~/../work/sub/.env"] });
    fs.mkdirSync(join(box.workspace, "sub"));
    fs.writeFileSync(join(box.workspace, "sub/.env"), "canary");
    expect(box.run("chmod 0 sub && echo CLOSED").output).toContain("CLOSED");
    expect(box.run("chmod 700 sub; cat sub/.env; mv sub moved; cat moved/.env").output).not.toContain("canary");
  });
});

test("S14: folders so deep that no path leads there keep no box from starting", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() };
  using box = boxStand();
  const deep = "name=$(printf %0200d 0); for i in {1..30}; do mkdir $name && cd $name || exit 1; done";
  expect(box.run(deep).code).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(box.run("rm -r 0*; exit 42").code).toBe(42);
});

describe("what a box keeps free for a person's tools", () => {
  test("stays protected while another box ends, and is removed after the last", () => {
    using box = boxStand();
    const plan = box.sandbox.plan({ cwd: box.workspace });
    box.sandbox.reserve("first", plan);
    box.sandbox.reserve("second", box.sandbox.plan({ cwd: box.workspace }));
    box.sandbox.release("first");
    expect(fs.existsSync(join(box.workspace, ".vscode"))).toBe(true);
    box.sandbox.release("second");
    expect(fs.readdirSync(box.workspace)).toEqual([]);
  });

  test("what a person puts there is never removed, and what a crash left is", () => {
    using box = boxStand();
    git(box.workspace, "init", "-q");
    box.sandbox.reserve("lost", box.sandbox.plan({ cwd: box.workspace }));
    fs.writeFileSync(join(box.workspace, ".vscode", "settings.json"), "{}");
    fs.writeFileSync(join(box.workspace, ".git", "config.worktree"), "[core]\n");
    box.sandbox.keepOnly(new Set());
    expect(fs.readdirSync(box.workspace)).toEqual([".git", ".vscode"]);
    const left = fs.readdirSync(join(box.workspace, ".git"));
    expect(left).toContain("config.worktree");
    expect(left).not.toContain("commondir");
  });

  test("a large workspace is searched in part, and the plan says so", () => {
    using box = boxStand();
    for (let at = 0; at < 1_100; at += 1) fs.mkdirSync(join(box.workspace, `folder-${at}`));
    expect(box.sandbox.plan({ cwd: box.workspace }).isSearchedInPart).toBe(true);
    expect(box.sandbox.plan({ cwd: join(box.workspace, "folder-1") }).isSearchedInPart).toBe(false);
  });
});

function commit(folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(join(folder, "a.txt"), "a\n");
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
}

/** Their names, and what is in those that the person's git obeys. */
function filesIn(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return [
    ...names.filter((name) => !name.startsWith(".git/index")),
    fs.readFileSync(join(folder, ".git/config"), "utf8"),
  ];
}
