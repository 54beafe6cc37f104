// What a machine hears that asked for more than it may do here: which machine says so, and what a person does about it. Pure.
import { advice } from "../../core/base/advice.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Level, Need } from "./levels.ts";
import type { Role } from "./words.ts";

interface Refused {
  /** This machine, and the one that asks. */
  readonly host: string;
  readonly device: string;
  readonly role: Role;
  readonly need: Need;
  readonly may: { readonly person: Level; readonly agent: Level };
}

export function notAllowed({ host, device, role, need, may }: Refused): Fault {
  if (need === "never")
    return fault("fleet.not_allowed", `${host} lets no other machine do this`, "It is done at that machine itself.");
  const isAgent = role === "agent";
  const level = isAgent ? may.agent : may.person;
  const whose = isAgent ? `agents of ${device}` : device;
  const message = `${host} lets ${whose} ${level === "none" ? "do nothing" : "only watch"}`;
  const levels = isAgent ? `--level ${may.person} --agents ${need}` : `--level ${need}`;
  return fault("fleet.not_allowed", message, advice("fleet_allow", `${device} ${levels}`));
}
