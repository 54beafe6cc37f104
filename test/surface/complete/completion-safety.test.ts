// To complete a line runs programs: parts of the line, files of the project. None of it happens outside the box, for an agent,
// or for longer than a person would wait.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../fixtures/soon.ts";
import type { ShellKind } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, folder, openShell, trust } = sharedStand({ config: { complete_ms: 4_000 } });

/** A completion that tries to write here, at home and in our own home, and tells what it could do. `linger` never answers. */
const SPY: Readonly<Record<ShellKind, string>> = {
  bash: `_spy() { COMPREPLY=($(touch canary 2>/dev/null && echo x-here; touch ~/canary 2>/dev/null && echo x-home; [ -s "$TOKEN" ] && echo x-token; (exec 3<>/dev/tcp/127.0.0.1/$PORT) 2>/dev/null && echo x-net; touch /tmp/own && echo x-ran)); }; complete -F _spy spy
_linger() { sleep 271828; }; complete -F _linger linger`,
  zsh: `autoload -Uz compinit; compinit -u -D; zmodload zsh/net/tcp; _spy() { compadd $(touch canary 2>/dev/null && echo x-here; touch ~/canary 2>/dev/null && echo x-home; [ -s "$TOKEN" ] && echo x-token; ztcp 127.0.0.1 $PORT 2>/dev/null && echo x-net; touch /tmp/own && echo x-ran) }; compdef _spy spy`,
  fish: `complete -c spy -f -a '(touch canary 2>/dev/null && echo x-here; touch ~/canary 2>/dev/null && echo x-home; test -s "$TOKEN" && echo x-token; bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT" 2>/dev/null && echo x-net; touch /tmp/own && echo x-ran)'`,
};

/** Lines whose completion is known to run a part of them in one of the shells. */
const RUNS = [
  "make -C $(touch M) ",
  "ssh -F $(touch M) ",
  ["ls $", "{x[$(touch M)]}/"].join(""),
  "git -C $(touch M) checkout ",
  "git --git-dir=$(touch M) checkout ",
  "ls $(touch M)/",
  'cd "$(touch M)/',
  "cat `touch M`/",
  "cat <(touch M) ",
];

function lingering(): boolean {
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep\x00271828");
    } catch {
      // It is gone.
      return false;
    }
  });
}

describe.each(["bash", "zsh", "fish"] as const)("%s", (kind) => {
  test("completion runs only in the box, never for an agent, and not for long", { timeout: 120_000 }, async () => {
    const cwd = folder({ Makefile: "X := $(shell touch made-by-make)\nall:\n" });
    const env = { TOKEN: join(duetty.home.dir, "person.token"), PORT: String((await person.status({})).http.port) };
    const { session_id } = await openShell(kind, { cwd, env });
    for (const command of SPY[kind].split("\n")) await person.run_command({ session_id, command });
    const complete = async (line: string) => person.complete({ session_id, line });

    // It ran, and could do nothing but write to its own /tmp.
    expect((await complete("spy ")).candidates.map(({ text }) => text)).toEqual(["x-ran"]);
    expect((await complete("make ")).note).toBeNull();
    const lines = RUNS.map((line) => (kind === "fish" ? line.replace("$(", "(").replace("<(", "(") : line));
    for (const line of lines) expect((await complete(line)).note, line).toMatch(/would run a part of it/);
    expect(fs.readdirSync(cwd)).toEqual(["Makefile"]);
    expect(fs.existsSync(join(duetty.env.HOME ?? "", "canary"))).toBe(false);

    // Nothing of the shell's state is left on the disk, and nobody sees another session.
    expect(fs.statSync(join(duetty.home.dir, "sessions", session_id, "shell/state"))).toMatchObject({ size: 0 });
    const left = fs.readdirSync(join(duetty.home.dir, "run/side"), { recursive: true }).map(String);
    expect(left.filter((path) => path.endsWith("/state"))).toEqual([]);
    expect((await person.pty_list({})).sessions.filter(({ state }) => state === "running")).toHaveLength(1);

    // The same in all shells: everything in the box is killed.
    if (kind === "bash") {
      expect((await complete("linger ")).note).toMatch(/did not answer in time/);
      await until(() => !lingering(), "the end of what it started");
      expect((await complete("spy ")).candidates).toHaveLength(1);
    }

    await trust(session_id);
    await agent("a").pty_send({ session_id, text: "spy half" });
    expect((await complete("spy ")).note).toMatch(/an agent is typing/);
    await expect(agent("a").complete({ session_id, line: "spy " })).rejects.toMatchObject({ code: "auth.forbidden" });
    await person.pty_close({ session_id });
    await until(() => fs.readdirSync(join(duetty.home.dir, "run/side")).length === 0, "the hidden shell's end");
  });
});
