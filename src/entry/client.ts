// `duetty/client` in Node.
export { CallError } from "../client/client.ts";
export type { Connection } from "../client/connection.ts";
