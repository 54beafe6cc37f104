// `npm run test:long`, because npm fetches everything anew. `hosts add --install`: this very duetty, packed, put onto a machine that has none.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { box, hubOf } from "../../fixtures/fleet/machines.ts";

/** npm over there fetches everything for the first time. */
const INSTALL_MS = 280_000;

test("puts duetty onto a machine without it, which then works; again it is renewed", {
  timeout: INSTALL_MS,
}, async () => {
  await using far = await box({ installed: false });
  // Of the tests' machine, which may reach packages its own way.
  const config = (name: string) => execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();
  const authorities = config("cafile");
  const cafile = authorities === "" || authorities === "null" ? "" : `cafile=${authorities}\n`;
  fs.writeFileSync(join(far.home, ".npmrc"), `registry=${config("registry")}\n${cafile}`);
  await using hub = await hubOf({ box: far });
  const bare = await hub.duetty.cli("hosts", "add", "box", far.sshd.address);
  expect(bare).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/duetty is not installed there\n.*--install/),
  });
  const added = await hub.duetty.cli("hosts", "add", "box", far.sshd.address, "--install");
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("box is here") });
  expect(fs.existsSync(join(far.home, ".local/share/duetty/app/node_modules/.bin/duetty"))).toBe(true);
  const ran = await hub.duetty.cli("run", "--host", "box", "--", "echo from-there");
  expect(ran).toMatchObject({ code: 0, stdout: "from-there\n" });
});
