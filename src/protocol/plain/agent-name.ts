// Names of agents: what they may be, and how they are written with their kind: agent:NAME. No imports: the CLI loads it.

const NAME_CHARS_MAX = 40;

/** A name, with or without its kind. */
export const AGENT_NAME = new RegExp(`^(?:agent:)?([\\w.-]{1,${NAME_CHARS_MAX}})$`);

/** NAME of agent:NAME. Undefined when it is not written so, or no agent may be called so. */
export function agentNameIn(actor: string): string | undefined {
  return actor.startsWith("agent:") ? AGENT_NAME.exec(actor)?.[1] : undefined;
}

/** Turns a program's name into an agent's: letters, digits, dots and dashes. */
export function agentNameFrom(given: string | undefined): string {
  const name = (given ?? "").replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "");
  return name.slice(0, NAME_CHARS_MAX) || "mcp";
}
