// What a session's shell has written of its state: variables with their values, functions, aliases. It lies on the disk only
// until it is read here.
import fs from "node:fs";
import { join } from "node:path";

/** In the shell's own folder, written by the scripts in shell/. */
export const STATE_FILE = "state";

/** A shell with bash-completion has 100 KB, one with every plugin that there is a few MB. */
const STATE_BYTES_MAX = 8 << 20;

/** Null: there is none, or too much. The file stays, empty: in a box it is a place of its own, which must not move. */
export function takeState(dir: string): string | null {
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(join(dir, STATE_FILE), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // ENOENT: never written, or the session is gone. ELOOP: not the shell's doing.
    return null;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile() || stat.size === 0) return null;
    const text = stat.size > STATE_BYTES_MAX ? null : fs.readFileSync(fd, "utf8");
    fs.ftruncateSync(fd, 0);
    return text;
  } finally {
    fs.closeSync(fd);
  }
}
