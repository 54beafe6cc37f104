// What a host lets other machines do: its own fleet.json has the last word, whatever a certificate says. Pure.
import * as z from "zod";
import { type Fault, fault } from "../../core/base/fault.ts";
import { onlyLooks } from "../../core/fleet/looking.ts";
import type { AnyOp, OpName } from "../../protocol/ops.ts";
import { refused } from "./faults.ts";
import { readJson } from "./signed.ts";
import { DeviceId, type Role } from "./words.ts";

/** watch: see what is there; drive: also type, run and answer. */
export type Level = "none" | "watch" | "drive";
export type Need = "watch" | "drive" | "never";

/** Each lets in further than the one before it. */
const ORDER = ["none", "watch", "drive"] as const;
const LevelForm = z.enum(ORDER);
const Rules = z.strictObject({
  /** Devices that are not listed. No file lets strangers drive. */
  others: z.enum(["none", "watch"]).default("watch"),
  devices: z
    .record(DeviceId, z.strictObject({ person: LevelForm.optional(), agent: LevelForm.optional() }))
    .default({}),
});
export type Rules = z.output<typeof Rules>;

export const NEW_RULES: Rules = { others: "watch", devices: {} };
/** While the file cannot be read, nobody gets in. */
export const CLOSED: Rules = { others: "none", devices: {} };

/** They let others in, belong to who is at the machine, or are called by programs there. */
const AT_THE_MACHINE: readonly OpName[] = [
  ...(["login_code", "pair", "devices", "unpair", "push", "share", "shares", "unshare", "shared"] as const),
  ...(["hook", "shutdown"] as const),
];
/** Who belongs to the fleet is said where the keys are. */
const MEMBERSHIP = "fleet_";

export function readRules(text: string): Rules | Fault {
  const hint = 'It looks like {"devices": {"d_1a2b3c4d": {"person": "drive", "agent": "watch"}}}.';
  return readJson(Buffer.from(text), Rules) ?? fault("input.invalid", "fleet.json cannot be read", hint);
}

export function levelOf({ devices, others }: Rules, device: string, role: Role): Level {
  if (role === "host") return "none";
  const listed = Object.hasOwn(devices, device) ? devices[device] : undefined;
  if (!listed) return others;
  const person = listed.person ?? others;
  if (role === "person") return person;
  // An agent is never let in further than the person who runs it.
  const agent = listed.agent ?? others;
  return ORDER.indexOf(agent) < ORDER.indexOf(person) ? agent : person;
}

/** Why not. A stream needs the level of its use: watch to see, drive to type or to set sizes. */
export function forbids(level: Level, need: Need): Fault | undefined {
  if (need === "never" || level === "none") return refused("fleet.not_allowed");
  return need === "drive" && level === "watch" ? refused("fleet.not_allowed") : undefined;
}

/** Roles still count: what is for people only is so at `drive`, too. */
export function needOf({ name, effect }: Pick<AnyOp, "name" | "effect">): Need {
  if (AT_THE_MACHINE.includes(name) || name.startsWith(MEMBERSHIP)) return "never";
  return onlyLooks({ name, effect }) ? "watch" : "drive";
}
