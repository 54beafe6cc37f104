// Engine states on disk, one compressed file per cursor. It is a cache: a missing or damaged file counts as absent.
import fs from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";

const compress = promisify(deflate);
const expand = promisify(inflate);
/** The fastest level: a state of 300 KB becomes 30 KB in 1.4 ms, off the event loop. */
const LEVEL = 1;
/** Large enough for a whole state, because each smaller piece would cost a turn of the event loop. */
const CHUNK_BYTES = 1 << 20;

export function keyframeCursors(dir: string): number[] {
  if (!fs.existsSync(dir)) return [];
  const names = fs.readdirSync(dir).flatMap((name) => /^(\d+)\.z$/.exec(name)?.[1] ?? []);
  return names.map(Number).sort((a, b) => a - b);
}

export async function readKeyframe(dir: string, cursor: number): Promise<Uint8Array | undefined> {
  try {
    return await expand(await readFile(join(dir, `${cursor}.z`)));
  } catch {
    // Deleted or damaged: the journal has everything it had.
    return undefined;
  }
}

export function writeKeyframe(dir: string, cursor: number, state: Uint8Array): void {
  const store = async () => {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, `${cursor}.z`);
    await writeFile(`${path}.new`, await compress(state, { level: LEVEL, chunkSize: CHUNK_BYTES }), { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  // The disk is full or the session was deleted. The next state may succeed.
  store().catch(() => undefined);
}
