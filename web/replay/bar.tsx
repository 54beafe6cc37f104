// A small bar with the scrubber and a few buttons beside the live session. Using it opens the replay.
import { createEffect, on, onCleanup, onMount, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { elapsedWord, timeOfDay } from "../text/numbers.ts";
import { pressed } from "./keys.ts";
import { Scrubber } from "./scrubber.tsx";

/** Adjacent commands are drawn together. */
const REST_MS = 1_500;

export function ReplayBar(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const { replay } = shown;
  let section: HTMLElement | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  const isSeen = () => section !== undefined && section.offsetParent !== null;
  const refresh = () => {
    clearTimeout(later);
    later = setTimeout(() => isSeen() && !page.replaying() && void replay.load(), REST_MS);
  };
  onMount(() => void (isSeen() && replay.load()));
  createEffect(on(() => shown.transcript.last()?.state, refresh, { defer: true }));
  createEffect(on(() => shown.transcript.last()?.block_id, refresh, { defer: true }));
  onCleanup(() => clearTimeout(later));
  const lead = (act: () => void) => {
    act();
    page.setReplaying(true);
  };
  function onKey(event: KeyboardEvent): void {
    const none = () => undefined;
    // While the replay is open, it handles its keys itself.
    if (page.replaying() || !pressed(event, replay, { full: none, help: none })) return;
    event.preventDefault();
    page.setReplaying(true);
  }
  const hours = () => {
    const axis = replay.axis();
    return axis ? `${timeOfDay(axis.start)} – ${endWord(props, axis.end)}` : "";
  };
  return (
    <section class="replay-bar" aria-label="Replay" ref={section}>
      <h2>
        Replay <span>{hours()}</span>
      </h2>
      <div role="none" onKeyDown={onKey}>
        <Scrubber replay={replay} onChoose={(ts) => lead(() => replay.goTo(ts))} />
      </div>
      <div class="row">
        <PlayButton {...props} onPlay={() => lead(() => replay.play())} />
        <span class="time">
          {elapsedWord(replay.axis()?.played(replay.at) ?? 0)} / {elapsedWord(replay.axis()?.length_ms ?? 0)}
        </span>
        <Show when={page.replaying()}>
          <span class="pill">{replay.facts.speed}×</span>
        </Show>
        <span class="grow" />
        <button type="button" disabled={!page.replaying()} onClick={() => page.setReplaying(false)}>
          Go live
        </button>
      </div>
    </section>
  );
}

function endWord({ page }: { page: PageState }, end: number): string {
  return page.info()?.ended_at ? timeOfDay(end) : "now";
}

export function PlayButton(props: { shown: ShownSession; onPlay(): void }) {
  const { replay } = props.shown;
  const playing = () => replay.facts.playing;
  return (
    <button
      type="button"
      class="play"
      aria-label={playing() ? "Pause" : "Play"}
      onClick={() => (playing() ? replay.pause() : props.onPlay())}
    >
      <span aria-hidden="true">{playing() ? "❚❚" : "▶"}</span>
    </button>
  );
}
