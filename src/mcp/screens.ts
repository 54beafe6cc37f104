// Each session's screen as a resource, with updates for subscribers. The text is the same as in pty_read_screen.
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { CallError, isAbsent } from "../client/client.ts";
import { withinBudget } from "./budget.ts";
import { newFence } from "./fence.ts";
import type { McpParts } from "./parts.ts";
import { peerOf } from "./peer.ts";
import { textOf } from "./texts.ts";
import { screenUri, sessionIn, type Watches } from "./watches.ts";

const MIME = "text/plain";

export function offerScreens(server: McpServer, parts: McpParts, watches: Watches): void {
  // A name with a slash is a session on another machine.
  const name = parts.machines === "several" ? "{+session_id}" : "{session_id}";
  const template = new ResourceTemplate(`terminal://${name}/screen`, { list: () => listed(parts) });
  const about = { title: "Terminal screen", description: "What a session shows now, as text.", mimeType: MIME };
  server.registerResource("screen", template, about, (uri, _, ctx) => read(uri, ctx, server, parts));
  // Clients of revision 2026 listen instead, and the transport knows which ones do.
  server.server.setRequestHandler("resources/subscribe", async ({ params }) => {
    // A client may subscribe to a session that does not exist yet. It hears nothing until then.
    watches.add([params.uri], server);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
    watches.remove([params.uri], server);
    return {};
  });
}

/** Without a daemon there are no sessions, and listing them is no reason to start one. */
async function listed(parts: McpParts) {
  const { sessions } = await parts
    .onlooker()
    .pty_list({ all: false, ...(parts.machines === "several" && { hosts: "all" as const }) })
    .catch((error: unknown) => {
      if (isAbsent(error)) return { sessions: [] };
      throw error;
    });
  const resources = sessions.map(({ session_id, name, command }) => ({
    uri: screenUri(session_id),
    name: name ?? session_id,
    description: command.join(" ").slice(0, 200),
    mimeType: MIME,
  }));
  return { resources };
}

async function read(uri: URL, ctx: ServerContext, server: McpServer, parts: McpParts) {
  const session_id = sessionIn(uri.href);
  if (session_id === undefined) throw new ResourceNotFoundError(uri.href);
  const agent = parts.agent(peerOf(ctx, server, parts).name);
  const screen = await agent.pty_read_screen({ session_id }, { signal: ctx.mcpReq.signal }).catch((error: unknown) => {
    if (error instanceof CallError && error.code.startsWith("session.")) throw new ResourceNotFoundError(uri.href);
    throw error;
  });
  const fence = newFence();
  const { text } = withinBudget(screen, (cut) => textOf("pty_read_screen", cut, fence));
  return { contents: [{ uri: uri.href, mimeType: MIME, text }] };
}
