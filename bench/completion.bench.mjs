// How long Tab takes in the page's prompt: again at the same prompt, as the first after a command, and with a new hidden shell.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quantile, table, withFolder, withStand } from "./stand.mjs";

export const question = "How long does Tab take when the shell is asked (150 ms at most, p95, warm)? (ms)";

const TIMES = 12;
const LINES = ["cat o", "ls --al", "echo $HO", "git che", "git checkout to"];
const SETUP = { bash: "true", zsh: "autoload -Uz compinit; compinit -u -D", fish: "true" };

export async function run() {
  await withFolder((folder) => {
    for (const name of ["one", "other"]) writeFileSync(join(folder, name), "");
    const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=b", "-c", "user.email=b@b", ...args]);
    for (const args of ["init -q", "add -A", "commit -qm all", "branch topic-a", "branch topic-b"])
      git(...args.split(" "));
    return withStand((stand) => measure(stand, folder), undefined, { complete_ms: 20_000 });
  });
}

async function measure({ client, dir }, cwd) {
  const rows = [];
  for (const shell of ["bash", "zsh", "fish"]) {
    const { session_id } = await client.pty_open({ shell: `/usr/bin/${shell}`, cwd, env: { HOME: dir } });
    await client.pty_wait({ session_id, any: [{ prompt: true }] });
    const say = (command) => client.run_command({ session_id, command });
    const tab = async (line) => {
      const began = performance.now();
      const { note } = await client.complete({ session_id, line });
      if (note !== null) throw new Error(`${shell}, ${line}: ${note}`);
      return performance.now() - began;
    };
    await say(SETUP[shell]);
    for (const line of LINES) await tab(line);
    const took = { again: [], first: [], anew: [] };
    for (let i = 0; i < TIMES; i++) {
      for (const line of LINES) took.again.push(await tab(line));
      await say("true");
      took.first.push(await tab("cat o"));
      await say(shell === "fish" ? `set -g changed ${i}` : `changed=${i}`);
      took.anew.push(await tab("cat o"));
    }
    for (const [when, all] of Object.entries(took))
      rows.push([shell, when, quantile(all, 0.5).toFixed(0), quantile(all, 0.95).toFixed(0)]);
    await client.pty_close({ session_id });
  }
  table(["shell", "Tab", "p50", "p95"], rows);
}
