// The socket of a view, with what every view does with it: it tells how it goes, and finds out why it was refused.
import { attendedStream } from "../../../web/wire/attended.ts";
import type { CallError } from "../../client/client.ts";
import { type StreamEvents, sendingTo, type TerminalStream } from "../../client/stream.ts";
import { lostKeysWords } from "../../core/base/kept-input.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import type { ToViewer } from "../../protocol/stream.ts";
import type { LinkFacts, Wrong } from "./source.ts";
import type { ViewParts } from "./view.ts";

/** Others may pass: the daemon begins again, or the network is away. */
const FINAL = /^(?:auth\.|role\.|session\.not_found|input\.|not_found|version\.)/;

type LinkEvents = Pick<StreamEvents, "onBytes" | "onRepaint" | "onMessage"> & Partial<Pick<StreamEvents, "onPhase">>;

export function openLink(
  parts: ViewParts,
  query: Readonly<Record<string, string>>,
  events: LinkEvents,
): TerminalStream {
  let facts: LinkFacts = { phase: "connecting", state: undefined, hold: undefined, end: undefined };
  const know = (more: Partial<LinkFacts>) => {
    facts = { ...facts, ...more };
    if (!parts.signal.aborted) parts.onFacts(facts);
  };
  const open = (own: URLSearchParams) =>
    parts.source.open(parts.session, new URLSearchParams([...own, ...Object.entries(query)]));
  const refused = async () => {
    const wrong = await whyRefused(parts);
    if (!wrong || parts.signal.aborted) return;
    link.close();
    parts.onRefused(wrong);
  };
  const told: StreamEvents = {
    ...events,
    onPhase(phase) {
      events.onPhase?.(phase);
      know({ phase });
    },
    onMessage(message) {
      const facts = factsIn(message);
      if (facts) know(facts);
      if (message.type === "exit") parts.onExit({ exit_code: message.exit_code, signal: message.signal });
      if (message.type === "approval") parts.onApproval(message.approval, false);
      if (message.type === "approval_settled") parts.onApproval(message.approval, true);
      if (message.type === "notice") parts.onNotice(message.message);
      events.onMessage(message);
    },
    onRefused: () => void refused(),
    onLost: (keys) => parts.onNotice(lostKeysWords(keys, placeOf(parts.session)?.host ?? "")),
  };
  const link = attendedStream(open, told, { sending: sendingTo(parts.session) });
  return link;
}

function factsIn(message: ToViewer): Partial<LinkFacts> | undefined {
  switch (message.type) {
    case "hello":
    case "state":
      return { state: message.state };
    case "hold":
      return { hold: message.hold };
    case "exit":
      return { end: { exit_code: message.exit_code, signal: message.signal } };
    default:
      return undefined;
  }
}

/** A browser does not say why a socket was refused. A call of the same caller does. */
async function whyRefused({ source, session }: ViewParts): Promise<Wrong | undefined> {
  try {
    await source.client.pty_screen_status({ session_id: session });
    return undefined;
  } catch (error) {
    const { code = "", message, hint = "" } = error as Partial<CallError>;
    return FINAL.test(code) ? { code, message: message ?? code, hint } : undefined;
  }
}
