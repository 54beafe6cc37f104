// The agents that scripts/agents/hosted.mjs tries: where each comes from, and how it is made to ask our fake provider.
import fs from "node:fs";
import { dirname, join } from "node:path";

export const AGENTS = [
  {
    name: "claude",
    from: "@agentclientprotocol/claude-agent-acp@0.99.0",
    settings: () => undefined,
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: "fake",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      // As root it runs only where it is told that somebody else keeps it in.
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {}),
    }),
  },
  {
    name: "codex",
    from: "@agentclientprotocol/codex-acp@2.6.0",
    settings: (home, url) => {
      const provider = `name = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`;
      const text = `model = "fake"\nmodel_provider = "fake"\n[model_providers.fake]\n${provider}`;
      write(join(home, ".codex/config.toml"), text);
    },
    env: () => ({ FAKE_KEY: "fake" }),
  },
  {
    name: "gemini",
    from: "@google/gemini-cli@0.61.0",
    settings: (home) =>
      write(join(home, ".gemini/settings.json"), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'),
    env: (url) => ({ GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  },
  {
    name: "opencode",
    from: "opencode-ai@1.18.18",
    settings: (home, url) => {
      const options = { baseURL: `${url}/v1`, apiKey: "fake" };
      const fake = { npm: "@ai-sdk/openai-compatible", name: "fake", options, models: { fake: {} } };
      write(
        join(home, ".config/opencode/opencode.json"),
        JSON.stringify({ model: "fake/fake", provider: { fake }, autoupdate: false }),
      );
    },
    env: () => ({}),
  },
];

function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}
