// The protocol's own conformance suites against the daemon's endpoint, on both revisions. What does not apply to duetty is
// listed in test/conformance with the reason; anything else that fails, and anything listed that passes, fails here.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Installation } from "../fixtures/installation.ts";
import { runPeer } from "../fixtures/mcp-peers.ts";
import { type McpProxy, proxyFor } from "../fixtures/mcp-proxy.ts";
import { openShell } from "../fixtures/shells.ts";

let duetty: Installation;
let proxy: McpProxy;
beforeAll(async () => {
  duetty = new Installation();
  await duetty.cli("status");
  // A server without a session would have no resources to look at.
  await openShell(duetty, "bash");
  proxy = await proxyFor(duetty);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await duetty[Symbol.asyncDispose]();
});

test.each([
  ["conformance", "2025-11-25", "expected-2025.yml", 9],
  ["conformance-next", "2025-11-25", "expected-2025.yml", 10],
  ["conformance-next", "2026-07-28", "expected-2026.yml", 10],
] as const)("%s, revision %s", async (suite, revision, file, passing) => {
  const expected = fileURLToPath(new URL(`../conformance/${file}`, import.meta.url));
  const wanted = ["--suite", "all", "--spec-version", revision, "--expected-failures", expected];
  const home = join(duetty.home.dir, "conformance");
  const { code, stdout, stderr } = await runPeer(suite, home, ["server", "--url", proxy.url, ...wanted]);
  expect(code, `${stdout}${stderr}`).toBe(0);
  // Not an empty run.
  const passed = stdout.split("=== SUMMARY ===")[1]?.match(/✓/g)?.length ?? 0;
  expect(passed, stdout).toBeGreaterThanOrEqual(passing);
});
