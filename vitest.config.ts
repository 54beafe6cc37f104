import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Projects whose tests fail on purpose, and programs of others.
    exclude: ["test/fixtures/**", "test/peers/**"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Real programs on two cores: more files at once only makes everyone wait.
    maxWorkers: 2,
  },
});
