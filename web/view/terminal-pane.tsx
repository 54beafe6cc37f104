// The live terminal of one session with its header and banners. Made anew for every session, so one stream exists.
import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import type { SessionInfo } from "../../src/protocol/session.ts";
import type { Theme } from "../state/appearance.ts";
import { Live } from "../state/live.ts";
import { isOver } from "../state/words.ts";
import { EndedBanner, OfflineBanner } from "./banners.tsx";
import { Crumb } from "./crumb.tsx";
import { TouchKeys } from "./touch-keys.tsx";

export interface TerminalPaneProps {
  readonly id: string;
  readonly info: SessionInfo | undefined;
  readonly theme: Theme;
  onLive(live: Live | undefined): void;
  onNotice(message: string): void;
  onStale(): void;
  onNew(): void;
}

/** A phone watches: its size would damage what everybody else sees. */
const SMALL = "(max-width: 699px)";

export function TerminalPane(props: TerminalPaneProps) {
  const [live, setLive] = createSignal<Live>();
  let host: HTMLDivElement | undefined;

  onMount(() => {
    if (!host) return;
    const small = window.matchMedia(SMALL).matches;
    const made = new Live(props.id, host, small ? "watch" : "follow", {
      notice: (message) => props.onNotice(message),
      stale: () => props.onStale(),
    });
    setLive(made);
    props.onLive(made);
    if (!small && !(document.activeElement instanceof HTMLInputElement)) made.terminal.focus();
    // Also beside the screen, where it is smaller than the page.
    host.addEventListener("click", () => made.terminal.focus());
    onCleanup(() => {
      props.onLive(undefined);
      made.dispose();
    });
  });
  // The style sheet has the new colours only after the attribute is set.
  createEffect(
    on(
      () => props.theme,
      () => queueMicrotask(() => live()?.terminal.retheme()),
      { defer: true },
    ),
  );

  const state = () => live()?.facts.state ?? props.info?.state;
  const over = () => {
    const now = state();
    return now !== undefined && isOver(now);
  };
  return (
    <>
      <Show when={props.info}>{(info) => <Crumb info={info()} live={live()} />}</Show>
      <section class="stage" aria-label="Terminal" data-nudged={live()?.nudged() ?? false}>
        <div class="host" ref={host} />
        <Show when={live()?.facts.painted === false && live()?.facts.phase !== "reconnecting"}>
          <p class="veil" role="status">
            Connecting…
          </p>
        </Show>
        <Show when={live()?.facts.phase === "reconnecting"}>
          <OfflineBanner nudged={live()?.nudged() ?? false} />
        </Show>
      </section>
      <Show when={over()}>
        <EndedBanner end={live()?.facts.end ?? props.info} nudged={live()?.nudged() ?? false} onNew={props.onNew} />
      </Show>
      <Show when={!over() && live()}>{(made) => <TouchKeys live={made()} />}</Show>
    </>
  );
}
