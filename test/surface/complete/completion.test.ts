// What a page offers at Tab is what the shell itself offers at its own prompt. To complete a line runs programs, parts of the
// line and files of the project: none of it happens outside the box, for an agent, or for longer than a person would wait.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bare, inserted, KEYS, LINES, lineOf, listed, ODD, RUNS, SETUP, SPY } from "../../fixtures/complete/lines.ts";
import { git } from "../../fixtures/git.ts";
import { soon, until } from "../../fixtures/soon.ts";
import type { ShellKind } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, folder, openShell, trust } = sharedStand({ config: { complete_ms: 10_000 } });
const SIDE = () => join(duetty.home.dir, "run/side");

interface Prompt {
  readonly kind: ShellKind;
  readonly session_id: string;
}

const DASHED = ["./--cmd", "./--o=x", "./-rf"].map((name) => [name, "file"]);

function project(): string {
  const cwd = folder({
    ...{ one: "", "other.txt": "", "two words": "", "it's": "", ünï: "", "sub/inner": "", "sub/deep/x": "" },
    ...{ "dashed/-rf": "", "dashed/--cmd": "", "dashed/--o=x": "" },
    ...{ "summary.md": "", Makefile: "X := $(shell touch made-by-make)\nall:\n\nclean:\n" },
    ...Object.fromEntries([...ODD, ...KEYS].map((name) => [`odd/${name}`, ""])),
  });
  git(cwd, "init", "-q");
  git(cwd, "add", "-A");
  git(cwd, "commit", "-qm", "all");
  for (const name of ["topic-one", "topic-two"]) git(cwd, "branch", name);
  return cwd;
}

/** Hidden shells run in a box, and what they were told is gone from the disk. */
async function runsNothing({ kind, session_id }: Prompt, cwd: string): Promise<void> {
  const complete = (line: string) => person.complete({ session_id, line });
  const before = fs.readdirSync(cwd);
  // It ran, and could do nothing but write to its own /tmp.
  expect((await complete("spy ")).candidates.map(({ text }) => text)).toEqual(["x-ran"]);
  expect((await complete("make ")).note).toBeNull();
  const lines = RUNS.map((line) => (kind === "fish" ? line.replace("$(", "(").replace("<(", "(") : line));
  for (const line of lines) expect((await complete(line)).note, line).toMatch(/would run a part of it/);
  expect(fs.readdirSync(cwd)).toEqual(before);
  expect(fs.existsSync(join(duetty.env.HOME ?? "", "canary"))).toBe(false);
  expect(fs.statSync(join(duetty.home.dir, "sessions", session_id, "shell/state"))).toMatchObject({ size: 0 });
}

/** What is inserted for a name is one word for the shell, and says the name. */
async function namesFiles({ kind, session_id }: Prompt, cwd: string): Promise<void> {
  const names = ODD.map((name) => `odd/${name}`).sort();
  for (const asked of ["shell", "path"] as const) {
    const { candidates } = await person.complete({ session_id, line: "cat odd/", kind: asked });
    const words = candidates.map(({ text }) => text);
    // zsh and fish have a way to write control characters without one.
    const said = execFileSync(kind, ["-c", `printf '%s\\0' ${words.join(" ")}`], { cwd, encoding: "utf8" }).split("\0");
    const isKey = (name: string) => KEYS.some((key) => name === `odd/${key}`);
    expect(
      said
        .slice(0, -1)
        .filter((name) => !isKey(name))
        .sort(),
      asked,
    ).toEqual(names);
    expect(words.filter((word) => /[\x00-\x1f\x7f]/.test(word))).toEqual([]);
  }
}

/** Only what the shell would surely not find is unknown. Its PATH and functions are asked for, and nothing is run. */
async function marksUnknown({ session_id }: Prompt): Promise<void> {
  const known = ["ls", "cd", "if", "greet_me", "zap_it", "git", "sub"];
  const { unknown } = await person.unknown_commands({ session_id, names: [...known, "gti", "sl-a-b"] });
  expect(unknown).toEqual(["gti", "sl-a-b"]);
  const asked = agent("a").unknown_commands({ session_id, names: ["gti"] });
  await expect(asked).rejects.toMatchObject({ code: "auth.forbidden" });
}

