// What an MCP server of ours is made of: who it calls, as whom, and what it offers. The daemon and the shim fill it in.
import { createHmac } from "node:crypto";
import type { Client } from "../client/client.ts";
import type { McpTier } from "../protocol/op.ts";

export interface McpParts {
  /** Operations as this agent; brings up a daemon where none is. */
  agent(name: string): Client;
  /** The same, where it is better to know nothing than to start something. */
  onlooker(): Client;
  /** For a person's answers and nothing else; null where no person can sit behind the client. */
  readonly person: (() => Client) | null;
  /** Undefined before the first daemon ran, and where there are no forms. */
  personToken(): string | undefined;
  readonly tier: McpTier;
  /** The agent's name, when it is not the client's. */
  readonly name: string | undefined;
  /** Where commands run that name no folder; undefined: where the daemon thinks fit. */
  readonly cwd: string | undefined;
}

/** What round trips through a client is signed with. Derived, so that it outlives the daemon and tells nothing. */
export function stateKey(personToken: string): Uint8Array {
  return createHmac("sha256", personToken).update("duetty mcp request state 1").digest();
}

const NAME_CHARS_MAX = 40;

/** A client's name as an agent's: letters, figures, dots and dashes. */
export function agentName(given: string | undefined): string {
  const name = (given ?? "").replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "");
  return name.slice(0, NAME_CHARS_MAX) || "mcp";
}
