// `duetty service`: the file for systemd or launchd, and what its manager is told. The manager is a program that takes notes.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchdPlist, systemdUnit } from "../../../src/cli/service/units.ts";
import { stand } from "../../fixtures/stand/stand.ts";

async function managed(exit: number) {
  const s = await stand({ daemon: "later" });
  const bin = s.folder({ systemctl: `#!/bin/sh\necho "$@" >>${join(s.duetty.folder, "told")}\nexit ${exit}\n` });
  fs.chmodSync(join(bin, "systemctl"), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}`, XDG_CONFIG_HOME: join(s.duetty.folder, "config") };
  return {
    s,
    unit: join(env.XDG_CONFIG_HOME, "systemd/user/duetty.service"),
    run: (...words: string[]) => s.duetty.cliWith(env, "service", ...words),
    told: () => fs.readFileSync(join(s.duetty.folder, "told"), "utf8").trim().split("\n"),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

test("install writes the unit and starts it; remove takes both back", async () => {
  await using m = await managed(0);
  expect(await m.run("install")).toMatchObject({ code: 0, stdout: expect.stringContaining(m.unit) });
  const text = fs.readFileSync(m.unit, "utf8");
  expect(text).toBe((await m.run("install", "--print")).stdout);
  expect(text).toContain(`"${process.execPath}"`);
  expect(text).toContain(`"DUETTY_HOME=${m.s.duetty.home.dir}"`);
  expect(text).toContain("KillMode=process");
  expect(await m.run("remove")).toMatchObject({ code: 0 });
  expect(fs.existsSync(m.unit)).toBe(false);
  expect(m.told()).toEqual([
    "--user daemon-reload",
    "--user enable --now duetty.service",
    "--user disable --now duetty.service",
    "--user daemon-reload",
  ]);
  expect((await m.run("remove")).stdout).toBe("it is not installed\n");
});

test("a manager that fails is told, with what to type", async () => {
  await using m = await managed(1);
  const { code, stderr } = await m.run("install");
  expect([code, stderr]).toEqual([1, expect.stringContaining("Start it yourself: systemctl --user daemon-reload")]);
  expect((await m.run("nonsense")).code).toBe(2);
});

test("words with quotes, percent signs and dollars stay words in both files", () => {
  const spec = { command: ["/a b/node", 'x"%n$HOME\\', "<&>"], env: { PATH: "/bin:/100%" } };
  expect(systemdUnit(spec)).toContain(
    'ExecStart="/a b/node" "x\\"%%n$$HOME\\\\" "<&>"\nEnvironment="PATH=/bin:/100%%"\n',
  );
  expect(launchdPlist(spec)).toContain("<string>&lt;&amp;&gt;</string>");
});
