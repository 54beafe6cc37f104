// `hosts add --install` where npm over there cannot do it: what is told, and what is left there.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { sshTarget } from "../../../src/serve/fleet/ssh/address.ts";
import { installCommand } from "../../../src/serve/fleet/ssh/install.ts";
import { runOnce } from "../../../src/serve/fleet/ssh/once.ts";
import { type Box, box, hubOf } from "../../fixtures/fleet/machines.ts";
import { fakeNpm } from "../../fixtures/fleet/npm.ts";
import { until } from "../../fixtures/soon.ts";

/** A machine whose npm is none. */
async function withFakeNpm(how: "hangs" | "fails"): Promise<Box> {
  const far = await box({ installed: false });
  fakeNpm(far.home);
  fs.writeFileSync(join(far.home, `npm.${how}`), "");
  return far;
}

const npmOf = ({ home }: Box) => Number(fs.readFileSync(join(home, "npm.pid"), "utf8"));
const isThere = (pid: number) => fs.existsSync(`/proc/${pid}`);

test("what is done is told while it is, and npm's own reason when it failed", async () => {
  await using far = await withFakeNpm("fails");
  await using hub = await hubOf({ box: far });
  const added = await hub.duetty.cli("hosts", "add", "box", far.sshd.address, "--install");
  expect(added).toMatchObject({ code: 1 });
  expect(added.stderr).toMatch(/^duetty: this duetty is packed and sent to box, where npm/);
  expect(added.stderr).toMatch("not installed on box: fetch GET https://registry.example/koffi attempt 1 failed");
});

test("npm over there ends with the connection, and is not waited for", async () => {
  await using far = await withFakeNpm("hangs");
  await using hub = await hubOf({ box: far });
  const adding = hub.duetty.cli("hosts", "add", "box", far.sshd.address, "--install");
  await until(() => fs.existsSync(join(far.home, "npm.waits")), "npm over there");
  const pid = npmOf(far);
  far.sshd.kill();
  expect(await adding).toMatchObject({ code: 1, stderr: expect.stringContaining("was not installed on box") });
  await until(() => !isThere(pid), "its end");
});

test("npm over there ends when its time is over", async () => {
  await using far = await withFakeNpm("hangs");
  const target = sshTarget(far.sshd.address);
  if (isFault(target)) throw new Error(target.message);
  const [way, packed] = [{ ssh: far.sshd.words, target, env: process.env }, Buffer.from("a package")];
  const ran = await runOnce(way, installCommand(packed.length), packed, 3_000);
  expect(ran).toMatchObject({ how: "late", said: expect.stringContaining("attempt 1 failed with ETIMEDOUT") });
  await until(() => !isThere(npmOf(far)), "its end");
});
