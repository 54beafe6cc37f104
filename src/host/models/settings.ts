// Decides which model we ask, where, and with which key, from config, environment and the caller's choice. Pure: the
// caller reads the files. Refuses: to guess between two meanings, and to take a key from the config itself.
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { ANTHROPIC_KEYS, addressOf, type Env, OPENAI_KEYS, type ProviderName } from "./address.ts";
import { Secret } from "./secret.ts";

/** The section "agent" of config.json. */
export interface AgentConfig {
  /** The agent that answers when none is named. */
  readonly default?: string | undefined;
  /** PROVIDER/MODEL; providers: anthropic, openai, openai-compatible, ollama. */
  readonly model?: string | undefined;
  readonly base_url?: string | undefined;
  /** The name of the variable that has the key. */
  readonly key_env?: string | undefined;
  /** The file that has the key. Only its owner should be able to read it. */
  readonly key_file?: string | undefined;
  readonly streaming?: boolean | undefined;
  readonly max_steps?: number | undefined;
  readonly time_limit_ms?: number | undefined;
  readonly history_chars?: number | undefined;
}

type Provider = "anthropic" | "openai" | "openai-compatible";

export interface ModelSettings {
  readonly provider: Provider;
  readonly model: string;
  readonly base_url: string;
  /** Null when the server wants none. */
  readonly key: Secret | null;
  /** Where the key came from, for hints: the name of a variable or file, never its contents. */
  readonly key_from: string | null;
  /** Anthropic takes keys and tokens, each in a header of its own. */
  readonly key_as: "key" | "token";
  readonly streaming: boolean;
}

interface SettingsSources {
  readonly config: AgentConfig;
  readonly env: Env;
  /** PROVIDER/MODEL, named by the caller. */
  readonly override?: string | undefined;
  /** The text of agent.key_file; undefined when it cannot be read. */
  readonly readKey: (path: string) => string | undefined;
}

/** The default models when only the provider is known. The SDK versions we name list both. */
const DEFAULT_MODELS: Readonly<Record<ProviderName, string | undefined>> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6-astra",
  "openai-compatible": undefined,
  ollama: undefined,
};
const SAY_MODEL =
  'Name the model: agent.model in config.json or the variable DUETTY_AGENT_MODEL, as "anthropic/MODEL", "openai/MODEL", "ollama/MODEL" or "openai-compatible/MODEL".';

export function modelSettings(sources: SettingsSources): ModelSettings | Fault {
  const choice = chosen(sources);
  if (isFault(choice)) return choice;
  const config = configFor(choice.provider, sources.config);
  const address = addressOf(choice.provider, config.base_url, sources.env);
  if (isFault(address)) return address;
  const key = keyOf(choice.provider, config, address.keys, sources);
  if (isFault(key)) return key;
  return {
    provider: choice.provider === "ollama" ? "openai-compatible" : choice.provider,
    model: choice.model,
    base_url: address.base_url,
    ...key,
    streaming: sources.config.streaming ?? true,
  };
}

interface Choice {
  readonly provider: ProviderName;
  readonly model: string;
}

function chosen({ config, env, override }: SettingsSources): Choice | Fault {
  const named = [override, env.DUETTY_AGENT_MODEL, config.model].find((name) => name?.trim());
  if (named !== undefined) return parsed(named.trim());
  if (config.base_url || config.key_env || config.key_file) {
    // A key for one provider would go to another.
    return fault("agent.unavailable", "The config has an address or a key, but names no model for it.", SAY_MODEL);
  }
  if (ANTHROPIC_KEYS.some((name) => env[name])) return parsed("anthropic");
  if (OPENAI_KEYS.some((name) => env[name])) return parsed("openai");
  if (env.OLLAMA_HOST) return parsed("ollama");
  return fault(
    "agent.unavailable",
    "No language model is set up.",
    `Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or DUETTY_AGENT_MODEL=ollama/MODEL for a local one, where the daemon starts. ${SAY_MODEL}`,
  );
}

function parsed(name: string): Choice | Fault {
  const slash = name.indexOf("/");
  const provider = slash < 0 ? name : name.slice(0, slash);
  if (!isProvider(provider)) {
    return fault("agent.unavailable", `"${name}" does not begin with a known provider.`, SAY_MODEL);
  }
  const model = (slash < 0 ? "" : name.slice(slash + 1)) || DEFAULT_MODELS[provider];
  if (model !== undefined) return { provider, model };
  return fault(
    "agent.unavailable",
    `No model of ${provider} is named.`,
    `Set DUETTY_AGENT_MODEL=${provider}/MODEL, or agent.model in config.json; "ollama list" shows what Ollama has.`,
  );
}

function isProvider(text: string): text is ProviderName {
  return Object.hasOwn(DEFAULT_MODELS, text);
}

/** Address and key in the config belong to the provider named there, not to another one that a single call names. */
function configFor(provider: ProviderName, config: AgentConfig): AgentConfig {
  if (!config.model?.trim()) return config;
  const own = parsed(config.model.trim());
  return isFault(own) || own.provider !== provider ? {} : config;
}

type Key = Pick<ModelSettings, "key" | "key_from" | "key_as">;

function keyOf(
  provider: ProviderName,
  config: AgentConfig,
  usual: readonly string[],
  sources: SettingsSources,
): Key | Fault {
  const { env } = sources;
  if (config.key_env || config.key_file) return keyNamed(config, sources);
  const found = usual.find((name) => env[name]?.trim());
  if (found !== undefined) return keyIn(found, env[found], variableHint(found));
  if (provider === "ollama" || provider === "openai-compatible") return { key: null, key_from: null, key_as: "key" };
  return fault(
    "agent.unavailable",
    `There is no key for ${provider}.`,
    `Set the variable ${usual[0]} where the daemon starts, or agent.key_env or agent.key_file in config.json.`,
  );
}

/** Some people write the key itself where its name belongs. Then we do not repeat it. */
function keyNamed({ key_env, key_file = "" }: AgentConfig, { env, readKey }: SettingsSources): Key | Fault {
  if (key_env) {
    if (/^[A-Z_][A-Z0-9_]*$/.test(key_env)) return keyIn(key_env, env[key_env], variableHint(key_env));
    const hint =
      'Set agent.key_env to something like "MY_KEY", and that variable, where the daemon starts, to the key.';
    return fault("agent.unavailable", "agent.key_env is not the name of a variable (capitals, digits, _).", hint);
  }
  const path = key_file.replace(/^~(?=\/)/, env.HOME ?? "~");
  const hint = "Put the key, and nothing else, into a file of mode 0600, and its absolute path into agent.key_file.";
  if (!path.startsWith("/")) return fault("agent.unavailable", "agent.key_file is not an absolute path.", hint);
  return keyIn(key_file, readKey(path), hint);
}

function variableHint(name: string): string {
  return `Set the variable ${name} where the daemon starts, and restart it.`;
}

function keyIn(from: string, text: string | undefined, hint: string): Key | Fault {
  const value = text?.trim();
  if (!value) return fault("agent.unavailable", `There is no key in ${from}.`, hint);
  // It becomes a header. Other characters would fail later, with the key in the message.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    return fault("agent.unavailable", `What is in ${from} is not a key: it has blanks or unusual characters.`, hint);
  }
  return { key: new Secret(value), key_from: from, key_as: from === "ANTHROPIC_AUTH_TOKEN" ? "token" : "key" };
}
