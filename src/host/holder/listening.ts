// Whether somebody listens on a unix socket: a file alone proves nothing.
import { connect } from "node:net";

export function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
