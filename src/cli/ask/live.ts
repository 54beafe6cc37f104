// Words while they are being said: only whoever watches a session hears them, so `duetty ask` watches it too while a
// person looks. Owns: one socket. Refuses: to matter; without it the words come when they are whole.
import { WebSocket } from "ws";
import type { Identity } from "../../client/local.ts";
import type { AgentEvent } from "../../protocol/ops/agent.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { ToViewer } from "../../protocol/stream.ts";

export function listen(
  home: Home,
  { token }: Identity,
  session_id: string,
  onChunk: (chunk: Extract<AgentEvent, { type: "chunk" }>) => void,
): () => void {
  // A composed view gets the least; looking starts no program.
  const query = "view=composed&role=watch&start=later";
  const socket = new WebSocket(`ws+unix://${home.daemonSocket}:/v1/sessions/${session_id}/terminal?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ToViewer;
    if (message.type === "agent" && message.event.type === "chunk") onChunk(message.event);
  });
  // Whether the daemon is there is told by the calls that matter.
  socket.on("error", () => socket.terminate());
  return () => socket.terminate();
}
