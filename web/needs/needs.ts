// What needs the person, over all sessions, as the daemon lists it. Owns: the page's copy, and where the next one is.
// Refuses: to decide what is a need.
import { createSignal } from "solid-js";
import type { Need } from "../../src/protocol/words/need.ts";
import { call, isFault } from "../wire/api.ts";

export interface NeedsStore {
  /** The oldest first. */
  all(): readonly Need[];
  of(session_id: string): Need | undefined;
  refresh(): Promise<void>;
  /** The session to go to from the shown one: of the next need in the list, and after the last of the first. */
  next(shown: string | undefined): string | undefined;
}

export function createNeeds(): NeedsStore {
  const [all, setAll] = createSignal<readonly Need[]>([]);
  let lists = 0;
  return {
    all,
    of: (id) => all().find(({ session_id }) => session_id === id),
    async refresh() {
      const list = ++lists;
      const answer = await call("needs", { hosts: "all" });
      if (!isFault(answer) && list === lists && JSON.stringify(answer.needs) !== JSON.stringify(all()))
        setAll(answer.needs);
    },
    next(shown) {
      const ids = all().flatMap(({ session_id }) => session_id ?? []);
      const here = ids.lastIndexOf(shown ?? "");
      return [...ids.slice(here + 1), ...ids].find((id) => id !== shown) ?? ids[0];
    },
  };
}
