// `duetty setup` with every client: what it writes, that it writes it once, and that it takes it out again.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { SetupHome } from "../../fixtures/stand/setup-home.ts";

const stdio = (name: string) => ({ command: "duetty", args: ["mcp", "--as", `agent:${name}`] });
const withType = (name: string) => ({ type: "stdio", ...stdio(name) });
const opencode = { type: "local", command: ["duetty", "mcp", "--as", "agent:opencode"], enabled: true };

/** Each client's files, our entry by its shape, and a file as somebody may have it. */
const CASES = [
  {
    name: "claude",
    user: ".claude.json",
    project: ".mcp.json",
    at: ["mcpServers"],
    entry: withType("claude"),
    existing: '{\n  "numStartups": 3,\n  "mcpServers": {\n    "gh": {"command": "gh-mcp"}\n  },\n  "x": []\n}\n',
  },
  {
    name: "gemini",
    user: ".gemini/settings.json",
    project: ".gemini/settings.json",
    at: ["mcpServers"],
    entry: stdio("gemini"),
    existing: '{\n\t// mine\n\t"theme": "dark", // really\n}',
  },
  {
    name: "opencode",
    user: ".config/opencode/opencode.json",
    project: "opencode.json",
    at: ["mcp"],
    entry: opencode,
    existing: '{ "$schema": "https://opencode.ai/config.json", "mcp": { "a": { "type": "remote", "url": "u" } } }\n',
  },
  {
    name: "vscode",
    user: ".config/Code/User/mcp.json",
    project: ".vscode/mcp.json",
    at: ["servers"],
    entry: withType("vscode"),
    existing:
      '{\r\n    "inputs": [],\r\n    "servers": {\r\n        "m": { "command": "m" }, /* last */\r\n    }\r\n}\r\n',
  },
  {
    name: "cursor",
    user: ".cursor/mcp.json",
    project: ".cursor/mcp.json",
    at: ["mcpServers"],
    entry: withType("cursor"),
    existing: '{"mcpServers":{"a":{"command":"a"}}}',
  },
] as const;
/** Every client has every test in `npm run test:all`. */
const SOME_CASES = CASES.filter((_, i) => i % depth(3, 1) === 0);

