// MCP over standard input and output: a thin shim to the daemon. Starts nothing until a tool is called; ends with its
// input and leaves nothing behind. Standard output carries the protocol and nothing else.
import type { McpServer, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { Listeners } from "./listeners.ts";
import type { McpParts } from "./parts.ts";
import { mcpServer } from "./server.ts";
import { Watches } from "./watches.ts";

/** Runs until the client closes its end. */
export function serveOverStdio(parts: McpParts): Promise<void> {
  return new Promise((resolve) => {
    let current: McpServer | undefined;
    const tell = (uri: string) => {
      current?.server.sendResourceUpdated({ uri }).catch(() => undefined);
    };
    const watches = new Watches({ client: () => parts.onlooker(), tell });
    const over = () => {
      watches.close();
      resolve();
    };
    const build = () => {
      current = mcpServer(parts, watches);
      return current;
    };
    serveStdio(build, {
      transport: tapped(new Listeners(watches), over),
      onerror: (error) => console.error(error.message),
    });
  });
}

/** The transport with a listener on it, because the SDK does not tell us what clients of revision 2026 listen to. */
function tapped(listeners: Listeners, over: () => void): Transport {
  const wire = new StdioServerTransport();
  const tap: Transport = {
    start: () => wire.start(),
    send: (message) => wire.send(message),
    close: () => wire.close(),
  };
  wire.onmessage = (message) => {
    listeners.onMessage(message);
    tap.onmessage?.(message);
  };
  wire.onerror = (error) => tap.onerror?.(error);
  wire.onclose = () => {
    tap.onclose?.();
    over();
  };
  return tap;
}
