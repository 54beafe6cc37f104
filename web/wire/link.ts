// The socket of one terminal on this page: the client's stream, with what a page knows. It says whether anybody sees it, and connects
// at once when the network or the person is back.
import { type StreamEvents, TerminalStream, terminalAddress } from "../../src/client/stream.ts";
import { visitor } from "./api.ts";

export function openLink(sessionId: string, events: StreamEvents): TerminalStream {
  const leave = new AbortController();
  const tell = () => link.send({ type: "visible", visible: !document.hidden });
  const onPhase: StreamEvents["onPhase"] = (phase) => {
    events.onPhase(phase);
    if (phase === "closed") leave.abort();
    if (phase === "open" && document.hidden) tell();
  };
  const open = (query: URLSearchParams) => {
    for (const [name, value] of Object.entries(visitor())) query.set(name, value);
    return new WebSocket(terminalAddress(location.origin, sessionId, query));
  };
  const link = new TerminalStream(open, { ...events, onPhase });
  const { signal } = leave;
  window.addEventListener("online", () => link.hurry(), { signal });
  const seen = () => {
    if (!document.hidden) link.hurry();
    tell();
  };
  document.addEventListener("visibilitychange", seen, { signal });
  return link;
}
