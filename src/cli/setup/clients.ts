// The programs that can be told about duetty: which file, where in it, what entry, and how to see that it worked.
// Pure: a place comes in, names go out. Refuses: to read or write anything.
import { join } from "node:path";
import { type Json, jsonEntry } from "./json-edit.ts";
import type { Fields } from "./toml-edit.ts";

export const CLIENT_NAMES = ["claude", "codex", "gemini", "opencode", "vscode", "cursor"] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];
/** Clients start servers with a short environment of their own, without this one. */
export const HOME_VARIABLE = "DUETTY_HOME";
export type Scope = "user" | "project";

export interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** The program and its arguments that a client starts. */
export type Command = readonly [program: string, ...args: string[]];

interface Common {
  readonly title: string;
  /** The file that exists counts, otherwise the first. */
  readonly files: (scope: Scope, place: Place) => readonly string[];
  /** Where it looks for skills; undefined when it has none. */
  readonly skills?: (scope: Scope, place: Place) => string;
  /** Its own folder and program: signs that it is installed. */
  readonly signs: { readonly folder: (place: Place) => string; readonly program: string };
  /** Its own command for the same. `env`: NAME=VALUE, quoted. */
  readonly oneLiner?: (ask: {
    readonly command: Command;
    readonly scope: Scope;
    readonly env: string | undefined;
    readonly entry: Readonly<Record<string, Json>>;
  }) => string | undefined;
  /** How the variables of a server are called in its entry. */
  readonly variables: "env" | "environment";
  readonly check: string;
}

export type McpClient = Common &
  (
    | {
        readonly format: "json";
        /** Depends on the file where a client changed its mind about the shape. */
        readonly path: (text: string) => readonly string[];
        readonly entry: (command: Command) => Readonly<Record<string, Json>>;
        /** What a new file begins with. */
        readonly opening?: string;
      }
    | { readonly format: "toml"; readonly path: readonly string[]; readonly entry: (command: Command) => Fields }
  );

const configHome = ({ home, env }: Place) => env.XDG_CONFIG_HOME || join(home, ".config");
const geminiFolder = ({ home, env }: Place) => join(env.GEMINI_CLI_HOME || home, ".gemini");
const opencodeFolder = (place: Place) => join(configHome(place), "opencode");
const vscodeFolder = (place: Place) =>
  place.platform === "darwin" ? join(place.home, "Library/Application Support/Code") : join(configHome(place), "Code");
const split = ([program, ...args]: Command) => ({ command: program, args });
const servers = () => ["mcpServers", "duetty"];

export const CLIENTS: Readonly<Record<ClientName, McpClient>> = {
  claude: {
    title: "Claude Code",
    format: "json",
    variables: "env",
    files: (scope, { home, cwd, env }) =>
      scope === "user" ? [join(env.CLAUDE_CONFIG_DIR || home, ".claude.json")] : [join(cwd, ".mcp.json")],
    path: servers,
    entry: (command) => ({ type: "stdio", ...split(command) }),
    skills: (scope, { home, cwd, env }) =>
      join(scope === "user" ? env.CLAUDE_CONFIG_DIR || join(home, ".claude") : join(cwd, ".claude"), "skills"),
    signs: { folder: ({ home, env }) => env.CLAUDE_CONFIG_DIR || join(home, ".claude"), program: "claude" },
    // Its --env takes all words up to the next option.
    oneLiner: ({ command, scope, env }) =>
      `claude mcp add${env ? ` --env ${env}` : ""} --scope ${scope} duetty -- ${line(command)}`,
    check: "Restart it: /mcp lists duetty.",
  },
  codex: {
    title: "Codex",
    format: "toml",
    variables: "env",
    files: (scope, { home, cwd, env }) => [
      join(scope === "user" ? env.CODEX_HOME || join(home, ".codex") : join(cwd, ".codex"), "config.toml"),
    ],
    path: ["mcp_servers", "duetty"],
    entry: split,
    skills: (scope, { home, cwd }) => join(scope === "user" ? home : cwd, ".agents/skills"),
    signs: { folder: ({ home, env }) => env.CODEX_HOME || join(home, ".codex"), program: "codex" },
    oneLiner: ({ command, scope, env }) =>
      scope === "user" ? `codex mcp add duetty${env ? ` --env ${env}` : ""} -- ${line(command)}` : undefined,
    check: "Restart it: /mcp lists duetty.",
  },
  gemini: {
    title: "Gemini CLI",
    format: "json",
    variables: "env",
    files: (scope, place) => [
      join(scope === "user" ? geminiFolder(place) : join(place.cwd, ".gemini"), "settings.json"),
    ],
    path: servers,
    entry: split,
    skills: (scope, place) => join(scope === "user" ? geminiFolder(place) : join(place.cwd, ".gemini"), "skills"),
    signs: { folder: geminiFolder, program: "gemini" },
    // After the second -- gemini does not read words with a dash as its own options.
    oneLiner: ({ command: [program, ...args], scope, env }) => {
      const flags = args.findIndex((word) => word.startsWith("-"));
      const words = [program, ...args.slice(0, flags), "--", ...args.slice(flags)];
      return `gemini mcp add${env ? ` --env ${env}` : ""} --scope ${scope} duetty ${line(words)}`;
    },
    check: "Restart it: /mcp lists duetty.",
  },
  opencode: {
    title: "opencode",
    format: "json",
    variables: "environment",
    files: (scope, place) => {
      const folder = scope === "user" ? opencodeFolder(place) : place.cwd;
      return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
    },
    // Version 2 has its servers one step deeper, and still reads the older shape.
    path: (text) =>
      isServerMap(jsonEntry(text, ["mcp", "servers"])) ? ["mcp", "servers", "duetty"] : ["mcp", "duetty"],
    entry: (command) => ({ type: "local", command, enabled: true }),
    opening: '{\n  "$schema": "https://opencode.ai/config.json"\n}\n',
    skills: (scope, place) => join(scope === "user" ? opencodeFolder(place) : join(place.cwd, ".opencode"), "skills"),
    signs: { folder: opencodeFolder, program: "opencode" },
    check: "opencode mcp list shows duetty.",
  },
  vscode: {
    title: "VS Code",
    format: "json",
    variables: "env",
    files: (scope, place) => [
      scope === "user" ? join(vscodeFolder(place), "User/mcp.json") : join(place.cwd, ".vscode/mcp.json"),
    ],
    path: () => ["servers", "duetty"],
    entry: (command) => ({ type: "stdio", ...split(command) }),
    signs: { folder: vscodeFolder, program: "code" },
    oneLiner: ({ scope, entry: { type: _, ...entry } }) =>
      scope === "user" ? `code --add-mcp ${quoted(JSON.stringify({ name: "duetty", ...entry }))}` : undefined,
    check: "The command “MCP: List Servers” lists duetty.",
  },
  cursor: {
    title: "Cursor",
    format: "json",
    variables: "env",
    files: (scope, { home, cwd }) => [join(scope === "user" ? home : cwd, ".cursor/mcp.json")],
    path: servers,
    entry: (command) => ({ type: "stdio", ...split(command) }),
    skills: (scope, { home, cwd }) => join(scope === "user" ? home : cwd, ".cursor/skills"),
    signs: { folder: ({ home }) => join(home, ".cursor"), program: "cursor" },
    check: "Restart it: Settings, Tools & MCP lists duetty.",
  },
};

function line(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** For a shell, as people would quote it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A map of servers, and not a server that is called "servers". */
function isServerMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !("type" in value) && !("enabled" in value);
}
