// The terminal alone, as large as the page allows.
import { onCleanup, onMount, Show } from "solid-js";
import { isWriting } from "../widgets/keys.ts";
import type { Live } from "./live.ts";
import type { LiveFacts } from "./live-facts.ts";

/** `name`: where there are several. `host`: its machine, where it is another one. */
export function PlainTerminal(props: { live: Live; name?: string; isHere?: boolean; host?: string | undefined }) {
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
  const veil = () => veilWords(live.facts, props.host);
  return (
    <section class="stage" aria-label={props.name ?? "Terminal"} data-nudged={live.facts.nudged}>
      <div class="slot" ref={slot} />
      <Show when={veil()}>
        {(words) => (
          <p class="veil" role="status">
            {words()}
          </p>
        )}
      </Show>
    </section>
  );
}

/** Why nothing is to be seen yet. */
function veilWords({ painted, phase, cursor }: LiveFacts, host: string | undefined): string | undefined {
  if (painted) return cursor === 0 ? "Nothing was printed yet." : undefined;
  if (phase !== "reconnecting") return host === undefined ? "Connecting…" : `Connecting to ${host}…`;
  return host === undefined ? undefined : `Its screen is shown when ${host} is back.`;
}
