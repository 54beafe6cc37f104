// Clients of before 2026, each with a session: a server of its own that can call back. Owns: these sessions, from the
// handshake until the client says goodbye, is silent for long, or makes room.
import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpParts } from "../mcp/parts.ts";
import { mcpServer } from "../mcp/server.ts";
import { Watches } from "../mcp/watches.ts";
import { whenRead } from "./mcp-stream.ts";

/** A client that is silent this long has gone without saying so. */
const IDLE_MS = 600_000;
const SWEEP_MS = 60_000;
/** One person's clients; the stalest makes room. */
const SESSIONS_MAX = 64;

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly watches: Watches;
  /** Requests and streams that are open now. */
  open: number;
  used: number;
}

export class McpSessions {
  #sessions = new Map<string, Session>();
  #sweep = setInterval(() => this.#closeIdle(), SWEEP_MS).unref();

  async answer(request: Request, parts: () => McpParts): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? await begun(parts()) : this.#sessions.get(id);
    if (!session) return rpcError(404, -32_001, "Session not found");
    session.open += 1;
    const done = () => {
      session.open -= 1;
      session.used = Date.now();
    };
    const response = await session.transport.handleRequest(request).catch((error: unknown) => {
      done();
      throw error;
    });
    if (id === null) this.#keep(session);
    return whenRead(response, done);
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const session of this.#sessions.values()) void session.server.close();
    this.#sessions.clear();
  }

  /** From the handshake on; what was none is over with its answer. */
  #keep(session: Session): void {
    const { sessionId } = session.transport;
    if (sessionId === undefined) return void session.server.close();
    const stalest = [...this.#sessions.values()].sort((a, b) => a.open - b.open || a.used - b.used)[0];
    if (this.#sessions.size >= SESSIONS_MAX) void stalest?.server.close();
    this.#sessions.set(sessionId, session);
    const { onclose } = session.server.server;
    session.server.server.onclose = () => {
      onclose?.();
      session.watches.close();
      this.#sessions.delete(sessionId);
    };
  }

  #closeIdle(): void {
    for (const { open, used, server } of [...this.#sessions.values()])
      if (open === 0 && used < Date.now() - IDLE_MS) void server.close();
  }
}

async function begun(parts: McpParts): Promise<Session> {
  const watches: Watches = new Watches({
    client: () => parts.onlooker(),
    tell: (uri) => void server.server.sendResourceUpdated({ uri }).catch(() => undefined),
  });
  const server = mcpServer(parts, watches);
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  return { server, transport, watches, open: 0, used: Date.now() };
}

export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
