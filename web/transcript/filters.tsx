// Which commands the transcript shows.
import { For } from "solid-js";
import type { Work } from "../app/shown-session.ts";
import type { Filter } from "./listing.ts";

const FILTERS: readonly { readonly filter: Filter; readonly word: string }[] = [
  { filter: "all", word: "All" },
  { filter: "failed", word: "Failed" },
  { filter: "you", word: "You" },
  { filter: "agent", word: "Agent" },
];

export function Filters(props: { work: Work }) {
  const shown = () => props.work.transcript.shown().filter;
  return (
    <fieldset class="filters" data-filter={shown()}>
      <legend>Commands shown</legend>
      <For each={FILTERS}>
        {({ filter, word }) => (
          <button
            type="button"
            aria-pressed={shown() === filter}
            onClick={() => props.work.transcript.setFilter(filter)}
          >
            {word}
          </button>
        )}
      </For>
    </fieldset>
  );
}
