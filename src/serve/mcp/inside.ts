// The MCP server inside the daemon: its calls go straight to the handlers, as an agent, or as the person for an answer that
// a client brought. Every call is judged as if it had come over the socket.
import fs from "node:fs";
import { clientOver, type Transport } from "../../client/client.ts";
import { isFault } from "../../core/base/fault.ts";
import type { McpParts } from "../../mcp/parts.ts";
import { ops } from "../../protocol/ops.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Handlers } from "../handlers/context.ts";
import { type Auth, agentCalled, type Caller } from "../http/auth.ts";
import { checkRole, perform } from "../http/http.ts";

export interface Inside {
  readonly auth: Auth;
  readonly handlers: Handlers;
  readonly home: Home;
}

/** HTTP folders are nobody's: commands without one run where the daemon thinks fit. */
export function partsFor(inside: Inside, wishes: Pick<McpParts, "tier" | "name">): McpParts {
  const agent = (name: string) => clientOver(within(inside, agentCalled(name)));
  return {
    ...wishes,
    cwd: undefined,
    agent,
    onlooker: () => agent("mcp"),
    person: () => clientOver(within(inside, { role: "person", actor: { kind: "person" } })),
    personToken: () => fs.readFileSync(inside.home.personToken, "utf8").trim(),
  };
}

function within(inside: Inside, caller: Caller): Transport {
  return async (name, body, { signal, approvalWaitMs } = {}) => {
    const op = ops.find((known) => known.name === name);
    if (!op) throw new Error(`no operation ${name}`);
    const cancelled = {
      onCancel(run: () => void) {
        if (signal?.aborted) queueMicrotask(run);
        else signal?.addEventListener("abort", run, { once: true });
      },
    };
    const wrong = checkRole(op, caller);
    const result = wrong ?? (await perform(op, JSON.parse(body), { ...caller, cancelled, approvalWaitMs }, inside));
    if (!isFault(result)) return { status: 200, body: result };
    const { fault: _, ...error } = result;
    return { status: 400, body: JSON.stringify({ error }) };
  };
}
