// One text of a question: what would be run, or what it would read. A long one scrolls inside the card. Our marks stand out.
import { For, Show } from "solid-js";
import type { Seen } from "./seen.ts";

const MARKS = /(⟦[^⟧]*⟧)/u;

/** Needs more than one line on a phone. */
const isLong = (text: string) => text.length > 40 || text.includes("\n");

export function AskedText(props: { seen: Seen; text: string; name: string; class: string }) {
  const pieces = () => props.text.split(MARKS);
  const end = (name: string) => (el: HTMLElement) => props.seen.watch(el, `${name} of ${props.name}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a text with a name, which keys can scroll
    <pre class={props.class} role="group" aria-label={props.name} tabindex={0} data-long={isLong(props.text)}>
      <i class="end" ref={end("the beginning")} />
      <For each={pieces()}>
        {(piece, i) => (
          <Show when={i() % 2 === 1} fallback={piece}>
            <mark>{piece}</mark>
          </Show>
        )}
      </For>
      <i class="end" ref={end("the end")} />
    </pre>
  );
}
