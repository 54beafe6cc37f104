// Which commands the transcript shows.
import { For } from "solid-js";
import type { ShownSession } from "../app/page-state.ts";
import type { Filter } from "./listing.ts";

const FILTERS: readonly { readonly filter: Filter; readonly word: string }[] = [
  { filter: "all", word: "All" },
  { filter: "failed", word: "Failed" },
  { filter: "you", word: "Yours" },
  { filter: "agent", word: "By agents" },
];

export function Filters(props: { shown: ShownSession }) {
  const shown = () => props.shown.transcript.shown().filter;
  return (
    <fieldset class="filters" data-filter={shown()}>
      <legend>Commands shown</legend>
      <For each={FILTERS}>
        {({ filter, word }) => (
          <button
            type="button"
            aria-pressed={shown() === filter}
            onClick={() => props.shown.transcript.setFilter(filter)}
          >
            {word}
          </button>
        )}
      </For>
    </fieldset>
  );
}
