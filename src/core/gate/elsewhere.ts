// Whether a line that destroys does so outside of the workspace, as far as its text tells: other processes, or files by an
// absolute path. A box could only refuse it, so a person is asked about running it outside. Pure. Refuses: to decide that.
import { isInside } from "./risk/places.ts";
import type { Risk, RiskyPart } from "./risk/risk.ts";

/** They end or change processes, which a box does not see. */
const PROCESSES = new Set(["kill", "killall", "pkill", "skill", "renice", "fuser", "xkill"]);
/** They may lead anywhere, the workspace among it. */
const LEADS_ANYWHERE = /^\/(?:proc|dev)(?:\/|$)|(?:^|\/)\.\.(?:\/|$)/;

/** A path that only the home folder is missing in. */
const HOME = /^~[\w./-]*$/;

export function destroysElsewhere({ risky, normal }: Pick<Risk, "risky" | "normal">, folder: string | null): boolean {
  // Until the yes, an agent may put a link in place of something inside, and outside the box a deletion would follow it.
  return normal !== null && risky.length > 0 && risky.every((part) => isElsewhere(part, folder));
}

function isElsewhere({ rule, args }: RiskyPart, folder: string | null): boolean {
  if (PROCESSES.has(rule)) return true;
  const named = args.filter(({ text }) => text !== "" && !text.startsWith("-"));
  const outside = named.filter(
    ({ text, literal }) =>
      (literal ? /^[/~]/ : HOME).test(text) && !LEADS_ANYWHERE.test(text) && !isInside(text, folder),
  );
  return outside.length > 0 && (rule !== "rm" || outside.length === named.length);
}
