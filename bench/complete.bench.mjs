// How long Tab takes in the page's prompt, beside the shell's own Tab in a bare terminal.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { quantile, SMOKE, table, withFolder, withStand } from "./stand.mjs";

export const question = "How long does Tab take when the shell is asked (150 ms at most, p95, warm)? (ms)";

const TIMES = SMOKE ? 2 : 20;
/** What is completed, and what the shell then lists or adds. */
const LINES = [
  ["cat o", /other/],
  ["ls --al", /almost-all/],
  ["echo $HO", /HOSTNAME|HOME/],
  ["git che", /cherry/],
  ["git checkout to", /pic-/],
];
const PACKAGED = "/usr/share/bash-completion/bash_completion";
const SHELLS = {
  bash: {
    setup: existsSync(PACKAGED) ? `. ${PACKAGED}` : "true",
    change: (i) => `changed=${i}`,
    fresh: (i) => `f${i}() { :; }`,
    own: ["--norc", "--noprofile"],
    // Else it lists at the second Tab only.
    ready: "bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'; PS1='$ '",
    // Without a package bash knows nothing of git, nor of options.
    lines: existsSync(PACKAGED) ? LINES : LINES.filter(([line]) => /^cat|^echo/.test(line)),
  },
  zsh: {
    setup: "autoload -Uz compinit; compinit -u -D",
    change: (i) => `changed=${i}`,
    fresh: (i) => `f${i}() { :; }`,
    own: ["-f"],
    ready: "autoload -Uz compinit; compinit -u -D; PS1='$ '",
    lines: LINES,
  },
  fish: {
    setup: "true",
    change: (i) => `set -g changed ${i}`,
    fresh: (i) => `function f${i}; end`,
    own: ["--private"],
    ready: "function fish_prompt; echo '$ '; end; set -g fish_autosuggestion_enabled 0",
    lines: LINES,
  },
};

export async function run() {
  await withFolder((folder) => {
    for (const name of ["one", "other"]) writeFileSync(join(folder, name), "");
    const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=b", "-c", "user.email=b@b", ...args]);
    for (const args of ["init -q", "add -A", "commit -qm all", "branch topic-a", "branch topic-b"])
      git(...args.split(" "));
    return withStand((stand) => measure(stand, folder), undefined, { complete_ms: 20_000 });
  });
}

async function measure(stand, cwd) {
  const rows = [];
  for (const name of Object.keys(SHELLS)) {
    const ours = await tabs(stand, name, cwd);
    const own = await ownTabs(stand, name, cwd);
    const took = { ...ours, "its own Tab, again": own };
    for (const [when, all] of Object.entries(took))
      rows.push([name, when, quantile(all, 0.5).toFixed(0), quantile(all, 0.95).toFixed(0)]);
  }
  table(["shell", "Tab", "p50", "p95"], rows);
}

async function tabs({ client, dir }, name, cwd) {
  const shell = SHELLS[name];
  const { session_id } = await client.pty_open({ shell: `/usr/bin/${name}`, cwd, env: { HOME: dir } });
  await client.pty_wait({ session_id, any: [{ prompt: true }] });
  const say = (command) => client.run_command({ session_id, command });
  const tab = async (line) => {
    const began = performance.now();
    const { note } = await client.complete({ session_id, line });
    if (note !== null) throw new Error(`${name}, ${line}: ${note}`);
    return performance.now() - began;
  };
  await say(shell.setup);
  for (const [line] of shell.lines) await tab(line);
  const took = { again: [], "first after a command": [], "… that set a variable": [], "… that made a function": [] };
  const after = async (when, command) => {
    await say(command);
    took[when].push(await tab("cat o"));
  };
  for (let i = 0; i < TIMES; i++) {
    for (const [line] of shell.lines) took.again.push(await tab(line));
    await after("first after a command", "true");
    await after("… that set a variable", shell.change(i));
    await after("… that made a function", shell.fresh(i));
  }
  await client.pty_close({ session_id });
  return took;
}

/** From the key to the list, as its terminal gets them. */
async function ownTabs({ dir, env }, name, cwd) {
  const { own, ready, lines } = SHELLS[name];
  const pty = spawn(name, own, { cwd, cols: 120, rows: 40, env: { ...env, HOME: dir, TERM: "xterm" } });
  let seen = "";
  let heard = () => undefined;
  pty.onData((text) => {
    // fish underlines what was typed.
    seen = stripVTControlCharacters(seen + text);
    heard();
  });
  const shows = (pattern) =>
    new Promise((resolve) => {
      heard = () => pattern.test(seen) && resolve();
      heard();
    });
  const say = async (text, pattern) => {
    seen = "";
    pty.write(text);
    await shows(pattern);
  };
  // The echo of the line itself does not have the sum.
  const sum = name === "fish" ? "(math 1000 + 1)" : "$((1000 + 1))";
  const command = (text) => say(`${text}echo r${sum}e\r`, /r1001e[\s\S]*\$ /);
  await shows(/[$>%#] /);
  await command(`${ready}; `);
  const took = [];
  for (let i = -1; i < TIMES; i++)
    for (const [line, list] of lines) {
      // The last letters are enough: fish draws a line in pieces.
      await say(line, new RegExp(`${line.slice(-1)}`));
      const began = performance.now();
      await say("\t", list);
      if (i >= 0) took.push(performance.now() - began);
      // Ctrl+C would drop what comes right after it.
      await command(name === "fish" ? "\x1b\x05\x15" : "\x05\x15");
    }
  pty.kill();
  return took;
}
