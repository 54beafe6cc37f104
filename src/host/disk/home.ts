// Makes the folders of duetty's home, private to their owner.
import type { Home } from "../../protocol/plain/home.ts";
import { privateFolder } from "./private.ts";

/** A unix socket's path is limited to 107 bytes on Linux and 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103;

export function prepareHome(home: Home): void {
  for (const dir of [home.dir, home.run, home.sessions]) privateFolder(dir);
  if (Buffer.byteLength(home.holderSocket) > SOCKET_PATH_BYTES_MAX) {
    throw new Error(`DUETTY_HOME is too long for a unix socket (${home.holderSocket}); choose a shorter folder`);
  }
}
