// What agent CLIs that draw all the time cost, beside tmux with the same output, and how soon a blocked one is in the list of
// what needs a person. COUNT sets how many.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cpuMs, quantile, SMOKE, table, withStand } from "./stand.mjs";

const COUNT = Number(process.env.COUNT ?? 30);
export const question = `What do ${COUNT} agents that draw ten times a second cost?`;

/** Code that runs for the first time is slow. */
const WARM_MS = SMOKE ? 2_000 : 15_000;
const MEASURED_MS = SMOKE ? 2_000 : 20_000;
const BLOCKS = SMOKE ? 3 : 20;

/** As Claude Code draws: frames (mode 2026), a title that turns. What it gets makes it blocked, or lets it go on. */
const PROGRAM = String.raw`
$| = 1; my ($n, $blocked) = (0, 0); print "\e[?1049h\e[2J";
while (1) {
  $n++;
  my $out = "\e[?2026h\e[1;1H\e[38;5;208m" . substr("|/-\\", $n % 4, 1) . "\e[0m Thinking (" . int($n / 10) . "s)\e[K";
  $out .= "\e[$_;1H\e[2mtool call $_: reads file " . ($n + $_) . " of the project\e[0m\e[K" for 2 .. 6;
  $out .= "\e[24;1H> \e[K\e[?2026l";
  $out .= "\e]0;" . ($n % 2 ? "\x{e2}\x{97}\x{90}" : "\x{e2}\x{97}\x{91}") . " work\a" if $n % 5 == 0;
  syswrite STDOUT, $out;
  my $ready = ""; vec($ready, 0, 1) = 1;
  next unless select($ready, undef, undef, 0.1);
  sysread STDIN, my $key, 100;
  $blocked++;
  my $state = $blocked % 2 ? "blocked:app=claude-code:kind=permission" : "working:app=claude-code";
  syswrite STDOUT, "\e[10;1Hturn $blocked.\e[K\e]7501;state=$state\e\\";
}`;

export async function run() {
  await withStand(async ({ dir, client, tmux }) => {
    const [program, script] = [join(dir, "claude"), join(dir, "draws.pl")];
    copyFileSync("/usr/bin/perl", program);
    writeFileSync(script, PROGRAM);
    const line = `stty raw -echo; exec ${program} ${script}`;
    tmux("new-session", "-d", "-x", "80", "-y", "24", line);
    for (let n = 1; n < COUNT; n++) tmux("new-window", "-d", line);
    const peer = await cost([Number(tmux("display", "-p", "#{pid}"))]);
    tmux("kill-server");
    const sessions = [];
    for (let n = 0; n < COUNT; n++)
      sessions.push((await client.pty_open({ command: ["sh", "-c", line], cols: 80, rows: 24 })).session_id);
    const { daemon, holder } = await client.status({});
    const [ours, held] = await cost([daemon.pid, holder.pid]);
    const ratio = (ms) => (ms / peer[0]).toFixed(1);
    table(
      ["", "CPU ms a second", "of tmux"],
      [
        ["tmux", peer[0].toFixed(0), "1.0"],
        ["daemon", ours.toFixed(0), ratio(ours)],
        ["holder", held.toFixed(0), ratio(held)],
      ],
    );
    const behind = await lateness(client, sessions[0]);
    const ms = (q) => quantile(behind, q).toFixed(0);
    table(["list of needs behind the screen", "p50 ms", "worst ms"], [["blocked, free again", ms(0.5), ms(1)]]);
  });
}

/** How long after a key the list has, or no longer has, the session; less what the screen takes. */
async function lateness(client, session_id) {
  const late = [];
  for (let n = 1; n <= BLOCKS; n++) {
    const shown = client.pty_send({
      session_id,
      text: "x",
      then: { any: [{ text: `turn ${n}.` }], timeout_ms: 5_000 },
    });
    const shownAt = shown.then(() => performance.now());
    const wanted = n % 2 === 1;
    const isListed = async () => (await client.needs({})).needs.some((need) => need.session_id === session_id);
    while ((await isListed()) !== wanted) await pause(2);
    late.push(Math.max(0, performance.now() - (await shownAt)));
    await pause(300);
  }
  return late;
}

async function cost(pids) {
  await pause(WARM_MS);
  const [before, began] = [pids.map(cpuMs), performance.now()];
  await pause(MEASURED_MS);
  const s = (performance.now() - began) / 1_000;
  return pids.map((pid, n) => (cpuMs(pid) - before[n]) / s);
}
