// How fast a person gets the keyboard while output pours in, and what the gate inside the shell costs.
import { readFileSync } from "node:fs";
import { clientOver } from "../build/client/client.js";
import { unixTransport } from "../build/client/local.js";
import { quantile, table, withStand } from "./stand.mjs";

export const question = "How fast are take-over and stop under a flood, and the gate inside the shell? (ms)";

const TIMES = 200;
const COMMANDS = 300;

export async function run() {
  await withStand(async ({ client, home, dir }) => {
    const agentToken = readFileSync(home.agentToken, "utf8").trim();
    const agent = clientOver(unixTransport(home, () => ({ token: agentToken, as: "agent:bench" })));
    const rows = [];
    for (const shell of ["bash", "zsh"]) {
      const opened = await client.pty_open({ shell: `/usr/bin/${shell}`, cwd: dir, env: { HOME: dir } });
      await client.pty_wait({ session_id: opened.session_id, any: [{ prompt: true }] });
      const line = Array.from({ length: COMMANDS }, (_, i) => `echo ${i} > /dev/null`).join("; ");
      const per = async (who) => {
        const ran = await who.run_command({ session_id: opened.session_id, command: line });
        if (ran.status !== "done" || ran.exit_code !== 0) throw new Error(JSON.stringify(ran).slice(0, 500));
        return ran.duration_ms;
      };
      const [plain, guarded] = [[], []];
      for (let i = 0; i < 10; i++) {
        plain.push(await per(client));
        guarded.push(await per(agent));
      }
      const each = (quantile(guarded, 0.5) - quantile(plain, 0.5)) / COMMANDS;
      rows.push([`question and answer in ${shell}, each`, each.toFixed(3), "", ""]);
      await client.pty_close({ session_id: opened.session_id });
    }
    const { session_id } = await client.pty_open({ command: ["sh", "-c", "yes & exec cat >/dev/null"] });
    await client.policy({ session_id, level: "always_allow", safe_mode: "off" });
    for (const [name, act] of [
      ["stop", () => client.stop({ session_id })],
      ["take", () => client.take({ session_id })],
      ["a person's key", () => client.pty_send({ session_id, text: "x" })],
    ]) {
      const took = [];
      for (let i = 0; i < TIMES; i++) {
        await client.release({ session_id });
        const typing = agent.pty_send({ session_id, text: "a" }).catch(() => undefined);
        const began = performance.now();
        await act();
        // From here on an agent is refused; how long did that take?
        took.push(performance.now() - began);
        await typing;
        const late = await agent.pty_send({ session_id, text: "a" }).catch((error) => error.code);
        if (late !== "gate.held") throw new Error(`an agent typed after ${name}: ${JSON.stringify(late)}`);
      }
      rows.push([`${name}, yes pouring`, ...figures(took)]);
    }
    await client.pty_close({ session_id });
    table(["", "p50", "p90", "p99"], rows);
  });
}

const figures = (took) => [0.5, 0.9, 0.99].map((q) => quantile(took, q).toFixed(2));
