// Reads a key from a file (config: agent.key_file). Refuses: folders, pipes, and files too large to be a key.
import fs from "node:fs";

/** The longest keys in use are tokens of about 2 KiB. */
const KEY_FILE_BYTES_MAX = 16 << 10;

/** Undefined when the file is missing, unreadable or not a key. */
export function readKeyFile(path: string): string | undefined {
  try {
    const stat = fs.statSync(path);
    // Opening a pipe would wait for a writer that may never come.
    if (!stat.isFile() || stat.size > KEY_FILE_BYTES_MAX) return undefined;
    return fs.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