const withoutComments = (text: string) =>
  JSON.parse(text.replace(/\/\/ (?:mine|really)|\/\* last \*\//g, "").replace(/,(\s*[}\]])/g, "$1"));
const reach = (root: Record<string, unknown>, at: readonly string[]) =>
  at.reduce<Record<string, unknown>>((node, key) => node[key] as Record<string, unknown>, root);

it.each(CASES)("$name: a new file is written once and removed again", async ({ name, user, at, entry }) => {
  using place = new SetupHome();
  const first = await place.setup(name, "--yes");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain(`+++ ~/${user}`);
  expect(first.stdout).toContain("is set up.");
  const written = place.text(user) ?? "";
  expect(reach(JSON.parse(written), at).duetty).toEqual(entry);
  expect(fs.statSync(join(place.home, user)).mode & 0o777).toBe(0o600);
  const again = await place.setup(name, "--yes");
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toContain("already set up");
  expect(place.text(user)).toBe(written);
  expect((await place.setup(name, "--remove", "--yes")).code).toBe(0);
  expect(place.text(user)).toBeUndefined();
  expect((await place.setup(name, "--remove")).stdout).toContain("not set up");
});

it.each(CASES)("$name: a file keeps its other entries", async ({ name, user, at, entry, existing }) => {
  using place = new SetupHome();
  place.put(user, existing, 0o640);
  expect((await place.setup(name, "--yes")).code).toBe(0);
  const after = place.text(user) ?? "";
  const root = withoutComments(after);
  expect(reach(root, at).duetty).toEqual(entry);
  const { duetty, ...others } = reach(root, at);
  const old = withoutComments(existing);
  expect(others).toEqual(old[at[0]] ?? {});
  expect({ ...root, [at[0]]: undefined }).toEqual({ ...old, [at[0]]: undefined });
  for (const line of existing.split("\n").filter((text) => text.includes("// "))) expect(after).toContain(line);
  expect(fs.statSync(join(place.home, user)).mode & 0o777).toBe(0o640);
  expect((await place.setup(name, "--remove", "--yes")).code).toBe(0);
  expect(place.text(user)).toBe(existing);
});

it.each(CASES)(
  "$name: a project's file is written without touching the home",
  async ({ name, user, project, at, entry }) => {
    using place = new SetupHome();
    const done = await place.setup(name, "--yes", "--scope", "project");
    expect(done.stdout).toContain(`+++ ${project}`);
    expect(reach(JSON.parse(place.text(join("project", project)) ?? ""), at).duetty).toEqual(entry);
    expect(place.text(user)).toBeUndefined();
    expect((await place.setup(name, "--yes", "--scope", "project", "--remove")).code).toBe(0);
    expect(place.text(join("project", project))).toBeUndefined();
  },
);

it.each(SOME_CASES)("$name: a different entry is shown and corrected", async ({ name, user, at, entry }) => {
  using place = new SetupHome();
  const other = { command: "npx", args: ["duetty"], env: { KEEP: "1" } };
  place.put(user, JSON.stringify({ [at[0]]: { duetty: other, z: {} } }, null, 4));
  const listed = await place.setup();
  expect(listed.stdout).toMatch(new RegExp(`${name} .*set up differently`));
  const done = await place.setup(name, "--yes");
  expect(done.stdout).toMatch(/^-.*npx/m);
  expect(done.stdout).toMatch(/^\+.*agent:/m);
  expect(reach(JSON.parse(place.text(user) ?? ""), at)).toEqual({ duetty: { ...other, ...entry }, z: {} });
});

it("codex: a TOML table is added at the end, corrected in place and removed", async () => {
  using place = new SetupHome();
  const file = ".codex/config.toml";
  const ours = '[mcp_servers.duetty]\ncommand = "duetty"\nargs = ["mcp", "--as", "agent:codex"]\n';
  await place.setup("codex", "--yes");
  expect(place.text(file)).toBe(ours);
  expect((await place.setup("codex")).stdout).toContain("already set up");
  await place.setup("codex", "--remove", "--yes");
  expect(place.text(file)).toBeUndefined();

  const mine =
    'model = "gpt" # mine\n\n[mcp_servers.docs]\ncommand = "docs"\n\n[tui]\ntheme = """\n[mcp_servers.duetty]"""\n';
  place.put(file, mine);
  await place.setup("codex", "--yes");
  expect(place.text(file)).toBe(`${mine}\n${ours}`);
  await place.setup("codex", "--remove", "--yes");
  expect(place.text(file)).toBe(mine);

  place.put(
    file,
    `[mcp_servers.duetty]\ncommand = "old" # why\nstartup_timeout_sec = 20\n\n${mine.slice(mine.indexOf("[tui"))}`,
  );
  const changed = await place.setup("codex", "--yes");
  expect(changed.stdout).toContain('-command = "old" # why');
  expect(place.text(file)).toBe(
    `[mcp_servers.duetty]\nargs = ["mcp", "--as", "agent:codex"]\ncommand = "duetty" # why\nstartup_timeout_sec = 20\n\n${mine.slice(mine.indexOf("[tui"))}`,
  );
  await place.setup("codex", "--yes", "--scope", "project");
  expect(place.text("project/.codex/config.toml")).toBe(ours);
});

it("opencode: the newer form and the .jsonc file are used where they exist", async () => {
  using place = new SetupHome();
  const file = ".config/opencode/opencode.jsonc";
  place.put(file, '{\n  // v2\n  "mcp": { "servers": { "a": { "type": "local", "command": ["a"] } } }\n}\n');
  await place.setup("opencode", "--yes");
  const { mcp } = JSON.parse((place.text(file) ?? "").replace("// v2", ""));
  expect(mcp).toEqual({ servers: { a: { type: "local", command: ["a"] }, duetty: opencode } });
  expect(place.text(".config/opencode/opencode.json")).toBeUndefined();
});

it("folders that the environment gives clients are used", async () => {
  using place = new SetupHome();
  const folder = (name: string) => join(place.home, name);
  await place.setupWith({ CLAUDE_CONFIG_DIR: folder("c") }, "claude", "--yes", "--skill");
  await place.setupWith({ CODEX_HOME: folder("x") }, "codex", "--yes");
  await place.setupWith({ XDG_CONFIG_HOME: folder("g") }, "opencode", "--yes");
  await place.setupWith({ XDG_CONFIG_HOME: folder("g") }, "vscode", "--yes");
  await place.setupWith({ GEMINI_CLI_HOME: folder("m") }, "gemini", "--yes");
  for (const file of [
    "c/.claude.json",
    "c/skills/duetty/SKILL.md",
    "x/config.toml",
    "g/opencode/opencode.json",
    "g/Code/User/mcp.json",
    "m/.gemini/settings.json",
  ])
    expect(place.text(file), file).toBeDefined();
});

it.each(SOME_CASES)("$name: DUETTY_HOME is written beside other variables", async ({ name, user, at, entry }) => {
  using place = new SetupHome();
  const key = name === "opencode" ? "environment" : "env";
  const DUETTY_HOME = join(place.home, "my duetty");
  const entryNow = () => reach(JSON.parse(place.text(user) ?? ""), at).duetty as Record<string, unknown>;
  const first = await place.setupWith({ DUETTY_HOME }, name, "--yes");
  expect(first.stdout).toMatch(/^\+.*"DUETTY_HOME": ".*my duetty"/m);
  expect(entryNow()).toEqual({ ...entry, [key]: { DUETTY_HOME } });
  expect((await place.setupWith({ DUETTY_HOME }, name)).stdout).toContain("already set up");
  expect((await place.setupWith({ DUETTY_HOME })).stdout).toMatch(new RegExp(`^${name} .* set up \\(`, "m"));
  expect((await place.setup()).stdout).toMatch(new RegExp(`^${name} .* set up differently`, "m"));
  expect((await place.setup(name, "--yes")).stdout).toMatch(/^-.*DUETTY_HOME/m);
  expect(entryNow()).toEqual(entry);

  place.put(user, JSON.stringify({ [at[0]]: { duetty: { ...entry, [key]: { KEEP: "1" } } } }));
  await place.setupWith({ DUETTY_HOME: "../elsewhere" }, name, "--yes");
  expect(entryNow()[key]).toEqual({ KEEP: "1", DUETTY_HOME: join(place.home, "elsewhere") });
  await place.setup(name, "--yes");
  expect(entryNow()[key]).toEqual({ KEEP: "1" });
  // What the default is anyway need not be said.
  const usual = join(place.home, ".local/state/duetty");
  expect((await place.setupWith({ DUETTY_HOME: usual }, name)).stdout).toContain("already set up");
});
