// Where a line's folder and words really lead. A person says yes to names, and whoever may write the workspace can put a link in
// place of one. Owns: nothing. Refuses: to understand the line; every word of it counts as a path.
import fs from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";

/** A longer line names nothing that a person would compare. Its first words count. */
const WORDS_MAX = 200;
/** Nobody in a box writes there, and systems have links of their own in them. */
const SYSTEM = /^\/(?:bin|dev|etc|lib\w*|opt|proc|run|sbin|sys|usr|var)(?:\/|$)/;

interface Ways {
  readonly folder: string;
  readonly links: readonly { readonly word: string; readonly to: string }[];
}

export function waysOf(cwd: string, text: string): Ways {
  const folder = reallyAt(cwd);
  const words = [...new Set(text.match(/[^\s;|&<>()'"`$={},:*?[\]\\]+/g) ?? [])].slice(0, WORDS_MAX);
  const links = words.flatMap((word) => {
    const path = word.replace(/^~(?=\/|$)/, homedir());
    if (SYSTEM.test(path)) return [];
    const to = reallyAt(path.startsWith("/") ? path : `${folder}/${path}`);
    return to === resolve(folder, path) ? [] : [{ word, to }];
  });
  return { folder, links };
}

/** Whether nothing has this name yet, not even a link that leads nowhere. */
export function isFree(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Not ours to look at, or no name at all.
    return false;
  }
}

/** As the kernel would find it. What does not exist yet has its place in what does. */
function reallyAt(path: string): string {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = existing(at);
    if (real !== undefined) return resolve(real, ...rest);
    if (at === dirname(at)) return path;
    rest.unshift(at.slice(dirname(at).length).replace(/^\//, ""));
  }
}

function existing(path: string): string | undefined {
  try {
    return fs.realpathSync.native(path);
  } catch {
    // Missing, or not ours to enter. A link that leads to nothing is followed when it leads somewhere.
    return danglingTarget(path);
  }
}

function danglingTarget(path: string): string | undefined {
  try {
    return resolve(dirname(path), fs.readlinkSync(path));
  } catch {
    return undefined;
  }
}
