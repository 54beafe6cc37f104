// When a restore point is due. Pure.

/** A workspace where two looks in a row took too long is left in peace for this long. */
const PAUSE_MS = 600_000;
/** Keys come one by one. A look at the files costs tens of milliseconds, so keys share one look for this long. */
const KEYS_GAP_MS = 2_000;

/** Programs that never write a file, with any arguments that the classifier calls safe. */
const READERS = new Set(
  "ls dir cat head tail tac nl wc stat du df pwd basename dirname realpath readlink cksum md5sum sha1sum sha256sum file tree grep egrep fgrep rg fd cut tr sort uniq diff cmp comm column rev jq echo printf true false test [ cd which type git date whoami id uname ps uptime free hostname".split(
    " ",
  ),
);

/** How the last looks at a workspace went. */
export interface Looks {
  /** When the last one ended. */
  readonly endedAt: number;
  /** How many in a row took too long. */
  readonly late: number;
  /** One that took too long still goes on. */
  readonly goesOn: boolean;
}

/** Whether to look now, or why not. "shared": the last look is good enough. */
export function isDue(input: "line" | "keys", looks: Looks, now: number): "now" | "shared" | { readonly skip: string } {
  if (input === "keys" && now - looks.endedAt < KEYS_GAP_MS) return "shared";
  if (looks.goesOn) return { skip: "the files are still being read for the first time, or very many changed" };
  if (looks.late > 1 && now - looks.endedAt < PAUSE_MS)
    return { skip: "reading the files takes too long here; it is tried again every ten minutes" };
  return "now";
}

/** Whether a line may change files. Only one that is safe and made of readers may not. */
export function mayWrite(line: { readonly rule: string; readonly names: readonly string[] }): boolean {
  return line.rule !== "class.safe" || line.names.length === 0 || line.names.some((name) => !READERS.has(name));
}
