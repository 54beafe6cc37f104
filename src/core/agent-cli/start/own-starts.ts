// The agents that this daemon can start: ours, and those in config.json, whose fields stand in place of ours of the same name. Pure.
import { type Fault, fault } from "../../base/fault.ts";
import type { StartPreset } from "./start-preset.ts";
import { plainStart, START_PRESETS } from "./start-presets.ts";

/** As config.json has it. */
interface OwnStart {
  readonly command?: readonly string[] | undefined;
  readonly install?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly box_args?: readonly string[] | undefined;
  readonly prompt?: readonly string[] | undefined;
  readonly resume?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly hosts?: readonly string[] | undefined;
}

export function startsWith(own: Readonly<Record<string, OwnStart>>): readonly StartPreset[] {
  const all = new Map(START_PRESETS.map((preset) => [preset.name, preset]));
  for (const [name, { box_args: boxArgs, env, ...given }] of Object.entries(own)) {
    const ours = all.get(name) ?? plainStart(name);
    const said = Object.entries({ ...given, boxArgs }).filter(([, value]) => value !== undefined);
    all.set(name, { ...ours, ...Object.fromEntries(said), env: { ...ours.env, ...env } });
  }
  return [...all.values()];
}

export function startOf(starts: readonly StartPreset[], name: string): StartPreset | Fault {
  const found = starts.find((preset) => preset.name === name);
  if (found) return found;
  const known = starts.map((preset) => preset.name).join(", ");
  const hint = `Known are ${known}. Name another in agent_starts of config.json.`;
  return fault("input.invalid", `no agent is called "${name}"`, hint);
}
