// What our MCP server is given: which client it calls, under which name, and what it offers. The daemon and the shim fill it in.
import { createHmac } from "node:crypto";
import type { Client } from "../client/client.ts";
import type { McpTier } from "../protocol/op.ts";
import type { Machines } from "./tools.ts";

export interface McpParts {
  /** Operations as this agent. Starts a daemon where none runs. */
  agent(name: string): Client;
  /** The same, for reads that must not start a daemon. */
  onlooker(): Client;
  /** Only for a person's answers. Null where no person can be behind the client. */
  readonly person: (() => Client) | null;
  /** Whether a person set this client up, with `duetty setup`, for standard input and output. */
  readonly setUp: boolean;
  /** Undefined before the first daemon has run, and where there are no forms. */
  personToken(): string | undefined;
  readonly tier: McpTier;
  /** Whether the person has other machines: only then tools tell of them. */
  readonly machines?: Machines;
  /** Whoever configured the client says that its model reads the structured content instead of the text. */
  readonly textOnly: boolean;
  /** The agent's name, when it differs from the client's. */
  readonly name: string | undefined;
  /** The folder for commands that name none. Undefined lets the daemon choose. */
  readonly cwd: string | undefined;
}

/** Signs state that goes through a client. Derived, so that it outlives the daemon and reveals nothing. */
export function stateKey(personToken: string): Uint8Array {
  return createHmac("sha256", personToken).update("duetty mcp request state 1").digest();
}
