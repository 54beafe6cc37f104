// How `duetty setup` behaves: it shows, asks, and writes only what was seen, where it may.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BIN } from "../../fixtures/stand/installation.ts";
import { SetupHome } from "../../fixtures/stand/setup-home.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty } = sharedStand({ daemon: "later" });
const filesIn = (folder: string) => fs.readdirSync(folder, { recursive: true }).map(String).sort();

it("without a terminal and --yes setup prints the diff and a hint, exits with 2 and writes nothing", async () => {
  using place = new SetupHome();
  const before = filesIn(place.home);
  const asked = await place.setup("claude");
  expect(asked.code).toBe(2);
  expect(asked.stdout).toContain('+    "duetty": {');
  expect(asked.stderr).toContain("--yes");
  const json = await place.setup("claude", "--json");
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({ status: "unconfirmed", diff: expect.stringContaining("+++") });
  expect(filesIn(place.home)).toEqual(before);
  expect(JSON.parse((await place.setup("claude", "--yes", "--json")).stdout)).toMatchObject({
    client: "claude",
    status: "written",
    files: [join(place.home, ".claude.json")],
  });
  expect(JSON.parse((await place.setup("claude", "--json")).stdout).status).toBe("unchanged");
});

it("on a terminal setup asks, and anything but yes writes nothing", async () => {
  using place = new SetupHome();
  Object.assign(duetty.env, place.env);
  const file = join(place.home, ".cursor/mcp.json");
  for (const [typed, isWritten] of [
    ["\r", false],
    ["n\r", false],
    ["\x04", false],
    ["\x03", false],
    ["y\r", true],
  ] as const) {
    const terminal = TestTerminal.open(duetty, ["setup", "cursor"]);
    await expect.poll(() => terminal.text()).toContain("Write it? [y/N]");
    terminal.type(typed);
    await expect.poll(() => terminal.exit).toBe(isWritten ? 0 : 1);
    expect(terminal.text()).toContain(isWritten ? "Cursor is set up." : "Nothing was written.");
    expect(fs.existsSync(file)).toBe(isWritten);
    await terminal.pty.close();
  }
});

it.each([
  ["claude", ".claude.json", '{\n  "a": 1\n  "b": 2\n}', "line 3"],
  ["claude", ".claude.json", "[]", "not an object"],
  ["gemini", ".gemini/settings.json", '{"mcpServers": []}', '"mcpServers" is not an object'],
  ["cursor", ".cursor/mcp.json", '{"a": 1', "ends too early"],
  ["codex", ".codex/config.toml", "a = 1\nmodel = gpt\n", "line 2"],
  ["codex", ".codex/config.toml", 'mcp_servers = { a = { command = "a" } }\n', "cannot be extended"],
  ["codex", ".codex/config.toml", '[mcp_servers]\nduetty = { command = "a" }\n', "not written as a table"],
])("%s: an unreadable file is left alone (%#)", async (client, file, text, why) => {
  using place = new SetupHome();
  place.put(file, text);
  const tried = await place.setup(client, "--yes");
  expect(tried.code).toBe(1);
  expect(tried.stderr).toContain(`~/${file}, line`);
  expect(tried.stderr).toContain(why);
  expect(tried.stderr).toContain("Nothing was written.");
  expect(place.text(file)).toBe(text);
});

it("bytes that are not text are left alone", async () => {
  using place = new SetupHome();
  const file = place.put(".cursor/mcp.json", "");
  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  fs.writeFileSync(file, bytes);
  expect((await place.setup("cursor", "--yes")).stderr).toContain("not UTF-8");
  expect(fs.readFileSync(file)).toEqual(bytes);
});

it("a symlink stays one and its target keeps its mode; a dangling link gets its file", async () => {
  using place = new SetupHome();
  const real = place.put("dotfiles/claude.json", '{\n  "a": 1\n}\n', 0o600);
  const link = join(place.home, ".claude.json");
  fs.symlinkSync("dotfiles/claude.json", link);
  expect((await place.setup("claude", "--yes")).code).toBe(0);
  expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(fs.readFileSync(real, "utf8")).mcpServers.duetty.command).toBe("duetty");
  expect(fs.statSync(real).mode & 0o777).toBe(0o600);
  expect(filesIn(join(place.home, "dotfiles"))).toEqual(["claude.json"]);
  fs.mkdirSync(join(place.home, ".cursor"));
  fs.symlinkSync("../dotfiles/cursor.json", join(place.home, ".cursor/mcp.json"));
  expect((await place.setup("cursor", "--yes")).code).toBe(0);
  expect(place.text("dotfiles/cursor.json")).toContain("agent:cursor");
});

it("a minified file is not printed whole", async () => {
  using place = new SetupHome();
  const secret = "s".repeat(5_000);
  place.put(".claude.json", JSON.stringify({ a: secret, mcpServers: {}, z: secret }));
  const done = await place.setup("claude", "--yes");
  expect(done.stdout).toContain("agent:claude");
  expect(done.stdout.length).toBeLessThan(2_000);
});

