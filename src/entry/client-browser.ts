// `duetty/client` in browsers.

export { type ConnectOptions, connect } from "../client/browser.ts";
export { CallError, type CallOptions, type Client } from "../client/client.ts";
export type {
  AttachEvent,
  Attachment,
  AttachOptions,
  Connection,
  DeltaOptions,
  StreamPhase,
  Streams,
} from "../client/connection.ts";
