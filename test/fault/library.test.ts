// The library under many sessions, in a test of a user's own that ends by itself.
import { join } from "node:path";
import { expect, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { ROOT, run } from "../fixtures/stand/installation.ts";

test("many sessions at once leave no descriptor, handle or memory, and node --test ends by itself", async () => {
  const env = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    LIBRARY: join(ROOT, "dist/entry/index.js"),
    SESSIONS: String(depth(20, 40, 200)),
  };
  const words = ["--expose-gc", "--test", join(ROOT, "test/fixtures/library/many.test.mjs")];
  const { code, stdout, stderr } = await run(process.execPath, words, { env });
  expect(code, `${stdout}${stderr}`).toBe(0);
});
