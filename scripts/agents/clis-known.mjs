// The agent CLIs that scripts/agents/clis.mjs starts: exact versions, and how each is made to ask our fake provider.
import fs from "node:fs";
import { dirname, join } from "node:path";

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
    asks: true,
  },
  {
    name: "codex",
    from: "@openai/codex@0.166.0",
    settings: () => undefined,
    args: (url) => {
      const provider = `{name="fake",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`;
      return [...["-c", `model_providers.fake=${provider}`, "-c", 'model_provider="fake"', "-c", 'model="fake"']];
    },
    env: (url) => ({ OPENAI_API_KEY: "fake", OPENAI_BASE_URL: `${url}/v1` }),
    shell: (command) => ({ cmd: command }),
    // Its own sandbox is off in the box, and then it asks nobody.
    asks: false,
  },
  {
    name: "gemini",
    from: "@google/gemini-cli@0.61.0",
    settings: (home) =>
      write(join(home, ".gemini/settings.json"), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'),
    args: () => [],
    env: (url) => ({ GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: url }),
    shell,
    asks: true,
  },
];

function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}
