// The client behind a request: its name, and whether it can ask its person. In revision 2026 every request says so
// itself; before, the handshake did.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { agentNameFrom } from "../protocol/plain/agent-name.ts";
import type { McpParts } from "./parts.ts";
import type { Reader } from "./results.ts";

interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: Implementation;
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

export interface Peer {
  readonly name: string;
  readonly elicits: boolean;
  readonly reader: Reader;
}

/** Clients that give their model the structured content instead of the text, where there is both. */
const STRUCTURED_ONLY = /^(?:claude-code|codex-mcp-client|Visual Studio Code.*)$/;

export function peerOf(ctx: ServerContext, { server }: McpServer, parts: Pick<McpParts, "name" | "textOnly">): Peer {
  // The SDK's type names no keys, but the SDK has checked them.
  const envelope = (ctx.mcpReq.envelope ?? {}) as Envelope;
  const info = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const can = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const reader = parts.textOnly || STRUCTURED_ONLY.test(info?.name ?? "") ? "model" : "program";
  return { name: parts.name ?? agentNameFrom(info?.name), elicits: asksForms(can), reader };
}

/** In older revisions elicitation had no kinds and always meant forms. */
function asksForms(can: ClientCapabilities | undefined): boolean {
  const elicitation = can?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
