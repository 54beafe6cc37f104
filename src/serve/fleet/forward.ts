// Operations that mean another machine are asked of it; lists of all machines are put together (all-lists.ts). Everything else is done here.
import { advice } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { actorThere, machinesIn, placed, placedWords, type Sides, withoutHost } from "../../core/fleet/place.ts";
import { actorName, isFar } from "../../core/gate/actor.ts";
import type { AnyOp } from "../../protocol/ops.ts";
import { agentNameIn } from "../../protocol/plain/agent-name.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import type { Call, Caller } from "../auth.ts";
import { merged } from "./all-lists.ts";
import { strangeAnswer } from "./far-answer.ts";
import { type HostLists, shownAt } from "./host-lists.ts";
import type { Hosts } from "./hosts.ts";
import type { Asker } from "./remote-host.ts";

type Given = Readonly<Record<string, unknown>>;
type Answered = object | Fault;

/** Does an operation elsewhere, or lets it be done here. */
export type Forward = (op: AnyOp, input: unknown, call: Call, here: () => Promise<Answered>) => Promise<Answered>;

export function forwardTo(hosts: Hosts): Forward {
  return async (op, input, call, here) => {
    const given: Given = Object(input ?? {});
    const meant = meantBy(hosts, op, given);
    if (isFault(meant)) return meant;
    const wrong = isBoth(op, given, meant) ?? namesPlace(hosts, op, given);
    if (wrong) return wrong;
    // Another machine puts its own lists together.
    const isAll = given.hosts === "all" && "hosts" in op.input.shape && hosts.all.length > 0 && !isFar(call.actor);
    const refused = refusesFar(call);
    if (!meant && !isAll) return refused ? here() : withHostUnknown(hosts, given, await here());
    if (refused) return refused;
    if (meant) return asked(meant, op, given, call);
    return merged(hosts, op.name, given, askerOf(call), call, await here());
  };
}

/** Who may mean other machines at all: people and agents of this one. */
export function refusesFar({ guest, actor }: Pick<Caller, "guest" | "actor">): Fault | undefined {
  if (guest) return fault("auth.forbidden", "no other machine was shared with you", "Ask the person who shared it.");
  // From one machine to a second one to a third: nobody could say who asks.
  return isFar(actor) ? fault("host.refused", "no machine is reached through another", "Ask it directly.") : undefined;
}

/** The machine that an input names. Undefined: this one. */
function meantBy(hosts: Hosts, op: AnyOp, given: Given): HostLists | Fault | undefined {
  const outright = "host" in op.input.shape && typeof given.host === "string" ? given.host : undefined;
  if (outright === "") return fault("input.invalid", "host must be a machine's name", advice("hosts"));
  if (outright !== undefined && given.hosts === "all")
    return fault("input.invalid", `all machines, or ${outright} alone: not both`, "Leave one of the two out.");
  const named = machinesIn(fieldsOf(op, given), (name) => hosts.has(name));
  const meant = new Set([...(outright === undefined ? [] : [outright === hosts.me ? null : outright]), ...named]);
  const [first, second] = [...meant].map((name) => name ?? hosts.me);
  if (second !== undefined)
    return fault("input.invalid", `${first} and ${second} are two machines`, "Ask each of them by itself.");
  return first === undefined || meant.has(null) ? undefined : hosts.find(first);
}

/** One machine or all of them: neither is left out in silence. */
function isBoth({ input }: AnyOp, { host, hosts }: Given, meant: HostLists | undefined): Fault | undefined {
  if (hosts !== "all" || !("hosts" in input.shape) || (host === undefined && !meant)) return undefined;
  return fault("input.invalid", "hosts means every machine, and one is named", "Give host or hosts.");
}

/** A session that has the name of a place on another machine would never be found by it. */
function namesPlace(hosts: Hosts, op: AnyOp, { name }: Given): Fault | undefined {
  const place = op.name === "pty_open" || op.name === "rename" ? placeOf(name) : undefined;
  if (!place || !hosts.has(place.host)) return undefined;
  return fault(
    "input.invalid",
    `"${name}" would mean ${place.id} on the machine ${place.host}`,
    advice("another_name"),
  );
}

/** Fields that name one thing. */
const ONE = ["session_id", "approval_id", "block_id", "id"] as const;

/** What is not found here may have been meant for a machine that nobody knows. A name here may have a slash, too. */
function withHostUnknown(hosts: Hosts, given: Given, answer: Answered): Answered {
  const host = ONE.map((field) => placeOf(given[field])?.host).find((name) => name !== undefined && name !== hosts.me);
  if (host === undefined || hosts.all.length === 0 || !isFault(answer) || !answer.code.endsWith("not_found"))
    return answer;
  return fault("host.unknown", `${answer.message}, and no machine "${host}"`, advice("hosts"));
}

/** What the operation has. Anything else is no name, and is refused where the operation is done. */
function fieldsOf({ input }: AnyOp, given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([field]) => field in input.shape));
}

async function asked(lists: HostLists, op: AnyOp, given: Given, call: Call): Promise<Answered> {
  const { host } = lists;
  const sides = { host: host.name, me: host.me };
  // A host that this operation does not have is refused there, like any unknown field.
  const strange = ["host", "hosts"].filter((field) => field in given && !(field in op.input.shape));
  const input: Record<string, unknown> = {
    ...withoutHost(given, (name) => name === host.name, sides),
    ...Object.fromEntries(strange.map((field) => [field, given[field]])),
  };
  // The person here is called so over there.
  if (input.actor === "person") input.actor = `person@${host.me}`;
  // Whoever calls has variables and a folder of this machine.
  delete input.base_env;
  if (op.name === "policy" && typeof input.agent === "string") input.agent = agentThere(input.agent, sides);
  const shown = op.name === "approve" ? shownAt(lists, given) : undefined;
  const answer = await host.call(op.name, { ...input, ...shown }, askerOf(call), call.cancelled);
  if (isFault(answer)) return refusedThere(answer, sides);
  const { data } = op.output.safeParse(answer);
  return data === undefined ? strangeAnswer(host.name, op.name) : placed(data as object, sides);
}

/** An agent's level is for that agent here, unless its name says where it is. */
function agentThere(agent: string, sides: Sides): string {
  return actorThere(agentNameIn(agent) === undefined ? `agent:${agent}` : agent, sides);
}

function refusedThere(answer: Fault, sides: Sides): Fault {
  const [message, hint] = [placedWords(answer.message, sides), placedWords(answer.hint, sides)];
  const { approval_id } = answer;
  return { ...answer, message, hint, ...(approval_id && { approval_id: `${sides.host}/${approval_id}` }) };
}

export function askerOf({ role, actor, masked, connection, ...call }: Caller & Partial<Call>): Asker {
  const { surface, approvalWaitMs } = call;
  return {
    role: role === "person" ? "person" : "agent",
    actor: actorName(actor),
    masked,
    surface,
    connection,
    approvalWaitMs,
  };
}
