// What came in by passes and cookies and is open now: sockets, and calls that wait. Owns: how each is ended when its pass is.
import { type Fault, fault } from "../../core/base/fault.ts";

/** Of one pass: a few people with a few windows each. */
const VISITS_MAX = 64;
/** Begins the name of what the owner's browsers come by. They have no limit of their own: nobody locks the owner out. */
export const BROWSER = "browser";

export class Visits {
  #open = new Map<string, Set<() => void>>();

  count(pass_id: string): number {
    return this.#open.get(pass_id)?.size ?? 0;
  }

  /** Returns what to call at its end. `end`: the pass is over. */
  begin(pass_id: string, end: () => void): (() => void) | Fault {
    const open = this.#open.get(pass_id) ?? new Set();
    if (open.size >= VISITS_MAX && !pass_id.startsWith(BROWSER))
      return fault(
        "auth.too_many",
        `${VISITS_MAX} pages and calls are open by this link or device`,
        "Close one of them.",
      );
    const visit = () => end();
    this.#open.set(pass_id, open.add(visit));
    return () => {
      open.delete(visit);
      if (open.size === 0) this.#open.delete(pass_id);
    };
  }

  /** Ends all that came by it; how many. */
  end(pass_id: string): number {
    const open = [...(this.#open.get(pass_id) ?? [])];
    for (const end of open) end();
    return open.length;
  }
}
