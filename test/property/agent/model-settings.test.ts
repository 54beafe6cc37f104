// Which model, where, with which key: the rules as a table, and what must hold for every config and environment.

import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { masked, Secret } from "../../../src/host/models/secret.ts";
import { type AgentConfig, modelSettings } from "../../../src/host/models/settings.ts";

type Env = Record<string, string>;
const A = { ANTHROPIC_API_KEY: "key-a" };
const T = { ANTHROPIC_AUTH_TOKEN: "key-t" };
const O = { OPENAI_API_KEY: "key-o" };
const LOCAL = "http://127.0.0.1:11434/v1";
const ANTHROPIC = "https://api.anthropic.com/v1";
const OPENAI = "https://api.openai.com/v1";
const files: Env = {
  "/keys/one": " key-f\n",
  "/home/me/key": "key-h",
  "/keys/none": "\n",
  "/keys/two": "key 1\nkey 2",
};

/** The settings in one line: provider model address key(from). */
function short(config: AgentConfig, env: Env, override?: string): string {
  const found = modelSettings({ config, env: { HOME: "/home/me", ...env }, override, readKey: (path) => files[path] });
  if (isFault(found)) return `${found.code}: ${found.message} ${found.hint}`;
  const key = found.key ? `${found.key.reveal()}(${found.key_from}${found.key_as === "token" ? ", token" : ""})` : "-";
  return `${found.provider} ${found.model} ${found.base_url} ${key}`;
}

