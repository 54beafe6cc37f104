// What somebody laid into the home folder before the first start: links and other people's things are not used, and what they
// lead to is left alone.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../fixtures/folder.ts";
import { runCli } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

/** A home that nobody used, beside a folder of somebody else's. */
function place() {
  const folder = testFolder({ "theirs/kept": "kept", "theirs/token": `${"ab".repeat(32)}\n` });
  const [home, theirs] = [join(folder, "d"), join(folder, "theirs")];
  fs.mkdirSync(home, { mode: 0o700 });
  const start = async () => {
    const { code, stderr } = await runCli({ env: { ...process.env, DUETTY_HOME: home } }, "ls");
    return { code, stderr };
  };
  return { home, theirs, start };
}

describe("nothing is started where there is a planted", () => {
  it.each([
    ["the home folder", ".", "."],
    ["run", "run", "."],
    ["sessions", "sessions", "."],
    ["the person's token", "person.token", "token"],
    ["the cookie's secret", "cookie.secret", "token"],
    ["the daemon's log", "run/daemon.log", "kept"],
    ["the audit", "run/audit.log", "kept"],
  ])("link as %s", async (_, as, to) => {
    const { home, theirs, start } = place();
    const at = join(home, as);
    fs.rmSync(at, { recursive: true, force: true });
    fs.mkdirSync(dirname(at), { recursive: true });
    fs.symlinkSync(join(theirs, to), at);
    const { code, stderr } = await start();
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/is a link, so nothing private is kept there/);
    expect(fs.readdirSync(theirs).sort()).toEqual(["kept", "token"]);
    expect(fs.readFileSync(join(theirs, "kept"), "utf8")).toBe("kept");
  });

  it("folder of another user", async () => {
    const { home } = place();
    const isRoot = process.getuid?.() === 0;
    if (isRoot) fs.chownSync(home, 65_534, 65_534);
    // Everybody else finds one of root's.
    const { code, stderr } = await runCli({ env: { ...process.env, DUETTY_HOME: isRoot ? home : "/usr" } }, "ls");
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/belongs to user \d+, not to you/);
  });
});

describe("where the home is ours", () => {
  const { duetty } = sharedStand({ daemon: "later" });

  it("what others could read is closed to them, and links in place of sockets give way", async () => {
    const { home } = duetty;
    const kept = join(duetty.folder, "kept");
    fs.writeFileSync(kept, "kept", { mode: 0o644 });
    fs.mkdirSync(home.run);
    for (const socket of [home.daemonSocket, home.holderSocket]) fs.symlinkSync(kept, socket);
    for (const folder of [home.dir, home.run]) fs.chmodSync(folder, 0o777);
    fs.chmodSync(home.personToken, 0o644);
    await duetty.start();
    const modeOf = (path: string) => (fs.lstatSync(path).mode & 0o777).toString(8);
    for (const folder of [home.dir, home.run, home.sessions]) expect([folder, modeOf(folder)]).toEqual([folder, "700"]);
    for (const file of [home.personToken, home.cookieSecret, home.daemonSocket, home.holderSocket])
      expect([file, modeOf(file)]).toEqual([file, "600"]);
    for (const socket of [home.daemonSocket, home.holderSocket]) expect(fs.lstatSync(socket).isSocket()).toBe(true);
    expect([fs.readFileSync(kept, "utf8"), modeOf(kept)]).toEqual(["kept", "644"]);
  });
});
