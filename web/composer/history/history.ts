// What the prompt does with past commands: it suggests one, searches them, and goes back through them.
import type { ShownSession } from "../../app/page-state.ts";
import type { Mode } from "../../approvals/control.ts";
import { visitor } from "../../wire/api.ts";
import { meaningOf } from "../words.ts";
import type { Writing } from "../writing.ts";
import { createRecall } from "./recall.ts";
import { createHistorySearch, type HistorySearch } from "./search.ts";
import { createSuggestion, type Suggestion } from "./suggestion.ts";

export interface History {
  readonly search: HistorySearch;
  readonly suggestion: Suggestion;
  /** Takes over what is suggested, or one word of it. False: nothing is. */
  take(what: "all" | "word"): boolean;
  /** True when there was a past command to show. */
  recall(by: "older" | "newer"): boolean;
  /** A person wrote another text. */
  wrote(): void;
  /** The text goes. */
  leave(): void;
}

/** `isListing`: another list is open. */
export function createHistory(
  { id, control }: ShownSession,
  { written, put }: Writing,
  mode: () => Mode,
  isListing: () => boolean,
): History {
  const recall = createRecall(id, put);
  const search = createHistorySearch(id, written, put);

  /** A command, and nothing secret about: who masks secrets shows their screen to others. */
  function mayShow(text: string): boolean {
    if (search.past() || isListing() || visitor().masked || control.facts.waiting?.kind === "password") return false;
    return mode() !== "agent" && meaningOf(text, mode()).do === "run";
  }
  const suggestion = createSuggestion(id, written, mayShow);
  return {
    search,
    suggestion,
    take(what) {
      const more = what === "all" ? suggestion.rest() : suggestion.word();
      if (more !== "") put(written().text + more);
      return more !== "";
    },
    recall: (by) => recall.go(by, written().text),
    wrote: recall.leave,
    leave() {
      search.close();
      recall.leave();
    },
  };
}
