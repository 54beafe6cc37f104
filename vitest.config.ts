import { defineConfig } from "vitest/config";

/** Tests end by what they wait for; this ends what hangs. The longest take 40 s at rest, and a busy machine is several times slower. */
const HANGS_MS = 240_000;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Projects whose tests fail on purpose, and programs of others.
    exclude: ["test/fixtures/**", "test/peers/**"],
    setupFiles: ["test/setup.ts"],
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    // SOON_MS of test/fixtures/soon.ts.
    expect: { poll: { timeout: 30_000 } },
    // Real programs on two cores: more files at once only makes everyone wait.
    maxWorkers: 2,
  },
});
