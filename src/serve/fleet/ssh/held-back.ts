// A socket whose messages come no faster than they go on.
import type { WebSocket } from "ws";
import type { SocketLike } from "../../../client/connection.ts";
import type { FarSocket } from "../remote-host.ts";

/** What its terminal may be ahead of whoever looks, as in a fleet: a viewer's own window. */
const HELD_BYTES_MAX = 512 << 10;

/** It stops reading while so much of it has not gone on. */
export function heldBack(socket: WebSocket): FarSocket {
  let held = 0;
  socket.on("message", (data: Buffer) => {
    held += data.length;
    if (held > HELD_BYTES_MAX) socket.pause();
  });
  const taken = (bytes: number) => {
    held -= bytes;
    if (held <= HELD_BYTES_MAX) socket.resume();
  };
  return Object.assign(socket as unknown as SocketLike, { taken });
}
