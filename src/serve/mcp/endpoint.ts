// MCP over HTTP at /mcp, for both eras: since 2026 each request stands alone, before that a client has a session
// (mcp-sessions.ts). Refuses: to judge who comes in; the door and the bearer were looked at before.
import { randomUUID } from "node:crypto";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { actorName } from "../../core/gate/actor.ts";
import { nodeClock } from "../../host/clock.ts";
import { listenedTo } from "../../mcp/listeners.ts";
import { mcpServer } from "../../mcp/server.ts";
import { isTier } from "../../mcp/tools.ts";
import { Watches } from "../../mcp/watches.ts";
import type { McpTier } from "../../protocol/op.ts";
import { claimedNameIn } from "../../protocol/plain/agent-name.ts";
import { wrongShape } from "../../protocol/words/wrong-input.ts";
import { agentCalled, type Caller } from "../auth.ts";
import { BODY_BYTES_MAX, whole } from "../http/body.ts";
import { type Inside, partsFor } from "./inside.ts";
import { McpSessions, rpcError } from "./sessions.ts";
import { whenRead } from "./stream.ts";

/** As many as the SDK takes at once. */
const BATCH_MAX = 100;

export class McpEndpoint {
  #inside: Inside;
  #sessions = new McpSessions(nodeClock);
  #watches: Watches;
  #modern: ReturnType<typeof createMcpHandler>;

  constructor(inside: Inside) {
    this.#inside = inside;
    this.#watches = new Watches({
      client: () => partsFor(inside, agentCalled("mcp"), { tier: "all", name: undefined, textOnly: false }).onlooker(),
      tell: (uri) => this.#modern.notify.resourceUpdated(uri),
    });
    const serverFor: Parameters<typeof createMcpHandler>[0] = ({ requestInfo, authInfo }) =>
      mcpServer(this.#partsFor(requestInfo, callerIn(authInfo)), this.#watches);
    this.#modern = createMcpHandler(serverFor, { legacy: "reject" });
  }

  async answer(given: Request, caller: Caller): Promise<Response> {
    const tier = new URL(given.url).searchParams.get("tier");
    if (tier !== null && !isTier(tier)) return new Response("tier is readonly, drive or all\n", { status: 400 });
    const request = await whole(given);
    if (!request) return rpcError(413, -32_000, `a body may have ${BODY_BYTES_MAX} bytes`);
    const wrong =
      request.method === "POST"
        ? misshapen(
            await request
              .clone()
              .json()
              .catch(() => undefined),
          )
        : undefined;
    if (wrong !== undefined) return rpcError(400, -32_600, wrong);
    // A session has its own looks. Requests that stand alone share those of their agent's name.
    if (await isLegacyRequest(request))
      return this.#sessions.answer(request, () => this.#partsFor(request, { ...caller, connection: randomUUID() }));
    const uris = request.method === "POST" ? await listenedIn(request.clone()) : [];
    const response = await this.#modern.fetch(request, { authInfo: authInfoOf(caller) });
    if (uris.length === 0 || !response.ok) return response;
    const listener = {};
    this.#watches.add(uris, listener);
    return whenRead(response, () => this.#watches.remove(uris, listener));
  }

  close(): void {
    this.#sessions.close();
    this.#watches.close();
    void this.#modern.close();
  }

  #partsFor(request: Request | undefined, caller: Caller) {
    const tier = request && new URL(request.url).searchParams.get("tier");
    const textOnly = request !== undefined && new URL(request.url).searchParams.has("text-only");
    const name = claimedNameIn(request?.headers.get("x-duetty-as") ?? "");
    return partsFor(this.#inside, caller, { tier: (tier ?? "all") as McpTier, name, textOnly });
  }
}

/** The SDK would look at every part before it refuses. */
function misshapen(body: unknown): string | undefined {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > BATCH_MAX) return `a batch may have ${BATCH_MAX} messages`;
  for (const message of messages) {
    const wrong = wrongShape(message);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** How the SDK carries who calls to the server that it makes for a request. */
function authInfoOf(caller: Caller) {
  return { token: "", clientId: actorName(caller.actor), scopes: [], extra: { caller } };
}

function callerIn(info: { readonly extra?: Record<string, unknown> } | undefined): Caller {
  return (info?.extra?.caller as Caller | undefined) ?? agentCalled();
}

/** The SDK answers these itself and tells nobody what is listened to. */
async function listenedIn(request: Request): Promise<string[]> {
  const method = request.headers.get("mcp-method");
  if (method !== null && method !== "subscriptions/listen") return [];
  const body: unknown = await request.json().catch(() => undefined);
  const { method: said, params } = (body ?? {}) as { method?: unknown; params?: unknown };
  return said === "subscriptions/listen" ? listenedTo(params) : [];
}
