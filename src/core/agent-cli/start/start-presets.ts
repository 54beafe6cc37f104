// The agents that we can start, as data. docs/agent-clis.md says what was seen and what follows from help texts.
import type { StartPreset, Value } from "./start-preset.ts";

const SERVER_ENV = { DUETTY_HOME: "{home}" };
const ARGS = ["{duetty}", "mcp", "--no-forms"];
const SERVER = { command: "{node}", args: ARGS, env: SERVER_ENV };
const SERVERS = { mcpServers: { duetty: SERVER } };

/** Claude waits for them, so these are few. Nothing tells of Escape. */
const HOOKS = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PermissionRequest", "Notification", "Stop"];
const CLAUDE_HOOK = [{ hooks: [{ type: "command", command: "{hook}", timeout: 10 }] }];

const NOTHING = {
  args: [],
  boxArgs: [],
  newId: [],
  resume: [],
  env: {},
  boxEnv: {},
  files: {},
  keys: [],
  bases: [],
  hosts: [],
  config: null,
} satisfies Partial<StartPreset>;

/** A start of which only the command is known: a person's own entry begins with it. */
export function plainStart(name: string): StartPreset {
  return { ...NOTHING, name, command: [name], install: `Put ${name} on your PATH.`, prompt: [] };
}

const OPENCODE_SETTINGS = [
  ...["opencode.json", "opencode.jsonc", "config.json", "tui.json", "AGENTS.md", "agent", "agents"],
  ...["command", "commands", "mode", "modes", "plugin", "plugins", "skill", "skills", "themes", "tool", "tools"],
];

const npm = (name: string) => `npm install -g ${name}`;
const trusted = { hasTrustDialogAccepted: true };