describe("the rules", () => {
  test.each<{ what: string; config?: AgentConfig; env?: Env; override?: string; is: string }>([
    {
      what: "an Anthropic key is enough",
      env: A,
      is: `anthropic claude-sonnet-5-5 ${ANTHROPIC} key-a(ANTHROPIC_API_KEY)`,
    },
    {
      what: "an Anthropic token is enough",
      env: T,
      is: `anthropic claude-sonnet-5-5 ${ANTHROPIC} key-t(ANTHROPIC_AUTH_TOKEN, token)`,
    },
    {
      what: "a key comes before a token",
      env: { ...T, ...A },
      is: `anthropic claude-sonnet-5-5 ${ANTHROPIC} key-a(ANTHROPIC_API_KEY)`,
    },
    { what: "an OpenAI key is enough", env: O, is: `openai gpt-6-astra ${OPENAI} key-o(OPENAI_API_KEY)` },
    {
      what: "Anthropic is guessed first",
      env: { ...O, ...A },
      is: `anthropic claude-sonnet-5-5 ${ANTHROPIC} key-a(ANTHROPIC_API_KEY)`,
    },
    {
      what: "the config names the model",
      config: { model: "openai/gpt-x" },
      env: { ...O, ...A },
      is: `openai gpt-x ${OPENAI} key-o(OPENAI_API_KEY)`,
    },
    {
      what: "the variable comes before the config",
      config: { model: "openai/gpt-x" },
      env: { ...O, ...A, DUETTY_AGENT_MODEL: "anthropic/c" },
      is: `anthropic c ${ANTHROPIC} key-a(ANTHROPIC_API_KEY)`,
    },
    {
      what: "the caller's choice comes before the variable and the config",
      config: { model: "openai/gpt-x" },
      env: { ...O, DUETTY_AGENT_MODEL: "anthropic/c" },
      override: "openai/gpt-y",
      is: `openai gpt-y ${OPENAI} key-o(OPENAI_API_KEY)`,
    },
    {
      what: "a provider alone has a default",
      env: { ...A, ...O },
      override: "openai",
      is: `openai gpt-6-astra ${OPENAI} key-o(OPENAI_API_KEY)`,
    },
    {
      what: "an empty name counts as no name",
      config: { model: " " },
      env: O,
      override: "",
      is: `openai gpt-6-astra ${OPENAI} key-o(OPENAI_API_KEY)`,
    },
    {
      what: "a model's name may have slashes",
      config: { base_url: "http://gpu:8000/v1" },
      override: "openai-compatible/meta/llama-4",
      is: "openai-compatible meta/llama-4 http://gpu:8000/v1 -",
    },
    {
      what: "Ollama is looked for on this machine",
      override: "ollama/llama3:8b",
      is: `openai-compatible llama3:8b ${LOCAL} -`,
    },
    {
      what: "another provider's key does not go to Ollama",
      override: "ollama/l",
      env: { ...O, ...A },
      is: `openai-compatible l ${LOCAL} -`,
    },
    {
      what: "OpenAI's key does not go to a server that the config names",
      config: { model: "openai-compatible/m", base_url: "http://gpu/v1" },
      env: O,
      is: "openai-compatible m http://gpu/v1 -",
    },
    {
      what: "OpenAI's key goes to the server that OPENAI_BASE_URL names",
      override: "openai-compatible/m",
      env: { ...O, OPENAI_BASE_URL: "http://gpu/v1" },
      is: "openai-compatible m http://gpu/v1 key-o(OPENAI_API_KEY)",
    },
    {
      what: "a compatible server may be Ollama",
      override: "openai-compatible/m",
      env: { ...O, OLLAMA_HOST: "box" },
      is: "openai-compatible m http://box:11434/v1 -",
    },
    {
      what: "the config's address and key are for the config's provider only",
      config: { model: "openai-compatible/m", base_url: "http://gpu/v1", key_env: "GPU" },
      env: { ...A, GPU: "key-g" },
      override: "anthropic/c",
      is: `anthropic c ${ANTHROPIC} key-a(ANTHROPIC_API_KEY)`,
    },
    {
      what: "key_env names the variable of the key",
      config: { model: "openai-compatible/m", base_url: "http://gpu/v1", key_env: "GPU" },
      env: { GPU: "key-g" },
      is: "openai-compatible m http://gpu/v1 key-g(GPU)",
    },
    {
      what: "key_env may name the variable of a token",
      config: { model: "anthropic/c", key_env: "ANTHROPIC_AUTH_TOKEN" },
      env: { ...A, ...T },
      is: `anthropic c ${ANTHROPIC} key-t(ANTHROPIC_AUTH_TOKEN, token)`,
    },
    {
      what: "key_file names the file of the key",
      config: { model: "anthropic/c", key_file: "/keys/one" },
      env: A,
      is: `anthropic c ${ANTHROPIC} key-f(/keys/one)`,
    },
    {
      what: "key_file may begin with ~",
      config: { model: "anthropic/c", key_file: "~/key" },
      is: `anthropic c ${ANTHROPIC} key-h(~/key)`,
    },
    {
      what: "the version is added to Anthropic's address",
      env: { ...A, ANTHROPIC_BASE_URL: "https://proxy.example/anthropic/" },
      is: "anthropic claude-sonnet-5-5 https://proxy.example/anthropic/v1 key-a(ANTHROPIC_API_KEY)",
    },
    {
      what: "OPENAI_BASE_URL changes OpenAI's address",
      env: { ...O, OPENAI_BASE_URL: "https://proxy.example" },
      is: "openai gpt-6-astra https://proxy.example/v1 key-o(OPENAI_API_KEY)",
    },
    {
      what: "a path in the address stays, without the operation at its end",
      env: { ...O, OPENAI_BASE_URL: "https://proxy.example/openai/chat/completions" },
      is: "openai gpt-6-astra https://proxy.example/openai key-o(OPENAI_API_KEY)",
    },
    {
      what: "the config's address comes before the variable",
      config: { model: "anthropic/c", base_url: "http://one" },
      env: { ...A, ANTHROPIC_BASE_URL: "http://two" },
      is: "anthropic c http://one/v1 key-a(ANTHROPIC_API_KEY)",
    },
  ])("$what", ({ config = {}, env = {}, override, is }) => {
    expect(short(config, env, override)).toBe(is);
  });

  test.each([
    ["127.0.0.1:11434", LOCAL],
    ["0.0.0.0", LOCAL],
    ["0.0.0.0:4000", "http://127.0.0.1:4000/v1"],
    ["[::]:4000", "http://[::1]:4000/v1"],
    ["box:80", "http://box/v1"],
    ["https://box.example", "https://box.example/v1"],
    ["http://box:4000/", "http://box:4000/v1"],
  ])("OLLAMA_HOST=%s", (OLLAMA_HOST, base_url) => {
    expect(short({}, { OLLAMA_HOST }, "ollama/m")).toBe(`openai-compatible m ${base_url} -`);
  });
});

