// What other programs and models read about duetty: well formed, of this version, and true.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENTS, type Command } from "../../../src/cli/setup/clients.ts";
import { ops } from "../../../src/protocol/ops.ts";
import { LOCAL_VERBS } from "../../../src/protocol/plain/local-verbs.ts";
import { VERSION } from "../../../src/protocol/plain/version.ts";
import { fencesIn, markdown } from "../../fixtures/markdown.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";
import { SetupHome } from "../../fixtures/stand/setup-home.ts";

const json = (name: string) => JSON.parse(markdown(name));
const exists = (name: string) => fs.existsSync(join(ROOT, name));
const started = (client: string): Command => ["duetty", "mcp", "--as", `agent:${client}`];

describe("manifests", () => {
  const plugin = json(".claude-plugin/plugin.json");
  const marketplace = json(".claude-plugin/marketplace.json");
  const extension = json("gemini-extension.json");
  const server = json("server.json");
  const { version, name, mcpName } = json("package.json");

  it("manifests have this version", () => {
    expect(VERSION).toBe(version);
    for (const one of [plugin, extension, server, server.packages[0]]) expect(one.version).toBe(version);
  });

  it("manifests start what setup would", () => {
    const entry = (client: "claude" | "gemini") => {
      const { type, ...rest } = CLIENTS[client].entry(started(client)) as Record<string, unknown>;
      return rest;
    };
    expect(plugin.mcpServers).toEqual({ duetty: entry("claude") });
    expect(extension.mcpServers).toEqual({ duetty: entry("gemini") });
    expect(Object.keys(LOCAL_VERBS.mcp.flags)).toContain("as");
  });

  it("Claude's plugin and marketplace agree, and the skill is where Claude looks", () => {
    expect(plugin.name).toMatch(/^[a-z0-9-]+$/);
    expect(marketplace).toMatchObject({ name: "duetty", owner: { name: expect.any(String) } });
    expect(marketplace.plugins).toEqual([expect.objectContaining({ name: plugin.name, source: "./" })]);
    expect(exists(join(plugin.skills, "duetty/SKILL.md"))).toBe(true);
  });

  it("Gemini's extension has the name of its folder", () => expect(extension.name).toBe(name));

  it("server.json is what the MCP registry takes", () => {
    expect(server.$schema).toMatch(
      /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/,
    );
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    // The registry proves the ownership of an npm package by this field.
    expect(mcpName ?? server.name).toBe(server.name);
    expect(server.packages).toEqual([
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
      },
    ]);
  });
});

it("the manifests' command is an MCP server", async () => {
  using place = new SetupHome();
  const [program, ...args] = started("claude");
  const child = spawn(program, args, { env: place.env, stdio: ["pipe", "pipe", "inherit"] });
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const answer = new Promise<string>((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
      if (text.includes("\n")) resolve(text);
    });
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  expect(JSON.parse(await answer)).toMatchObject({
    id: 1,
    result: { serverInfo: { name: "duetty", version: VERSION } },
  });
  child.stdin.end();
  await ended;
});

const TEXTS = ["README.md", "llms.txt", "docs/agents.md", "docs/gate.md", "skills/duetty/SKILL.md", "AGENTS.md"];
const VERBS = new Set<string>([
  ...ops.flatMap((op) => ("cli" in op && op.cli ? [op.cli.verb] : [])),
  ...Object.keys(LOCAL_VERBS),
]);

it.each(TEXTS)("%s: every verb exists, every link leads somewhere", (name) => {
  const text = markdown(name);
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  const code = [...spans, ...fencesIn(text).flatMap(({ lines }) => lines)];
  const verbs = code.flatMap((one) => [
    ...one.matchAll(/(?:^|[|;(] ?|until |-- )duetty ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g),
  ]);
  expect(verbs.length).toBeGreaterThan(0);
  for (const [whole, verb = "", next] of verbs)
    expect(VERBS.has(verb) || VERBS.has(`${verb} ${next}`), whole).toBe(true);
  for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:|^#/.test(link)) continue;
    expect(exists(join(dirname(name), link.replace(/#.*/, ""))), link).toBe(true);
  }
});

it("llms.txt has the shape that its readers expect", () => {
  const lines = markdown("llms.txt").split("\n");
  expect(lines[0]).toBe("# duetty");
  expect(lines[2]).toMatch(/^> /);
  const items = lines.slice(lines.findIndex((line) => line.startsWith("## "))).filter((line) => line !== "");
  for (const line of items) expect(line).toMatch(/^## |^- \[[^\]]+\]\([^)]+\)(: .+)?$/);
});
