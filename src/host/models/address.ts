// Where a provider is and which keys belong there. Pure. A key goes only to the address it was made for: a server
// address in the config gets the key that the config names, or none.
import { type Fault, fault } from "../../core/base/fault.ts";

/** The name as a person writes it. Ollama speaks the OpenAI-compatible protocol at a well-known address. */
export type ProviderName = "anthropic" | "openai" | "openai-compatible" | "ollama";
export type Env = Readonly<Record<string, string | undefined>>;

interface Address {
  readonly base_url: string;
  /** Variables whose key belongs to this address. The first one that is set counts. */
  readonly keys: readonly string[];
}

const ANTHROPIC_URL = "https://api.anthropic.com/v1";
const OPENAI_URL = "https://api.openai.com/v1";
const OLLAMA_URL = "http://127.0.0.1:11434/v1";
const OLLAMA_PORT = "11434";
export const ANTHROPIC_KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];
export const OPENAI_KEYS = ["OPENAI_API_KEY"];

/** People paste the endpoint's address, but the SDKs want the part before it. */
const ENDPOINT = /\/(?:messages|responses|chat\/completions|models)$/;

export function addressOf(provider: ProviderName, configured: string | undefined, env: Env): Address | Fault {
  switch (provider) {
    case "anthropic":
      return placed(
        provider,
        [["agent.base_url", configured], variable(env, "ANTHROPIC_BASE_URL")],
        ANTHROPIC_URL,
        ANTHROPIC_KEYS,
      );
    case "openai":
      return placed(
        provider,
        [["agent.base_url", configured], variable(env, "OPENAI_BASE_URL")],
        OPENAI_URL,
        OPENAI_KEYS,
      );
    case "ollama":
      return placed(
        provider,
        [
          ["agent.base_url", configured],
          ["OLLAMA_HOST", ollamaUrl(env)],
        ],
        OLLAMA_URL,
        [],
      );
    case "openai-compatible": {
      if (configured) return placed(provider, [["agent.base_url", configured]], undefined, []);
      if (env.OPENAI_BASE_URL) return placed(provider, [variable(env, "OPENAI_BASE_URL")], undefined, OPENAI_KEYS);
      return placed(provider, [["OLLAMA_HOST", ollamaUrl(env)]], undefined, []);
    }
  }
}

type Written = readonly [from: string, text: string | undefined];

function variable(env: Env, name: string): Written {
  return [name, env[name] || undefined];
}

function placed(
  provider: ProviderName,
  written: readonly Written[],
  usual: string | undefined,
  keys: readonly string[],
): Address | Fault {
  const [from, text] = written.find(([, value]) => value !== undefined) ?? ["", usual];
  if (text === undefined) {
    return fault(
      "agent.unavailable",
      "An OpenAI-compatible server needs an address.",
      'Set agent.base_url in config.json, for example "http://127.0.0.1:8000/v1", or the variable OPENAI_BASE_URL.',
    );
  }
  const base_url = baseUrl(text, provider);
  if (base_url !== undefined) return { base_url, keys };
  // We do not show the address, because it may contain a password.
  return fault(
    "agent.unavailable",
    `${from} is not an address of a model server.`,
    `Set ${from} to something like "${usual ?? OLLAMA_URL}": http or https, without user, password or query.`,
  );
}

function baseUrl(text: string, provider: ProviderName): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  const path = url.pathname.replace(/\/+$/, "").replace(ENDPOINT, "");
  // Anthropic's own tools want the address without the version and its SDK with it. We accept both.
  const versioned = provider === "anthropic" ? /\/v\d+$/.test(path) : path !== "";
  return `${url.origin}${path}${versioned ? "" : "/v1"}`;
}

/** OLLAMA_HOST is also what its server listens on: host, host:port or a URL; 0.0.0.0 means everywhere. */
function ollamaUrl(env: Env): string | undefined {
  const host = env.OLLAMA_HOST?.trim();
  if (!host) return undefined;
  const bare = !host.includes("://");
  const text = bare ? `http://${host}` : host;
  if (!URL.canParse(text)) return host;
  const url = new URL(text);
  if (bare && !/:\d+$/.test(host.replace(/\/.*$/, ""))) url.port = OLLAMA_PORT;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return url.href;
}