describe("incomplete or wrong settings say what to set", () => {
  test.each<{ what: string; config?: AgentConfig; env?: Env; override?: string; says: RegExp }>([
    { what: "nothing is set up", says: /ANTHROPIC_API_KEY.*OPENAI_API_KEY.*DUETTY_AGENT_MODEL/ },
    { what: "empty variables", env: { ANTHROPIC_API_KEY: "", OLLAMA_HOST: "" }, says: /No language model/ },
    { what: "Ollama without a model", env: { OLLAMA_HOST: "box" }, says: /DUETTY_AGENT_MODEL=ollama\/MODEL/ },
    { what: "an unknown provider", env: A, override: "claude-sonnet", says: /"claude-sonnet".*"anthropic\/MODEL"/ },
    { what: "a name of Object.prototype", override: "constructor/m", says: /known provider/ },
    { what: "no key", override: "anthropic/c", env: O, says: /ANTHROPIC_API_KEY.*agent.key_env/ },
    {
      what: "no key in the variable that key_env names",
      config: { model: "openai/m", key_env: "GPU" },
      env: O,
      says: /no key in GPU.*Set the variable GPU/,
    },
    {
      what: "a key_file that does not exist",
      config: { model: "openai/m", key_file: "/keys/gone" },
      env: O,
      says: /\/keys\/gone.*0600/,
    },
    { what: "an empty key_file", config: { model: "openai/m", key_file: "/keys/none" }, says: /no key in/ },
    { what: "a relative key_file", config: { model: "openai/m", key_file: "keys/one" }, says: /absolute/ },
    { what: "a key in key_env", config: { model: "openai/m", key_env: "key-g" }, says: /not the name/ },
    { what: "a key in key_file", config: { model: "openai/m", key_file: "key-g" }, says: /absolute path/ },
    { what: "a key_file with several keys", config: { model: "openai/m", key_file: "/keys/two" }, says: /not a key/ },
    { what: "a compatible server without an address", override: "openai-compatible/m", env: O, says: /agent.base_url/ },
    {
      what: "a base_url that is not a URL",
      config: { model: "openai/m", base_url: "proxy" },
      env: O,
      says: /agent.base_url is not an address/,
    },
    { what: "a base URL of a file", env: { ...O, OPENAI_BASE_URL: "file:///etc" }, says: /OPENAI_BASE_URL is not/ },
    {
      what: "a key without a model",
      config: { key_env: "GPU" },
      env: { ...A, GPU: "key-g" },
      says: /names no model for it/,
    },
  ])("$what", ({ config = {}, env = {}, override, says }) => {
    const said = short(config, env, override);
    expect(said).toMatch(/^agent\.unavailable: /);
    expect(said).toMatch(says);
    expect(said).not.toMatch(/key-\w|key 1/);
  });

  test("an address with a password is refused and not shown", () => {
    const said = short({ model: "openai/m", base_url: "https://me:hunter2@proxy.example/v1" }, O);
    expect(said).toMatch(/^agent\.unavailable: .*without user, password/);
    expect(said).not.toContain("hunter2");
  });
});

const name = fc.constantFrom("anthropic/c", "openai/g", "ollama/l", "openai-compatible/m", "nonsense", "anthropic", "");
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyKey = maybe(fc.constantFrom("secret-of-anthropic", "secret-of-openai", "secret-of-gpu", "bad key", ""));

test("keys are neither sent to other providers nor shown", () => {
  const env = fc.record({
    DUETTY_AGENT_MODEL: maybe(name),
    ANTHROPIC_API_KEY: fc.constantFrom(undefined, "secret-of-anthropic"),
    OPENAI_API_KEY: fc.constantFrom(undefined, "secret-of-openai"),
    OPENAI_BASE_URL: fc.constantFrom(undefined, "https://openai.proxy/v1"),
    OLLAMA_HOST: fc.constantFrom(undefined, "ollama.box"),
    GPU: anyKey,
  });
  const config = fc.record({
    model: maybe(name),
    base_url: fc.constantFrom(undefined, "https://gpu.box/v1"),
    key_env: fc.constantFrom(undefined, "GPU"),
  });
  fc.assert(
    fc.property(env, config, maybe(name), (env, config, override) => {
      const found = modelSettings({ config, env, override, readKey: () => undefined });
      expect(inspect(found, { depth: 9, showHidden: true }) + JSON.stringify(found)).not.toContain("secret-of");
      if (isFault(found) || found.key === null) return;
      const host = new URL(found.base_url).hostname;
      const named = config.key_env !== undefined && found.key_from === "GPU";
      const places: Env = { ANTHROPIC_API_KEY: "anthropic", OPENAI_API_KEY: "openai" };
      if (!named) expect(`${found.provider} ${host}`).toContain(places[found.key_from ?? ""] ?? "?");
      if (!named) expect(host).not.toBe("ollama.box");
      const own = /^(anthropic|openai)(?:\/|$)/.exec(config.model ?? "")?.[1];
      if (own !== undefined && own !== found.provider) expect(host).not.toBe("gpu.box");
    }),
    { numRuns: 2_000 },
  );
});

test("keys are removed from any text", () => {
  const key = fc.string({ minLength: 8, maxLength: 60, unit: fc.constantFrom(..."abcXYZ0189-_./+=$&") });
  fc.assert(
    fc.property(key, fc.string(), fc.string(), (key, before, after) => {
      const text = masked(`${before}${key}${after} ${encodeURIComponent(key)}`, new Secret(key));
      expect(text).not.toContain(key);
    }),
  );
  expect(masked("Incorrect API key: sk-proj-abcdefgh1234, Bearer abcdefghijkl", null)).toBe(
    "Incorrect API key: ***, Bearer ***",
  );
  expect(masked("exact text", new Secret("x"))).toBe("exact text");
});
