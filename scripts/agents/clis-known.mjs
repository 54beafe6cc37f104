// The agent CLIs that scripts/agents/clis.mjs starts: exact versions, and how each is made to ask our fake provider.
import fs from "node:fs";
import { dirname, join } from "node:path";

const twice = ["Escape", "Escape"];
/** Their own tool for commands. */
export const SHELL = /^(?:Bash|bash|exec_command|shell|run_shell_command)$/;
const shell = (command) => ({ command, description: "for a test" });

export const AGENT_CLIS = [
  {
    name: "claude",
    from: "@anthropic-ai/claude-code@2.1.325",
    settings: () => undefined,
    // Otherwise a small check of its maker's answers in place of the person, and tools of servers are hidden from the model.
    args: () => ["--permission-mode", "manual"],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: "fake",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ENABLE_TOOL_SEARCH: "false",
    }),
    shell,
    isPrompted: true,
  },
  {
    name: "codex",
    from: "@openai/codex@0.166.0",
    settings: () => undefined,
    args: (url) => {
      const provider = `{name="fake",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`;
      const model = ["-c", `model_providers.fake=${provider}`, "-c", 'model_provider="fake"', "-c", 'model="fake"'];
      // Without its own sandbox it would ask nobody.
      return [...model, "-c", 'sandbox_mode="workspace-write"', "--ask-for-approval", "on-request"];
    },
    env: (url) => ({ OPENAI_API_KEY: "fake", OPENAI_BASE_URL: `${url}/v1` }),
    shell: (cmd) => ({ cmd, sandbox_permissions: "require_escalated", justification: "for a test" }),
    isPrompted: true,
  },
  {
    name: "gemini",
    from: "@google/gemini-cli@0.61.0",
    settings: (home) =>
      write(join(home, ".gemini/settings.json"), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'),
    args: () => [],
    env: (url) => ({ GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: url }),
    shell,
    isPrompted: true,
  },
  {
    name: "opencode",
    from: "opencode-ai@1.18.18",
    settings: (home, url) => {
      const options = { baseURL: `${url}/v1`, apiKey: "fake" };
      const fake = { npm: "@ai-sdk/openai-compatible", name: "fake", options, models: { fake: { name: "fake" } } };
      const settings = { model: "fake/fake", provider: { fake }, autoupdate: false, permission: { bash: "ask" } };
      write(join(home, ".config/opencode/opencode.json"), JSON.stringify(settings));
    },
    args: () => [],
    // Opens the way out of the box.
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1` }),
    shell,
    interrupt: twice,
  },
  {
    name: "qwen",
    from: "@qwen-code/qwen-code@0.24.4",
    // Otherwise tools of servers are hidden from the model.
    settings: (home) => write(join(home, ".qwen/settings.json"), '{"tools":{"toolSearch":{"enabled":false}}}'),
    // Otherwise a check of its own answers in place of the person.
    args: () => ["--auth-type", "openai", "--approval-mode", "default"],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "fake", OPENAI_MODEL: "fake" }),
    shell: (command) => ({ ...shell(command), is_background: false }),
    isPrompted: true,
  },
  {
    name: "copilot",
    from: "@github/copilot@1.0.102",
    settings: () => undefined,
    args: () => [],
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "fake",
      COPILOT_MODEL: "fake",
      COPILOT_OFFLINE: "true",
    }),
    shell,
    interrupt: twice,
  },
];

function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}
