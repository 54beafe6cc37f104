// An agent's words while it writes them. Only viewers of a session get them, so `duetty ask` is a viewer too while a
// person watches. Owns: one socket. It is optional: without it the words come as whole messages.
import { WebSocket } from "ws";
import type { Identity } from "../../client/http.ts";
import type { AgentEvent } from "../../protocol/ops/agent.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { ToViewer } from "../../protocol/stream.ts";

export function listen(
  home: Home,
  { token }: Identity,
  session_id: string,
  onChunk: (chunk: Extract<AgentEvent, { type: "chunk" }>) => void,
): () => void {
  // A composed view gets the least data, and watching starts no program.
  const query = "view=composed&role=watch&start=later";
  const socket = new WebSocket(
    `ws+unix://${home.daemonSocket}:/v1/sessions/${encodeURIComponent(session_id)}/terminal?${query}`,
    {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    },
  );
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ToViewer;
    if (message.type === "agent" && message.event.type === "chunk") onChunk(message.event);
  });
  // Other calls report whether the daemon is there.
  socket.on("error", () => socket.terminate());
  return () => socket.terminate();
}
