// `duetty`: terminals in the process of whoever embeds them.
export { CallError, type CallOptions, type Client } from "../client/client.ts";
export type { Listener, ListenerOptions, Role, SharedWith } from "../embed/listener.ts";
export { openTerminals, type Terminals, type TerminalsOptions } from "../embed/terminals.ts";
