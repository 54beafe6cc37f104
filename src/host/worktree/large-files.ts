// Files that git LFS keeps elsewhere: the repository has a pointer with the hash of the content. We compare that ourselves,
// because git would start a program for it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { utf8 } from "./repository.ts";
import type { View } from "./view.ts";

const POINTER_BYTES_MAX = 1_024;

/** Tells of files that seem changed whether they have the content that the pointer names. */
export async function isStoredElsewhere(
  { git }: View,
  index: string | undefined,
  changed: readonly string[],
): Promise<(path: string) => boolean> {
  if (index === undefined || changed.length === 0) return () => false;
  const stdin = changed.map((path) => `${path}\0`).join("");
  const attributes = await git.list(["check-attr", "-z", "--stdin", "filter"], { index, stdin });
  const large = attributes.flatMap((value, i) => (i % 3 === 2 && value === "lfs" ? [attributes[i - 2] ?? ""] : []));
  const same = new Set<string>();
  for (const path of large) {
    const blob = await git.text(["cat-file", "blob", `:${utf8(path)}`], {
      index,
      bytesMax: POINTER_BYTES_MAX,
      ok: [0, 128],
    });
    const [, hash] = /^version https:\/\/git-lfs.*?\noid sha256:([0-9a-f]{64})\n/s.exec(blob) ?? [];
    const file = join(git.workspace, utf8(path));
    if (hash !== undefined && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() && (await hashOf(file)) === hash)
      same.add(path);
  }
  return (path) => same.has(path);
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  const handle = await fs.promises.open(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  await pipeline(handle.createReadStream(), hash);
  return hash.digest("hex");
}
