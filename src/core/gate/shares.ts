// How much of what is limited one agent may have at a time, so that none takes everything. Pure. With the shared token an agent
// says its own name, so all of its names count as one agent. All agents together have a limit too, below what there is: the
// rest is for people.

import { isOwner } from "../../protocol/plain/person-name.ts";
import { type Fault, fault } from "../base/fault.ts";

interface Share {
  /** What the fault says: "sessions". */
  readonly what: string;
  /** For one agent. */
  readonly each: number;
  /** For all agents together. */
  readonly agents: number;
  /** For everybody. */
  readonly all: number;
}

/** What one agent may have; a person changes it in config.json. */
export interface AgentLimits {
  readonly sessions: number;
  /** Of everybody together. */
  readonly all_sessions: number;
  readonly questions: number;
  readonly runs: number;
  readonly waits: number;
  /** Whether a token of its own, or the daemon, gives an agent this name. By default every name counts by itself. */
  owns?(actor: string): boolean;
}

/** A busy agent with helpers stays far below these. More is a loop. */
export const DEFAULT_LIMITS: AgentLimits = {
  /** Running or pending. Each takes a shell and an engine, some ten megabytes. */
  sessions: 50,
  /** A quiet one costs some hundred kilobytes; one holder serves this many well. */
  all_sessions: 2_000,
  /** More than a person reads at once. */
  questions: 20,
  /** Commands beside the terminal. */
  runs: 25,
  /** Calls under way and open sockets. Each watched screen is one. */
  waits: 200,
};

/** A person's own sessions always find room. */
export const sessionShare = ({ sessions, all_sessions }: AgentLimits): Share => ({
  what: "sessions",
  each: sessions,
  agents: Math.ceil(all_sessions * 0.8),
  all: all_sessions,
});
/** People ask nobody. */
export const questionShare = ({ questions }: AgentLimits): Share => ({
  what: "open questions",
  each: questions,
  agents: 50,
  all: 50,
});
export const runShare = ({ runs }: AgentLimits): Share => ({
  what: "running commands",
  each: runs,
  agents: 80,
  all: 100,
});
export const waitShare = ({ waits }: AgentLimits): Share => ({
  what: "calls under way",
  each: waits,
  agents: 1_000,
  all: Number.POSITIVE_INFINITY,
});

interface Held {
  readonly owner: string;
  readonly own: number;
  readonly agents: number;
  readonly all: number;
}

/** What all agents with the shared token are called when they are counted. */
const SHARED = "the shared token";

/** Whose share it is: the actor's, or that of everybody with the shared token. */
export function ownerOf(actor: string, { owns }: Pick<AgentLimits, "owns">): string {
  return !isAgent(actor) || owns === undefined || owns(actor) ? actor : SHARED;
}

/** Counts what there is, by whose it is. */
export function heldBy(actor: string, actors: readonly string[], limits: Pick<AgentLimits, "owns">): Held {
  // Few agents have many things.
  const owners = new Map([actor, ...actors].map((one) => [one, one]));
  for (const one of owners.keys()) owners.set(one, ownerOf(one, limits));
  const owner = owners.get(actor) ?? actor;
  const own = actors.filter((one) => owners.get(one) === owner).length;
  return { owner, own, agents: actors.filter(isAgent).length, all: actors.length };
}

/** Why this actor may not have one more. */
export function refusesMore({ what, each, agents, all }: Share, actor: string, held: Held): Fault | undefined {
  const hint = "End some of them first. A person changes what one agent may have: limits in config.json.";
  if (isAgent(actor) && held.own >= each) return fault("session.limit", `${held.owner} has ${held.own} ${what}`, hint);
  if (isAgent(actor) && held.agents >= agents)
    return fault("session.limit", `agents have ${held.agents} ${what}`, hint);
  return held.all >= all ? fault("session.limit", `there are ${held.all} ${what}`, hint) : undefined;
}

function isAgent(actor: string): boolean {
  return !isOwner(actor);
}
