// `duetty/client` in Node.
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
export { type ConnectOptions, connect } from "../client/node.ts";
