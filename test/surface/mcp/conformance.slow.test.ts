// The protocol's own conformance suites against the daemon's endpoint, on both revisions. What does not apply to duetty is
// listed in test/conformance with the reason; anything else that fails, and anything listed that passes, fails here.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runPeer } from "../../fixtures/mcp/peers.ts";
import { type McpProxy, proxyFor } from "../../fixtures/mcp/proxy.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, openShell } = sharedStand();
let proxy: McpProxy;
beforeAll(async () => {
  // A server without a session would have no resources to look at.
  await openShell();
  proxy = await proxyFor(duetty);
});
afterAll(() => proxy[Symbol.asyncDispose]());

test.each([
  ["conformance", "2025-11-25", "expected-2025.yml", 9],
  ["conformance-next", "2025-11-25", "expected-2025.yml", 10],
  ["conformance-next", "2026-07-28", "expected-2026.yml", 10],
] as const)("%s, revision %s", async (suite, revision, file, passing) => {
  const expected = fileURLToPath(new URL(`../../conformance/${file}`, import.meta.url));
  const wanted = ["--suite", "all", "--spec-version", revision, "--expected-failures", expected];
  const home = join(duetty.folder, "conformance");
  const { code, stdout, stderr } = await runPeer(suite, home, ["server", "--url", proxy.url, ...wanted]);
  expect(code, `${stdout}${stderr}`).toBe(0);
  // Not an empty run.
  const passed = stdout.split("=== SUMMARY ===")[1]?.match(/✓/g)?.length ?? 0;
  expect(passed, stdout).toBeGreaterThanOrEqual(passing);
});
