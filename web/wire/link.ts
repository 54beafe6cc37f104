// The socket of one terminal on this page, with what the page knows of its visitor.
import { terminalAddress } from "../../src/client/address.ts";
import { type StreamEvents, sendingTo, type TerminalStream } from "../../src/client/stream.ts";
import { visitor } from "./api.ts";
import { attendedStream } from "./attended.ts";

export function openLink(sessionId: string, events: StreamEvents): TerminalStream {
  const open = (query: URLSearchParams) => {
    for (const [name, value] of Object.entries(visitor())) query.set(name, value);
    // Of a program that prints more than anybody reads a person sees pictures.
    query.set("floods", "pictures");
    return new WebSocket(terminalAddress(location.origin, sessionId, query));
  };
  return attendedStream(open, events, { sending: sendingTo(sessionId) });
}
