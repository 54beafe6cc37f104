// What the contract of Model is tested with: every provider, with streams and without, asked by somebody who may go away.

import type { Trouble } from "../../../src/core/agent/agent.ts";
import type { Model, ModelAsk, ModelReply } from "../../../src/core/agent/model.ts";
import type { Cancelled } from "../../../src/core/base/cancellation.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import { type ModelParts, openModel } from "../../../src/host/models/model.ts";
import { type AgentConfig, type ModelSettings, modelSettings } from "../../../src/host/models/settings.ts";
import type { FakeProvider, FakeReply } from "../../fixtures/model/fake-provider.mjs";

export const KEY = "sk-fake-0123456789-do-not-show";
export const SYSTEM = "You share a terminal.";
export const TOOLS = ["run_command", "read_screen"].map((name) => ({
  name,
  description: `The tool ${name}`,
  schema: { type: "object", properties: { command: { type: "string" } }, additionalProperties: false },
}));
export const ASK: ModelAsk = { system: SYSTEM, history: [{ role: "person", text: "go" }], tools: TOOLS };
export const run = (command: string) => ({ name: "run_command", args: { command } });

export const providers = [
  { provider: "anthropic", protocol: "anthropic", base: (url: string) => url },
  { provider: "openai", protocol: "responses", base: (url: string) => `${url}/v1` },
  { provider: "openai-compatible", protocol: "chat", base: (url: string) => `${url}/v1/` },
] as const;
const modes = [{ streaming: true }, { streaming: false }] as const;

/** The caller, who may give up. */
export class Caller implements Cancelled {
  #leave: (() => void)[] = [];
  readonly partials: string[] = [];
  heard: () => void = () => undefined;
  onCancel(run: () => void): void {
    this.#leave.push(run);
  }
  leave(): void {
    for (const run of this.#leave) run();
  }
  partial = (text: string): void => {
    this.partials.push(text);
    this.heard();
  };
}

export function settingsOf(config: AgentConfig, env: Record<string, string> = { THE_KEY: KEY }): ModelSettings {
  const settings = modelSettings({ config, env, readKey: () => undefined });
  if (isFault(settings)) throw new Error(settings.message);
  return settings;
}

export async function opened(settings: ModelSettings, parts: Partial<ModelParts> = {}): Promise<Model> {
  const model = await openModel(settings, parts);
  if (isFault(model)) throw new Error(model.message);
  return model;
}

export function said(outcome: ModelReply | { error: Trouble }): ModelReply {
  if ("error" in outcome) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome;
}

export function trouble(outcome: ModelReply | { error: Trouble }): Trouble {
  if (!("error" in outcome)) throw new Error(`no trouble: ${JSON.stringify(outcome)}`);
  return outcome.error;
}

export const cases = providers.flatMap((provider) => modes.map((mode) => ({ ...provider, ...mode })));
type Case = Omit<(typeof cases)[number], "protocol">;

export function settingsFor({ provider, base, streaming }: Case, fake: FakeProvider): ModelSettings {
  return settingsOf({ model: `${provider}/m-1`, base_url: base(fake.url), key_env: "THE_KEY", streaming });
}

/** One question, answered as the reply says. */
export async function asked(
  which: Case,
  fake: FakeProvider,
  reply: FakeReply,
  ask: ModelAsk = ASK,
  caller = new Caller(),
) {
  fake.say(reply);
  const model = await opened(settingsFor(which, fake));
  return model.complete(ask, caller, caller.partial);
}

export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
