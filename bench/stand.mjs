// The stand for every question: its own installation in a temporary home, removed afterwards.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clientOver } from "../build/client/client.js";
import { KeptConnection } from "../build/client/http.js";
import { unixTransport } from "../build/client/local.js";
import { homeOf } from "../build/protocol/plain/home.js";

export const BIN = fileURLToPath(new URL("../bin/duetty.js", import.meta.url));

/** Another build of duetty to compare with in the same run: BENCH_BASE is its checkout. */
const BASE = process.env.BENCH_BASE;

/** Runs with a stand for this build and, when BENCH_BASE is set, one for the other build. */
export function withBuilds(run) {
  return withStand((ours) =>
    BASE ? withStand((base) => run(ours, base), join(BASE, "bin/duetty.js")) : run(ours, undefined),
  );
}

/** A temporary folder for questions that need no daemon. */
export async function withFolder(run) {
  const dir = mkdtempSync(join(tmpdir(), "dtb-"));
  try {
    return await run(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function withStand(run, bin = BIN, config = undefined) {
  const dir = mkdtempSync(join(tmpdir(), "dtb-"));
  // Shells have it as their home. Without this folder fish reads every manual page meanwhile.
  mkdirSync(join(dir, ".local/share/fish/generated_completions"), { recursive: true });
  const env = { ...process.env, DUETTY_HOME: dir };
  const home = homeOf(env);
  const duetty = (...args) => execFileSync(process.execPath, [bin, ...args], { env, encoding: "utf8" });
  // As an MCP server does, whose agent calls again and again.
  const kept = new KeptConnection();
  const connect = (file) => {
    const token = readFileSync(file, "utf8").trim();
    return clientOver(unixTransport(home, () => ({ token, as: undefined }), kept));
  };
  let client;
  try {
    if (config) writeFileSync(home.config, JSON.stringify(config));
    duetty("status");
    client = connect(home.personToken);
    const agent = () => connect(home.agentToken);
    const tmux = (...args) =>
      execFileSync("tmux", ["-S", join(dir, "tmux.sock"), "-f", "/dev/null", ...args], { env, encoding: "utf8" });
    return await run({ dir, env, home, client, agent, duetty, tmux });
  } finally {
    spawnSync("tmux", ["-S", join(dir, "tmux.sock"), "kill-server"]);
    // We end it as the person. A program that runs the command line is an agent, which may not end a person's sessions.
    if (client) await client.shutdown({});
    else duetty("shutdown");
    rmSync(dir, { recursive: true, force: true });
  }
}

export const seconds = async (run) => {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
};

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** What a process has used of a core so far. */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * TICK_MS;
}

/** Small sizes and one round, so that it takes seconds: for a look at ratios with wide margins. */
export const SMOKE = process.env.BENCH_SMOKE === "1";

/** All tables of this run, for programs to read. */
export const tables = [];

export function table(head, rows) {
  tables.push({ head, rows });
  const all = [head, head.map(() => "---"), ...rows.map((row) => row.map(String))];
  for (const row of all) console.log(`| ${row.join(" | ")} |`);
}
