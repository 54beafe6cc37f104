// The terminal alone, as large as the page allows.
import { onCleanup, onMount, Show } from "solid-js";
import type { ShownSession } from "../app/shown-session.ts";

export function PlainTerminal(props: { shown: ShownSession }) {
  const { live } = props.shown;
  let slot: HTMLDivElement | undefined;
  onMount(() => {
    if (!slot) return;
    live.place(slot, "whole");
    // Also beside the screen, where it is smaller than the page.
    slot.addEventListener("click", () => live.terminal.focus());
    if (!(document.activeElement instanceof HTMLInputElement)) live.terminal.focus();
    onCleanup(() => live.park());
  });
  return (
    <section class="stage" aria-label="Terminal" data-nudged={live.nudged()}>
      <div class="slot" ref={slot} />
      <Show when={!live.facts.painted && live.facts.phase !== "reconnecting"}>
        <p class="veil" role="status">
          Connecting…
        </p>
      </Show>
    </section>
  );
}
