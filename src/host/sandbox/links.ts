// What stands at a path, and where it leads. An agent may have laid a link in its place. Refuses: to change anything.
import fs from "node:fs";

/** What stands there itself: of a link, the link. Undefined: nothing. */
export function standing(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

/** Where it really is, all links followed. Undefined: they lead to nothing. */
export function realPath(path: string): string | undefined {
  // Most of what is looked for is missing, and to throw takes longer than to look.
  if (!fs.existsSync(path)) return undefined;
  try {
    return fs.realpathSync.native(path);
  } catch {
    // Gone just now, or not ours to enter: then nobody in the box can, either.
    return undefined;
  }
}
