// A new version replaces the daemon under running sessions: programs, screens and history stay, and the holder is the old one.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { API_PROTOCOL, VERSION } from "../../../src/protocol/plain/version.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const NEXT_VERSION = "99.0.0";
const s = sharedStand();
let next = "";

/** The same code with the next version and protocol, bundled in a folder of its own. */
beforeAll(() => {
  next = s.folder();
  for (const name of ["bin", "build", "scripts", "shell", "package.json"])
    fs.cpSync(join(ROOT, name), join(next, name), { recursive: true });
  fs.symlinkSync(join(ROOT, "node_modules"), join(next, "node_modules"));
  const file = join(next, "build/protocol/plain/version.js");
  const ours = fs.readFileSync(file, "utf8");
  const theirs = ours
    .replace(`VERSION = "${VERSION}"`, `VERSION = "${NEXT_VERSION}"`)
    .replace(`API_PROTOCOL = ${API_PROTOCOL}`, `API_PROTOCOL = ${API_PROTOCOL + 1}`);
  fs.writeFileSync(file, theirs);
  for (const script of ["bundle", "verbs"]) execFileSync(process.execPath, [`scripts/${script}.mjs`], { cwd: next });
});

test("a person's command of the next version replaces the daemon, and no session notices", async () => {
  const { session_id } = await s.openShell();
  await s.person.run_command({ session_id, command: "kept=from-before; echo first" });
  const before = await s.person.status({});
  const cli = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    run(process.execPath, [join(next, "bin/duetty.js"), ...args], { env: { ...s.duetty.env, ...env } });

  // An agent's command does not replace what its person runs.
  const refused = await cli({ DUETTY_TOKEN: undefined }, "ls");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`the daemon is ${VERSION}`)]);
  expect((await s.person.status({})).daemon.pid).toBe(before.daemon.pid);

  const status = JSON.parse((await cli({}, "status", "--json")).stdout);
  expect(status).toMatchObject({ version: NEXT_VERSION, holder: before.holder, sessions: { live: 1 } });
  expect(status.daemon.pid).not.toBe(before.daemon.pid);
  const ran = JSON.parse((await cli({}, "run", "--json", session_id, "echo $kept")).stdout);
  expect(ran).toMatchObject({ exit_code: 0, output: { head: "from-before" } });
  expect((await cli({}, "see", session_id)).stdout).toContain("first");

  // And back again.
  expect(JSON.parse((await s.duetty.cli("status", "--json")).stdout)).toMatchObject({ version: VERSION });
  expect(await s.person.run_command({ session_id, command: "echo $kept" })).toMatchObject({
    output: { head: "from-before" },
  });
});
