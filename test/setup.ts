// Runs in each worker before each test file.
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterEach, vi } from "vitest";
import { isExploring } from "./fixtures/depth.ts";
import { appendToError, diagnosticsText, forgetFinalTexts } from "./fixtures/diagnostics.ts";
import { SOON_MS, TEST_MS } from "./fixtures/soon.ts";

const FIXED_SEED = 20_261_115;

// `npm test` draws from a fixed seed, so that its result is reproducible. The longer tiers draw from a new seed each time.
// A failure prints its seed: FC_SEED=<seed> repeats it, with the same TESTS=all or TESTS=long, since a smaller tier may end
// before the failing run.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? (isExploring() ? randomInt(2 ** 31) : FIXED_SEED)) });

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS, expect: { poll: { timeout: SOON_MS } } });

afterEach(async ({ task }) => {
  for (const error of task.result?.errors ?? []) appendToError(error, await diagnosticsText());
  forgetFinalTexts();
});
