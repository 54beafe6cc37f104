// What the disk has given to the files below a folder. Follows no link: an agent writes in folders of its session, and one link to the
// root would make us read the whole disk.
import fs from "node:fs";
import { join } from "node:path";

const BLOCK_BYTES = 512;
/** A look takes 10 µs for each, and everybody waits meanwhile. What is beyond is not counted. */
const ENTRIES_MAX = 20_000;

/** One that vanishes meanwhile counts nothing. */
export function diskUse(folder: string): number {
  const queue = [folder];
  let [blocks, entries] = [0, 0];
  for (let at = 0; at < queue.length && entries < ENTRIES_MAX; at += 1) {
    const inside = queue[at] ?? "";
    for (const entry of entriesOf(inside)) {
      const path = join(inside, entry.name);
      entries += 1;
      if (entry.isDirectory()) queue.push(path);
      blocks += fs.lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0;
      if (entries >= ENTRIES_MAX) break;
    }
  }
  return blocks * BLOCK_BYTES;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // It is gone, or closed to us.
    return [];
  }
}
