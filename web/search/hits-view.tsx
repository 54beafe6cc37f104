// The list of what was found, by session.
import { createEffect, For, on, Show } from "solid-js";
import { HostPill } from "../hosts/pill.tsx";
import { timeOfDay } from "../text/numbers.ts";
import type { Hit } from "./hits.ts";

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly at: number;
  onPoint(at: number): void;
  onChoose(at: number): void;
}

export function SearchHits(props: HitsProps) {
  let list: HTMLDivElement | undefined;
  createEffect(
    on(
      () => props.at,
      (at) => list?.querySelector(`#hit-${at}`)?.scrollIntoView({ block: "nearest" }),
    ),
  );
  return (
    <div class="list" id="search-list" role="listbox" aria-label="Found" ref={list}>
      <For each={props.hits}>
        {(hit, i) => (
          <>
            <Show when={props.hits[i() - 1]?.session_id !== hit.session_id}>
              <div class="group" role="presentation">
                <HostPill of={hit.session_id} />
                {hit.session}
              </div>
            </Show>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the field's */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the field names the active one */}
            <div
              class="entry hit"
              role="option"
              id={`hit-${i()}`}
              aria-selected={props.at === i()}
              onPointerMove={() => props.at !== i() && props.onPoint(i())}
              onClick={() => props.onChoose(i())}
            >
              <code class="title">
                {hit.text.slice(0, hit.from)}
                <mark>{hit.text.slice(hit.from, hit.to)}</mark>
                {hit.text.slice(hit.to)}
              </code>
              <small>
                <Show when={hit.command}>{(command) => <span class="cmd">{command()}</span>}</Show>
                <Show when={hit.ts}>{(ts) => <time>{timeOfDay(ts())}</time>}</Show>
              </small>
            </div>
          </>
        )}
      </For>
    </div>
  );
}
