// One session in the middle of the page: its header, then its commands as cards or the terminal alone, then questions and
// where a person writes. Owns: how much room the terminal has.
import { createEffect, Match, on, onCleanup, onMount, Show, Switch } from "solid-js";
import { Dock } from "../approvals/dock.tsx";
import { Composer } from "../composer/composer-view.tsx";
import { ReplayView } from "../replay/replay-view.tsx";
import { isOver } from "../sessions/labels.ts";
import { PlainTerminal } from "../terminal/plain.tsx";
import { TouchKeys } from "../terminal/touch-keys.tsx";
import { TranscriptView } from "../transcript/transcript-view.tsx";
import { EndedBanner, OfflineBanner } from "./banners.tsx";
import { Crumb } from "./crumb.tsx";
import type { PageState, ShownSession } from "./page-state.ts";

/** The space around the terminal in a card: filters, header, borders, gaps and the scroll bar. */
const CARD_PX = { width: 48, height: 110 };
/** The plain view's padding. */
const PLAIN_PX = { width: 16, height: 14 };

/** The prompt with one line and its hints. */
const PROMPT_PX = 92;

export function SessionView(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  let room: HTMLDivElement | undefined;
  const facts = shown.live.facts;
  /** Without marks there are no commands to make cards of. */
  const isPlain = () => page.settings.now.view === "plain" || page.info()?.integration === "none";
  const over = () => isOver(facts.state ?? page.info()?.state ?? "running");

  function measure(): void {
    const frame = isPlain() ? PLAIN_PX : CARD_PX;
    if (room) shown.live.setRoom(room.clientWidth - frame.width, lastingHeight(room, isPlain()) - frame.height);
  }
  onMount(() => {
    const watch = new ResizeObserver(measure);
    for (const seen of [room, room?.parentElement]) if (seen) watch.observe(seen);
    onCleanup(() => watch.disconnect());
  });
  createEffect(on(isPlain, measure));
  createEffect(
    on(
      () => page.settings.now.font_px,
      (px) => shown.live.terminal.setFont(px),
    ),
  );
  // The style sheet has the new colours only after the attribute is set.
  createEffect(on(page.appearance.theme, () => queueMicrotask(() => shown.live.terminal.retheme()), { defer: true }));

  return (
    <>
      <Show when={page.info()}>{(info) => <Crumb page={page} info={info()} shown={shown} />}</Show>
      <div class="room" ref={room} data-view={isPlain() ? "plain" : "cards"}>
        <Switch fallback={<TranscriptView page={page} shown={shown} />}>
          <Match when={page.replaying()}>
            <ReplayView page={page} shown={shown} />
          </Match>
          <Match when={isPlain()}>
            <PlainTerminal live={shown.live} />
          </Match>
        </Switch>
        <Show when={facts.phase === "reconnecting"}>
          <OfflineBanner shown={shown} />
        </Show>
      </div>
      <Show when={over()}>
        <EndedBanner
          end={facts.end ?? page.info()}
          nudged={facts.nudged}
          onNew={() => page.setOverlay("new_session")}
        />
      </Show>
      <Dock page={page} shown={shown} />
      <Show when={!over() && !page.replaying()}>
        <Show when={!isPlain()} fallback={<TouchKeys live={shown.live} />}>
          <Composer page={page} shown={shown} />
        </Show>
      </Show>
    </>
  );
}

/**
 * The room without things that come and go, such as a question or a long prompt. A program must not get
 * a new size for each of them.
 */
function lastingHeight(room: HTMLElement, isPlain: boolean): number {
  const main = room.parentElement ?? room;
  const below = [...main.children].filter((el) => el.matches(".keys, .banner.under"));
  const kept = below.reduce((sum, el) => sum + el.getBoundingClientRect().height, isPlain ? 0 : PROMPT_PX);
  return main.getBoundingClientRect().bottom - room.getBoundingClientRect().top - kept;
}
