// Whether a line that destroys does so outside of the workspace, as far as its text tells: other processes, or files by an
// absolute path. A box could only refuse it, so a person is asked about running it outside. And whether it destroys nothing in a
// box. Pure. Refuses: to decide that.
import { isInside } from "../risk/places.ts";
import type { Risk, RiskyPart } from "../risk/risk.ts";
import { movesIn } from "./moves.ts";

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

/**
 * All that it is thought to destroy are redirections that make new files of the workspace, or add to its files. Without a box
 * such a name may be a link to anything.
 */
export function onlyAdds(
  text: string,
  { kind, risky, possible }: Pick<Risk, "kind" | "risky" | "possible">,
  folder: string,
  isFree: (path: string) => boolean,
): boolean {
  if (kind !== "destructive" || risky.length === 0 || movesIn(text, possible)) return false;
  return risky.every(({ rule, args: [target] }) => {
    if (!target?.literal || !isInside(target.text, folder)) return false;
    const path = target.text.startsWith("/") ? target.text : `${folder}/${target.text}`;
    return rule === "redirect.append" || (rule === "redirect.write" && isFree(path));
  });
}
