// The terminal alone, as large as the page allows.
import { onCleanup, onMount, Show } from "solid-js";
import { isWriting } from "../widgets/keys.ts";
import type { Live } from "./live.ts";

export function PlainTerminal(props: { live: Live; isHere?: boolean }) {
  const { live } = props;
  let slot: HTMLDivElement | undefined;
  onMount(() => {
    if (!slot) return;
    live.place(slot, "whole");
    // Also beside the screen, where it is smaller than the page.
    slot.addEventListener("click", () => live.terminal.focus());
    if (props.isHere !== false && !isWriting()) live.terminal.focus();
    onCleanup(() => live.park());
  });
  return (
    <section class="stage" aria-label="Terminal" data-nudged={live.facts.nudged}>
      <div class="slot" ref={slot} />
      <Show when={!live.facts.painted && live.facts.phase !== "reconnecting"}>
        <p class="veil" role="status">
          Connecting…
        </p>
      </Show>
    </section>
  );
}