it("--print writes only the snippet to stdout and the client's own command beside it, and changes nothing", async () => {
  using place = new SetupHome();
  const before = filesIn(place.home);
  const expected = {
    claude: "claude mcp add --scope user duetty -- duetty mcp --as agent:claude",
    codex: "codex mcp add duetty -- duetty mcp --as agent:codex",
    gemini: "gemini mcp add --scope user duetty duetty mcp -- --as agent:gemini",
    vscode: `code --add-mcp '{"name":"duetty","command":"duetty","args":["mcp","--as","agent:vscode"]}'`,
    opencode: "",
    cursor: "",
  };
  for (const [client, oneLiner] of Object.entries(expected)) {
    const printed = await place.setup(client, "--print");
    expect(printed.code).toBe(0);
    expect(printed.stderr).toContain(oneLiner);
    if (client === "codex")
      expect(printed.stdout).toMatch(/^\[mcp_servers\.duetty\]\ncommand = "duetty"\nargs = \[.*\]\n$/);
    else expect(JSON.stringify(JSON.parse(printed.stdout))).toContain(`agent:${client}`);
  }
  expect(filesIn(place.home)).toEqual(before);
});

it("--print also says DUETTY_HOME and where the skill goes", async () => {
  using place = new SetupHome();
  const DUETTY_HOME = join(place.home, "my d");
  const expected = {
    claude: `claude mcp add --env DUETTY_HOME='${DUETTY_HOME}' --scope user duetty -- duetty mcp --as agent:claude`,
    codex: `codex mcp add duetty --env DUETTY_HOME='${DUETTY_HOME}' -- duetty mcp --as agent:codex`,
    gemini: `gemini mcp add --env DUETTY_HOME='${DUETTY_HOME}' --scope user duetty duetty mcp -- --as agent:gemini`,
    vscode: `"env":{"DUETTY_HOME":"${DUETTY_HOME}"}}'`,
  };
  for (const [client, oneLiner] of Object.entries(expected)) {
    const printed = await place.setupWith({ DUETTY_HOME }, client, "--print");
    expect(printed.stderr).toContain(oneLiner);
    expect(printed.stdout).toContain(DUETTY_HOME);
  }
  const { stderr } = await place.setup("claude", "--print", "--skill");
  expect(stderr).toMatch(/skills\/duetty\/SKILL\.md\n {2}to ~\/\.claude\/skills\/duetty\/SKILL\.md\n$/);
  const { skill } = JSON.parse((await place.setup("claude", "--print", "--skill", "--json")).stdout);
  expect(fs.existsSync(skill.from)).toBe(true);
  expect((await place.setup("vscode", "--print", "--skill")).code).toBe(2);
});

it("a checkout that is not on the PATH is named by its full path, and another duetty is not taken for ours", async () => {
  using place = new SetupHome();
  const other = place.put("other/duetty", "#!/bin/sh\n", 0o755);
  for (const PATH of ["/usr/bin", `${join(other, "..")}:/usr/bin`]) {
    const { stdout } = await place.setupWith({ PATH }, "cursor", "--print");
    const { command, args } = JSON.parse(stdout).mcpServers.duetty;
    expect([command, ...args]).toEqual([process.execPath, BIN, "mcp", "--as", "agent:cursor"]);
  }
});

it("the skill is installed on request, removed with --remove, and refused where there is no folder for it", async () => {
  using place = new SetupHome();
  const text = fs.readFileSync(join(BIN, "../../skills/duetty/SKILL.md"), "utf8");
  for (const [client, file] of [
    ["claude", ".claude/skills/duetty/SKILL.md"],
    ["codex", ".agents/skills/duetty/SKILL.md"],
    ["gemini", ".gemini/skills/duetty/SKILL.md"],
    ["opencode", ".config/opencode/skills/duetty/SKILL.md"],
    ["cursor", ".cursor/skills/duetty/SKILL.md"],
  ] as const) {
    expect((await place.setup(client, "--yes")).stdout).toContain("--skill");
    expect(place.text(file)).toBeUndefined();
    const done = await place.setup(client, "--yes", "--skill");
    expect(done.stdout).toContain(`+++ ~/${file}`);
    expect(place.text(file)).toBe(text);
    expect((await place.setup(client, "--skill")).stdout).toContain("already set up");
    await place.setup(client, "--yes", "--remove");
    expect(fs.existsSync(join(place.home, file, ".."))).toBe(false);
  }
  expect((await place.setup("vscode", "--skill", "--yes")).code).toBe(2);
});

it("the list shows which clients are installed and set up", async () => {
  using place = new SetupHome();
  place.put(".gemini/settings.json", "{ broken");
  place.put("bin/codex", "#!/bin/sh\n", 0o755);
  await place.setup("cursor", "--yes");
  const { stdout, code } = await place.setup();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^cursor +Cursor +found +set up \(~\/\.cursor\/mcp\.json\)$/m);
  expect(stdout).toMatch(/^codex +Codex +found +not set up$/m);
  expect(stdout).toMatch(/^claude +Claude Code +- +not set up$/m);
  expect(stdout).toMatch(/^gemini .* unreadable \(~\/\.gemini\/settings\.json\)$/m);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  const { clients } = JSON.parse((await place.setup("--json")).stdout);
  expect(clients).toHaveLength(6);
  expect(clients.at(-1)).toMatchObject({ client: "cursor", installed: true, duetty: "set up" });
});

it("wrong arguments are usage errors", async () => {
  using place = new SetupHome();
  for (const words of [["emacs"], ["claude", "codex"], ["claude", "--scope", "world"], ["claude", "--nonsense"]])
    expect((await place.setup(...words)).code, words.join(" ")).toBe(2);
  expect((await place.setup("--help")).stdout).toContain("duetty setup [CLIENT]");
});
