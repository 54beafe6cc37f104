// Whether a line that destroys does so outside of the workspace, as far as its text tells: other processes, or files by an
// absolute path. A box could only refuse it, so a person is asked about running it outside. Pure. Refuses: to decide that.
import type { Reason } from "../../protocol/ops/gate.ts";
import { isInside } from "./risk/places.ts";
import type { Risk } from "./risk/risk.ts";

/** They end or change processes, which a box does not see. */
const PROCESSES = new Set(["kill", "killall", "pkill", "skill", "renice", "fuser", "xkill"]);
/** They may lead anywhere, the workspace among it. */
const LEADS_ANYWHERE = /^\/(?:proc|dev)(?:\/|$)|(?:^|\/)\.\.(?:\/|$)/;

export function destroysElsewhere(
  { reasons, normal }: Pick<Risk, "reasons" | "normal">,
  folder: string | null,
): boolean {
  const destroying = reasons.filter((reason) => reason.class === "risky");
  // Until the yes, an agent may put a link in place of something inside, and outside the box a deletion would follow it.
  return normal !== null && destroying.length > 0 && destroying.every((reason) => isElsewhere(reason, folder));
}

function isElsewhere({ rule, part }: Reason, folder: string | null): boolean {
  if (PROCESSES.has(rule)) return true;
  const [, ...words] = part.split(/\s+/);
  const named = words.filter((word) => word !== "" && !word.startsWith("-"));
  const outside = named.filter((word) => /^[/~]/.test(word) && !LEADS_ANYWHERE.test(word) && !isInside(word, folder));
  return outside.length > 0 && (rule !== "rm" || outside.length === named.length);
}