/** Each line is completed by the operation, and then typed into the same session with a real Tab. */
async function offersTheSame({ kind, session_id }: Prompt): Promise<void> {
  const typed = async (line: string, key: string) => {
    const [before = "", after] = line.split("▮");
    const keys = after === undefined ? [] : [...Array.from(after, () => "Left")];
    // An old list may still stand below the prompt.
    if (kind !== "bash") await person.pty_send({ session_id, keys: ["Ctrl+L"] });
    await person.pty_send({ session_id, text: `${before}${after ?? ""}`, keys: [...keys, key] });
  };
  const lift = async () => (await person.lift_line({ session_id })).text;
  for (const line of LINES[kind]) {
    const caret = line.indexOf("▮");
    const [text, at] = [line.replace("▮", ""), caret < 0 ? line.length : caret];
    const ours = await person.complete({ session_id, line: text, caret: at });
    expect(ours, line).toMatchObject({ note: null, more: 0 });
    const names = [...new Set(ours.candidates.map((candidate) => bare(candidate.text)))].sort();
    await typed(line, "Tab");
    const became = await lift();
    if (became !== null) expect(became, line).toBe(ours.becomes.text);
    if (kind === "bash") {
      await typed(line, "Alt+*");
      expect(inserted((await lift()) ?? "", text, at, ours.from), line).toEqual(names);
      continue;
    }
    // zsh shows no list when it could insert something.
    if (kind === "zsh" && names.length !== 1 && caret < 0) {
      await typed(line, "Ctrl+D");
      await lift();
    }
    // fish keeps its line while its list is open. A single match is inserted, and not listed.
    const shown = () => person.pty_read_screen({ session_id });
    if (became === null) await soon(async () => expect(lineOf(await shown()), line).toBe(ours.becomes.text));
    if (names.length !== 1) await soon(async () => expect(listed(await shown()), line).toEqual(names));
    if (became !== null) continue;
    await person.pty_send({ session_id, keys: ["Escape"] });
    await until(async () => (await lift()) !== null, `the end of the list of ${line}`);
  }
}

describe.concurrent("completion", () => {
  test.each(["bash", "zsh", "fish"] as const)("%s", async (kind) => {
    const cwd = project();
    const env = { TOKEN: join(duetty.home.dir, "person.token"), PORT: String((await person.status({})).http.port) };
    const { session_id } = await openShell(kind, { cwd, env, rows: 40 });
    for (const command of [...SETUP[kind].split("\n"), SPY[kind]]) await person.run_command({ session_id, command });
    await runsNothing({ kind, session_id }, cwd);
    await namesFiles({ kind, session_id }, cwd);
    await marksUnknown({ kind, session_id });
    await offersTheSame({ kind, session_id });

    // A variable that came since, and one that is gone.
    const set = { bash: "MY_NEWER=1", zsh: "MY_NEWER=1", fish: "set -g MY_NEWER 1" }[kind];
    await person.run_command({ session_id, command: set });
    expect((await person.complete({ session_id, line: "echo $MY_NE" })).becomes.text.trim()).toBe("echo $MY_NEWER");
    await person.run_command({ session_id, command: kind === "fish" ? "set -e MY_NEWER" : "unset MY_NEWER" });
    expect((await person.complete({ session_id, line: "echo $MY_NE" })).candidates).toEqual([]);
    // Each shell takes its own away when it has read it.
    const states = () => fs.readdirSync(SIDE(), { recursive: true }).filter((path) => String(path).endsWith("/state"));
    await until(() => states().length === 0, "the end of the files of states");

    await person.run_command({ session_id, command: "cd dashed" });
    // Of a file that is named like an option nothing becomes one.
    for (const asked of ["shell", "path"] as const) {
      const { candidates, becomes } = await person.complete({ session_id, line: "cat ", kind: asked });
      expect(candidates.map((one) => [one.text.replace("\\=", "="), one.kind]).sort(), asked).toEqual(DASHED);
      expect(becomes.text, asked).toMatch(/^cat (?:\.\/-{1,2})?$/);
      expect((await person.complete({ session_id, line: "cat -r", kind: asked })).becomes.text).not.toMatch(/ -rf/);
    }

    await trust(session_id);
    await agent("a").pty_send({ session_id, text: "spy half" });
    expect((await person.complete({ session_id, line: "spy " })).note).toMatch(/an agent is typing/);
    const asked = agent("a").complete({ session_id, line: "spy " });
    await expect(asked).rejects.toMatchObject({ code: "auth.forbidden" });
    await person.pty_close({ session_id });
  });

  test("what does not answer in time is killed with all that it started", async () => {
    const { session_id } = await openShell("bash");
    const command = "_linger() { sleep 271828; }; complete -F _linger linger; complete -W 'x-ran' quick";
    await person.run_command({ session_id, command });
    expect((await person.complete({ session_id, line: "linger " })).note).toMatch(/did not answer in time/);
    await until(() => !lingering(), "the end of what it started");
    expect((await person.complete({ session_id, line: "quick " })).candidates).toHaveLength(1);
    await person.pty_close({ session_id });
  });

  test("zsh without a completion system of its own: files, commands and options all the same", async () => {
    const { session_id } = await openShell("zsh", { cwd: folder({ "alpha one": "", "alpha-two": "" }) });
    const texts = async (line: string) =>
      (await person.complete({ session_id, line })).candidates.map(({ text }) => text).sort();
    expect(await texts("cat al")).toEqual(["alpha-two", "alpha\\ one"]);
    expect(await texts("whoa")).toContain("whoami");
    // The session's own zsh stays as it was.
    const run = await person.run_command({ session_id, command: "echo $+functions[compdef]" });
    expect(run.output?.head).toBe("0");
    await person.pty_close({ session_id });
  });
});

test("hidden shells are no sessions, and end with theirs", async () => {
  expect((await person.pty_list({})).sessions.filter(({ state }) => state === "running")).toEqual([]);
  await until(() => fs.readdirSync(SIDE()).length === 0, "the hidden shells' end");
});

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
