// The MCP server inside the daemon: its calls are operations of an agent, or of the person for an answer that a client brought.
// Every call is judged as if it had come over the socket.
import fs from "node:fs";
import type { McpParts } from "../../mcp/parts.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { type Auth, type Caller, PERSON } from "../auth.ts";
import { clientAs } from "../calling.ts";
import type { Hosts } from "../fleet/hosts.ts";
import type { Perform } from "../perform.ts";

export interface Inside {
  readonly perform: Perform;
  readonly home: Home;
  readonly auth: Auth;
  readonly hosts: Hosts;
}

/** HTTP folders are nobody's: commands without one run where the daemon thinks fit. */
export function partsFor(
  inside: Inside,
  caller: Caller,
  wishes: Pick<McpParts, "tier" | "name" | "textOnly">,
): McpParts {
  const agent = (name: string) => clientAs(inside.perform, inside.auth.called(caller, name));
  return {
    ...wishes,
    machines: inside.hosts.all.length > 0 ? "several" : "this",
    cwd: undefined,
    agent,
    onlooker: () => agent("mcp"),
    // Who is at the other end of HTTP nobody knows, and a client inside a session would answer for its agent.
    person: caller.inside === undefined ? () => clientAs(inside.perform, PERSON) : null,
    setUp: false,
    personToken: () => fs.readFileSync(inside.home.personToken, "utf8").trim(),
  };
}
