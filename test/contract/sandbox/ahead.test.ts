// Boxes whose mounts were made before their plan: they are as tight as any other, and nobody depends on them.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BoxStand, boxStand } from "../../fixtures/box/box.ts";
import { until } from "../../fixtures/soon.ts";

test("a program finds its mounts made, and its box is as tight as any other", async () => {
  using box = stand();
  const line = `readlink /proc/self/ns/mnt
cat '${box.homeFolder}/.netrc' '${box.homeFolder}/.ssh/key' '${join(box.home.dir, "agent.token")}'
echo x >'${box.homeFolder}/file'; mkdir .vscode; touch .envrc/x
ls -A /dev | grep outside; grep outside /proc/self/mountinfo
mount -o remount,rw /; mount -t tmpfs x /mnt; unshare -Ur true && mount -o remount,rw /
echo canary >/proc/sys/kernel/domainname; (: </dev/tcp/192.0.2.1/80); wc -l </proc/net/dev
grep CapEff /proc/self/status; kill -0 ${process.pid}
touch made; exit 42`;
  const words = await made(box);
  const { output, code } = begin(box, words, line);
  expect(code).toBe(42);
  expect(output).toContain(namespaceIn(words));
  expect(output).not.toContain("canary");
  expect(output).toContain("CapEff:\t0000000000000000");
  expect(output).toMatch(/kill: .*No such process/);
  expect(output).not.toContain("outside");
  expect(fs.readdirSync(box.homeFolder).sort()).toEqual([".netrc", ".ssh"]);
  box.sandbox.release("box");
  expect(fs.readdirSync(box.workspace)).toEqual(["made"]);
});

test("its mounts are for one program: the next one finds no trace of it", async () => {
  using box = stand();
  const words = await made(box);
  const line = "echo $(readlink /proc/self/ns/mnt) $(ls /tmp); touch /tmp/trace";
  expect(begin(box, words, line).output).toContain(namespaceIn(words));
  const second = begin(box, words, line).output;
  expect(second).toMatch(/^mnt:/);
  expect(second).not.toContain(namespaceIn(words));
  expect(second).not.toContain("trace");
});

test("a secret that was replaced since is hidden", async () => {
  using box = stand();
  const secret = join(box.homeFolder, ".netrc");
  const words = await made(box, () => {
    fs.writeFileSync(`${secret}.new`, "canary");
    fs.renameSync(`${secret}.new`, secret);
  });
  expect(begin(box, words, `cat '${secret}'; echo STARTED`).output).toBe("STARTED\n");
});

test("a secret that is new since is hidden", async () => {
  using box = stand();
  const secret = join(box.homeFolder, ".pgpass");
  const words = await made(box, () => fs.writeFileSync(secret, "canary"));
  expect(begin(box, words, `cat '${secret}'; echo STARTED`).output).toBe("STARTED\n");
});

test("a root that became a link after the plan opens nothing elsewhere", async () => {
  using box = stand("/var/tmp");
  const words = await made(box);
  box.sandbox.release("box");
  fs.renameSync(box.workspace, `${box.workspace}.moved`);
  fs.symlinkSync("home", box.workspace);
  begin(box, words, `echo x >'${box.homeFolder}/file'; echo x >'${box.homeFolder}/.netrc'`);
  expect(fs.readdirSync(box.homeFolder).sort()).toEqual([".netrc", ".ssh"]);
  expect(fs.readFileSync(join(box.homeFolder, ".netrc"), "utf8")).toBe("canary");
});

test("a program whose mounts are gone makes its own", async () => {
  using box = stand();
  const words = await made(box);
  process.kill(Number(words[words.indexOf("--ahead") + 1]), "SIGKILL");
  expect(begin(box, words, "touch made; exit 42").code).toBe(42);
  expect(fs.existsSync(join(box.workspace, "made"))).toBe(true);
});

test("whoever waits in mounts ends when nobody needs them", async () => {
  using box = stand();
  const words = await made(box);
  const pid = Number(words[words.indexOf("--ahead") + 1]);
  box.sandbox.made("box");
  await until(() => !fs.existsSync(`/proc/${pid}`), "its end");
});

test.each(["made ahead", "made at its start"])("a box that is killed takes everybody in it along: %s", async (when) => {
  using box = stand();
  const words = when === "made ahead" ? await made(box) : planned(box);
  const [file = "", ...args] = [...words, "/bin/bash", "-c", "setsid sleep 1000 & echo started; wait"];
  const child = spawn(file, args, { cwd: box.workspace, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  // Whoever lives has its output open.
  await once(child, "close");
});

test("a program that ends takes the rest of its box along, before anybody hears of its end", async () => {
  using box = stand();
  const [file = "", ...args] = [...(await made(box)), "/bin/bash", "-c", "setsid sleep 1000 & echo $!; exit 42"];
  const { status, stdout } = spawnSync(file, args, { cwd: box.workspace, encoding: "utf8" });
  expect(status).toBe(42);
  expect(stdout).toMatch(/^\d+\n$/);
});

function stand(under?: string): BoxStand {
  const box = boxStand(undefined, {}, under);
  fs.mkdirSync(join(box.homeFolder, ".ssh"));
  for (const name of [".netrc", ".ssh/key"]) fs.writeFileSync(join(box.homeFolder, name), "canary");
  fs.writeFileSync(join(box.home.dir, "agent.token"), "canary");
  return box;
}

function planned({ sandbox, workspace }: BoxStand): string[] {
  const plan = sandbox.plan({ cwd: workspace });
  sandbox.reserve("box", plan);
  return sandbox.prefix("box", plan);
}

/** What starts a box whose mounts are there. `before`: after they were made, and before they are taken. */
async function made(box: BoxStand, before?: () => void): Promise<string[]> {
  let words = planned(box);
  await until(() => {
    box.sandbox.release("box");
    before?.();
    words = planned(box);
    return words.includes("--ahead");
  }, "mounts");
  return words;
}

function namespaceIn(words: readonly string[]): string {
  return words[words.indexOf("--ahead") + 2] ?? "";
}

function begin({ workspace }: BoxStand, words: readonly string[], line: string) {
  const [file = "", ...args] = [...words, "/bin/bash", "-c", line];
  // A bash whose input is a socket reads the person's .bashrc.
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const { stdout, stderr, status } = spawnSync(file, args, { cwd: workspace, encoding: "utf8", stdio: [...stdio] });
  return { output: stdout + stderr, code: status };
}