export const START_PRESETS: readonly StartPreset[] = [
  {
    ...NOTHING,
    name: "claude",
    command: ["claude"],
    install: npm("@anthropic-ai/claude-code"),
    // The first takes many values: another option must stand before the prompt.
    args: [
      ...["--mcp-config", { json: SERVERS }],
      ...["--settings", { json: { hooks: Object.fromEntries(HOOKS.map((event) => [event, CLAUDE_HOOK])) } }],
    ],
    prompt: ["--"],
    newId: ["--session-id", "{id}"],
    resume: ["--resume", "{id}"],
    // The box is a sandbox: as root it refuses some modes elsewhere.
    boxEnv: { IS_SANDBOX: "1", DISABLE_AUTOUPDATER: "1" },
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    bases: ["ANTHROPIC_BASE_URL"],
    hosts: ["api.anthropic.com", "platform.claude.com", "claude.ai"],
    config: {
      env: { CLAUDE_CONFIG_DIR: "{config}" },
      theirs: { variable: "CLAUDE_CONFIG_DIR", path: ".claude" },
      parts: [""],
      login: [".credentials.json"],
      seen: ["settings.json", "CLAUDE.md", "agents", "commands", "skills", "plugins", "output-styles"],
      conversation: ["projects/*/{id}.jsonl"],
      begins: { ".claude.json": { hasCompletedOnboarding: true, projects: { "{cwd}": trusted, "{root}": trusted } } },
    },
  },
  {
    ...NOTHING,
    name: "codex",
    command: ["codex"],
    install: npm("@openai/codex"),
    args: [
      ...["-c", { after: "mcp_servers.duetty=", toml: SERVER }],
      ...["-c", { after: "notify=", toml: ["/bin/sh", "-c", '{hook} "$0"'] }],
      // Otherwise its server stays, with our words in it.
      "--no-daemon",
    ],
    // Its own sandbox does not work inside another. The box is in its place.
    boxArgs: [
      ...["-c", { after: "projects=", toml: { "{cwd}": { trust_level: "trusted" } } }],
      ...["-c", 'sandbox_mode="danger-full-access"'],
    ],
    prompt: ["--"],
    resume: ["resume", "{id}"],
    keys: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    bases: ["OPENAI_BASE_URL"],
    hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
    config: {
      env: { CODEX_HOME: "{config}" },
      theirs: { variable: "CODEX_HOME", path: ".codex" },
      parts: [""],
      login: ["auth.json"],
      seen: ["config.toml", "AGENTS.md", "prompts", "rules", "skills"],
      conversation: ["sessions/*/*/*/rollout-*-{id}.jsonl"],
      begins: {},
    },
  },
  {
    ...NOTHING,
    name: "gemini",
    command: ["gemini"],
    install: npm("@google/gemini-cli"),
    prompt: ["-i"],
    newId: ["--session-id", "{id}"],
    resume: ["--resume", "{id}"],
    boxArgs: ["--skip-trust"],
    env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "{private}/gemini.json" },
    files: { "gemini.json": { mcpServers: { duetty: SERVER } } },
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    bases: ["GOOGLE_GEMINI_BASE_URL"],
    hosts: [
      ...["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com"],
      ...["aiplatform.googleapis.com", "oauth2.googleapis.com", "www.googleapis.com", "accounts.google.com"],
    ],
    config: {
      env: { GEMINI_CLI_HOME: "{config}" },
      theirs: { path: ".gemini" },
      parts: [".gemini"],
      login: ["oauth_creds.json", "google_accounts.json"],
      seen: ["settings.json", "GEMINI.md", "commands", "extensions", "skills", "policies"],
      conversation: ["tmp/*/chats/session-*-{id8}.json", "tmp/*/chats/session-*-{id8}.jsonl", "tmp/*/.project_root"],
      begins: {},
    },
  },
  {
    ...NOTHING,
    name: "opencode",
    command: ["opencode"],
    install: npm("opencode-ai"),
    // Otherwise it works in the main repository of a work tree.
    args: ["{cwd}"],
    prompt: ["--prompt"],
    resume: ["--session", "{id}"],
    env: { OPENCODE_CONFIG_CONTENT: { json: { mcp: { duetty: opencodeServer() } } } },
    keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    bases: ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"],
    hosts: [
      ...["models.opencode.ai", "opencode.ai"],
      ...["api.anthropic.com", "api.openai.com", "generativelanguage.googleapis.com"],
    ],
    config: {
      // It writes into all of them, and does not start where it cannot.
      env: {
        XDG_DATA_HOME: "{config}/data",
        XDG_STATE_HOME: "{config}/state",
        XDG_CACHE_HOME: "{config}/cache",
        XDG_CONFIG_HOME: "{config}/config",
      },
      theirs: { path: ".local/share/opencode" },
      parts: ["data/opencode", "state/opencode", "cache/opencode", "config/opencode"],
      login: ["auth.json"],
      seen: [],
      // One database has all of its conversations, and more.
      conversation: [],
      apart: { path: ".config/opencode", part: "config/opencode", seen: OPENCODE_SETTINGS },
      begins: {},
    },
  },
  {
    ...NOTHING,
    name: "qwen",
    command: ["qwen"],
    install: npm("@qwen-code/qwen-code"),
    args: ["--mcp-config", { json: SERVERS }],
    prompt: ["-i"],
    newId: ["--session-id", "{id}"],
    resume: ["--resume", "{id}"],
    keys: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "BAILIAN_CODING_PLAN_API_KEY"],
    bases: ["OPENAI_BASE_URL"],
    hosts: [
      ...["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"],
      ...["coding.dashscope.aliyuncs.com", "coding-intl.dashscope.aliyuncs.com", "chat.qwen.ai"],
    ],
    config: {
      env: { QWEN_HOME: "{config}" },
      theirs: { variable: "QWEN_HOME", path: ".qwen" },
      parts: [""],
      login: ["oauth_creds.json"],
      seen: ["settings.json", "QWEN.md", "commands", "extensions", "skills"],
      conversation: ["projects/*/chats/{id}.jsonl", "tmp/*/chats/{id}.jsonl"],
      begins: {},
    },
  },
  {
    ...NOTHING,
    name: "copilot",
    command: ["copilot"],
    install: npm("@github/copilot"),
    args: ["--additional-mcp-config", { json: copilotServers() }],
    prompt: ["-i"],
    newId: ["--session-id", "{id}"],
    resume: ["--resume", "{id}"],
    keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY"],
    bases: ["COPILOT_PROVIDER_BASE_URL"],
    hosts: ["github.com", "api.github.com", "*.githubcopilot.com"],
    config: {
      env: { COPILOT_HOME: "{config}" },
      theirs: { variable: "COPILOT_HOME", path: ".copilot" },
      parts: [""],
      login: [],
      seen: ["mcp-config.json", "agents", "skills"],
      conversation: ["session-state/{id}.jsonl", "session-state/{id}/events.jsonl"],
      begins: { "config.json": { trusted_folders: ["{cwd}", "{root}"] } },
    },
  },
];

function opencodeServer(): Value {
  return { type: "local", command: ["{node}", ...ARGS], environment: SERVER_ENV };
}

function copilotServers(): Value {
  return { mcpServers: { duetty: { type: "local", ...SERVER, tools: ["*"] } } };
}
