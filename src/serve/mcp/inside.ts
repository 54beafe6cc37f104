// The MCP server inside the daemon: its calls are operations of an agent, or of the person for an answer that a client brought.
// Every call is judged as if it had come over the socket.
import fs from "node:fs";
import { CallError, type Client, clientOf } from "../../client/client.ts";
import { isFault } from "../../core/base/fault.ts";
import type { McpParts } from "../../mcp/parts.ts";
import { ops } from "../../protocol/ops.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { type Auth, type Caller, PERSON } from "../auth.ts";
import type { Perform } from "../perform.ts";

export interface Inside {
  readonly perform: Perform;
  readonly home: Home;
  readonly auth: Auth;
}

/** HTTP folders are nobody's: commands without one run where the daemon thinks fit. */
export function partsFor(inside: Inside, caller: Caller, wishes: Pick<McpParts, "tier" | "name">): McpParts {
  const agent = (name: string) => clientAs(inside, inside.auth.called(caller, name));
  return {
    ...wishes,
    cwd: undefined,
    agent,
    onlooker: () => agent("mcp"),
    // Who is at the other end of HTTP nobody knows, and a client inside a session would answer for its agent.
    person: caller.inside === undefined ? () => clientAs(inside, PERSON) : null,
    setUp: false,
    personToken: () => fs.readFileSync(inside.home.personToken, "utf8").trim(),
  };
}

function clientAs({ perform }: Inside, caller: Caller): Client {
  return clientOf(async (name, input, { signal, approvalWaitMs } = {}) => {
    const op = ops.find((known) => known.name === name);
    if (!op) throw new Error(`no operation ${name}`);
    const cancelled = {
      onCancel(run: () => void) {
        if (signal?.aborted) queueMicrotask(run);
        else signal?.addEventListener("abort", run, { once: true });
      },
    };
    const answer = await perform(op, input, { ...caller, cancelled, approvalWaitMs });
    if (isFault(answer)) throw new CallError(answer);
    return answer;
  });
}
