// Clients of before 2026, each with a session: a server of its own that can call back. Owns: these sessions, from the
// handshake until the client says goodbye, is silent for long, or makes room. One that is listening is not silent.
import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../core/base/clock.ts";
import type { McpParts } from "../../mcp/parts.ts";
import { mcpServer } from "../../mcp/server.ts";
import { Watches } from "../../mcp/watches.ts";
import { whenRead } from "./stream.ts";

/** A client that is silent this long has gone without saying so. */
export const IDLE_MS = 600_000;
export const SWEEP_MS = 60_000;
/** One person's clients; the stalest of the silent ones makes room. */
export const SESSIONS_MAX = 64;

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly watches: Watches;
  /** Requests and streams that are open now. */
  open: number;
  used: number;
}

export class McpSessions {
  #clock: Clock;
  #sessions = new Map<string, Session>();
  /** Handshakes under way: each may become a session. */
  #beginning = 0;
  #endSweep: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#endSweep = clock.after(SWEEP_MS, () => this.#closeIdle());
  }

  async answer(request: Request, parts: () => McpParts): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, parts());
    const session = this.#sessions.get(id);
    return session ? this.#handle(session, request) : rpcError(404, -32_001, "Session not found");
  }

  close(): void {
    this.#endSweep();
    for (const [id, session] of this.#sessions) this.#end(id, session);
  }

  async #begin(request: Request, parts: McpParts): Promise<Response> {
    // What is no handshake is only answered: nobody gives way to it.
    const places = (await isHandshake(request)) ? 1 : 0;
    if (places > 0 && !this.#hasRoom())
      return rpcError(503, -32_000, `${SESSIONS_MAX} clients are connected: close one`);
    this.#beginning += places;
    try {
      const session = await begun(parts, this.#clock.monotonic());
      const response = await this.#handle(session, request);
      this.#keep(session);
      return response;
    } finally {
      this.#beginning -= places;
    }
  }

  async #handle(session: Session, request: Request): Promise<Response> {
    session.open += 1;
    const done = () => {
      session.open -= 1;
      session.used = this.#clock.monotonic();
    };
    const response = await session.transport.handleRequest(request).catch((error: unknown) => {
      done();
      throw error;
    });
    return whenRead(response, done);
  }

  /** From the handshake on; what was none is over with its answer. */
  #keep(session: Session): void {
    const { sessionId } = session.transport;
    if (sessionId === undefined) return void session.server.close();
    this.#sessions.set(sessionId, session);
    const { onclose } = session.server.server;
    session.server.server.onclose = () => {
      onclose?.();
      session.watches.close();
      this.#sessions.delete(sessionId);
    };
  }

  /** Nobody who is connected gives way. */
  #hasRoom(): boolean {
    if (this.#sessions.size + this.#beginning < SESSIONS_MAX) return true;
    const [stalest] = this.#idle().sort(([, a], [, b]) => a.used - b.used);
    if (stalest) this.#end(...stalest);
    return stalest !== undefined;
  }

  #idle(): [string, Session][] {
    return [...this.#sessions].filter(([, { open }]) => open === 0);
  }

  /** Its place is free at once. */
  #end(id: string, { server }: Session): void {
    this.#sessions.delete(id);
    void server.close();
  }

  #closeIdle(): void {
    const since = this.#clock.monotonic() - IDLE_MS;
    for (const [id, session] of this.#idle()) if (session.used < since) this.#end(id, session);
    this.#endSweep = this.#clock.after(SWEEP_MS, () => this.#closeIdle());
  }
}

/** As the SDK sees it: one message, or a batch of one. */
async function isHandshake(request: Request): Promise<boolean> {
  if (request.method !== "POST") return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return [body].flat().some(isInitializeRequest);
}

async function begun(parts: McpParts, now: number): Promise<Session> {
  const watches: Watches = new Watches({
    client: () => parts.onlooker(),
    tell: (uri) => void server.server.sendResourceUpdated({ uri }).catch(() => undefined),
  });
  const server = mcpServer(parts, watches);
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  return { server, transport, watches, open: 0, used: now };
}

export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
