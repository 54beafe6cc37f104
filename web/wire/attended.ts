// A terminal's stream in a page that somebody may look at: it says whether anybody does, and connects at once when the network or
// the person is back.
import type { SocketLike } from "../../src/client/connection.ts";
import { type StreamEvents, type StreamOptions, TerminalStream } from "../../src/client/stream.ts";

export function attendedStream(
  open: (query: URLSearchParams) => SocketLike,
  events: StreamEvents,
  options?: StreamOptions,
): TerminalStream {
  const leave = new AbortController();
  const tell = () => link.send({ type: "visible", visible: !document.hidden });
  const onPhase: StreamEvents["onPhase"] = (phase) => {
    events.onPhase(phase);
    if (phase === "closed") leave.abort();
    if (phase === "open" && document.hidden) tell();
  };
  const link = new TerminalStream(open, { ...events, onPhase }, options);
  const { signal } = leave;
  window.addEventListener("online", () => link.hurry(), { signal });
  const seen = () => {
    if (!document.hidden) link.hurry();
    tell();
  };
  document.addEventListener("visibilitychange", seen, { signal });
  return link;
}
