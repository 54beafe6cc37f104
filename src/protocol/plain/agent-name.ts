// Names of agents: what they may be, and how they are written with their kind: agent:NAME. No imports: the CLI loads it.

const NAME_CHARS_MAX = 40;

/** A name, with or without its kind. */
export const AGENT_NAME = new RegExp(`^(?:agent:)?([\\w.-]{1,${NAME_CHARS_MAX}})$`);

/** NAME of agent:NAME, as somebody may call themselves. Undefined when it is not written so, or no agent may be called so. */
export function claimedNameIn(actor: string): string | undefined {
  return actor.startsWith("agent:") ? AGENT_NAME.exec(actor)?.[1] : undefined;
}

/** NAME of an actor agent:NAME. Of an agent at another machine it is NAME@HOST, which nobody here can claim. */
export function agentNameIn(actor: string): string | undefined {
  const [claimed = "", host] = actor.split("@", 2);
  const name = claimedNameIn(claimed);
  return name === undefined || host === undefined ? name : `${name}@${host}`;
}

/** Turns a program's name into an agent's: letters, digits, dots and dashes. */
export function agentNameFrom(given: string | undefined): string {
  const name = (given ?? "").replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "");
  return name.slice(0, NAME_CHARS_MAX) || "mcp";
}

/** The built-in agent's. Nobody else may use it, because holds, levels and answers go by names. */
export const BUILT_IN_NAME = "duetty";

/** A question "from you" or an input "by person" would deceive whoever reads it. */
const RESERVED: readonly string[] = [
  BUILT_IN_NAME,
  ..."owner person people you me human user program terminal nobody".split(" "),
];

export function isAgentName(name: string): boolean {
  return !isReserved(name) && claimedNameIn(`agent:${name}`) !== undefined;
}

/** Whether a name would make others believe that it is somebody else. */
export function isReserved(name: string): boolean {
  return RESERVED.includes(name.toLowerCase());
}
