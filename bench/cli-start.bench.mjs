// What the CLI adds to starting Node itself.
import { spawnSync } from "node:child_process";
import { BIN, quantile, table, withStand } from "./stand.mjs";

export const question = "How close is `duetty see` to bare Node? (ms, median of 25, alternating)";

const ROUNDS = 25;

export async function run() {
  await withStand(async ({ client, env }) => {
    const { session_id } = await client.pty_open({ command: ["cat"] });
    const time = (...args) => {
      const began = performance.now();
      spawnSync(process.execPath, args, { env, stdio: "ignore" });
      return performance.now() - began;
    };
    const [node, see] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      node.push(time("-e", "0"));
      see.push(time(BIN, "see", session_id));
    }
    const [a, b] = [quantile(node, 0.5), quantile(see, 0.5)];
    const limit = 1.4 * a + 5;
    table(
      ["node -e 0", "duetty see", "limit 1.4× + 5", "within"],
      [[a.toFixed(1), b.toFixed(1), limit.toFixed(1), b <= limit ? "yes" : "NO"]],
    );
  });
}
