// The AI SDK and its providers: loaded at first use, because they are optional. A missing one is a Fault that says what to install.
import { type Fault, fault } from "../../core/base/fault.ts";
import { atFirstUse } from "../first-use.ts";
import type { Ai, Providers } from "./sdk.ts";
import { masked } from "./secret.ts";
import type { ModelSettings } from "./settings.ts";

export interface Packages {
  ai(): Promise<Ai>;
  anthropic(): Promise<Providers["anthropic"]>;
  openai(): Promise<Providers["openai"]>;
  compatible(): Promise<Providers["compatible"]>;
}

export const installed: Packages = {
  ai: () => load("ai"),
  anthropic: () => load("@ai-sdk/anthropic"),
  openai: () => load("@ai-sdk/openai"),
  compatible: () => load("@ai-sdk/openai-compatible"),
};

/** By a name that the compiler does not follow: our build has none of them. */
const load = (name: string) => atFirstUse(() => import(name));

/** The majors this code was written and tested with. */
const INSTALL: Readonly<Record<ModelSettings["provider"], string>> = {
  anthropic: "npm install ai@7 @ai-sdk/anthropic@4",
  openai: "npm install ai@7 @ai-sdk/openai@4",
  "openai-compatible": "npm install ai@7 @ai-sdk/openai-compatible@3",
};

export interface Loaded {
  readonly ai: Ai;
  readonly model: unknown;
}

export async function loaded(
  settings: ModelSettings,
  packages: Packages,
  fetch: typeof globalThis.fetch,
): Promise<Loaded | Fault> {
  try {
    const ai = await packages.ai();
    return { ai, model: await languageModel(settings, packages, fetch) };
  } catch (error) {
    const what = isMissing(error)
      ? `are not installed: ${error.message}`
      : `do not work: ${masked(String(error), settings.key)}`;
    return fault(
      "agent.unavailable",
      `The packages for ${settings.provider} models ${what}.`,
      `Run "${INSTALL[settings.provider]}" where duetty is installed (with -g if it is global), then try again.`,
    );
  }
}

/** The package itself, not one that it needs and that a broken installation lacks: the words of that one are told. */
function isMissing(error: unknown): error is Error {
  const isNotFound = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isNotFound && /'(?:ai|@ai-sdk\/[\w-]+)' imported from/.test(error.message);
}

// We pass everything explicitly, because the SDK reads missing settings from the environment.
async function languageModel(
  settings: ModelSettings,
  packages: Packages,
  fetch: typeof globalThis.fetch,
): Promise<unknown> {
  const { provider, model, base_url: baseURL } = settings;
  const apiKey = settings.key?.reveal() ?? "";
  switch (provider) {
    case "anthropic": {
      const { createAnthropic } = await packages.anthropic();
      const auth = settings.key_as === "token" ? { authToken: apiKey } : { apiKey };
      return createAnthropic({ baseURL, fetch, ...auth })(model);
    }
    case "openai": {
      const { createOpenAI } = await packages.openai();
      return createOpenAI({ baseURL, fetch, apiKey }).responses(model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await packages.compatible();
      return createOpenAICompatible({ name: "compatible", baseURL, fetch, apiKey, includeUsage: true })(model);
    }
  }
}
