// One session in the middle of the page: its header, then its commands as cards or the terminal alone, then questions and
// where a person writes. Owns: how much room the terminal has.

import { createEffect, lazy, Match, on, onCleanup, onMount, Show, Switch } from "solid-js";
import { Dock } from "../approvals/dock.tsx";
import { Composer } from "../composer/composer-view.tsx";
import { hostOf } from "../hosts/words.ts";
import { isOver, partName } from "../sessions/labels.ts";
import { PlainTerminal } from "../terminal/plain.tsx";
import { TouchKeys } from "../terminal/touch-keys.tsx";
import { fontOf } from "../text/row-height.ts";
import { TranscriptView } from "../transcript/transcript-view.tsx";
import { createMedia } from "../widgets/media.ts";
import { AwayBanner, EndedBanner, OfflineBanner } from "./banners.tsx";
import { Crumb } from "./crumb.tsx";
import type { PageState, ShownSession } from "./page-state.ts";

/** Its code comes with the first look at the past. */
const ReplayView = lazy(async () => ({ default: (await import("../replay/replay-view.tsx")).ReplayView }));
const Review = lazy(async () => ({ default: (await import("../review/review-view.tsx")).ReviewView }));
const WriteSheet = lazy(async () => ({ default: (await import("../terminal/write-sheet.tsx")).WriteSheet }));

/** Phones, as in the style sheets. */
const NARROW = "(max-width: 699px)";
/** The space around the terminal in a card: filters, header, borders, gaps, the scroll bar, and a line about questions elsewhere. */
const CARD_PX = { width: 48, height: 134 };
/** The plain view's padding. */
const PLAIN_PX = { width: 16, height: 14 };

/** A sheet with one line: a longer text lies over the terminal's end, and does not change its size. */
const SHEET_PX = 56;
/** The prompt with one line and its hints. */
const PROMPT_PX = 92;

export function SessionView(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  let room: HTMLDivElement | undefined;
  const facts = shown.live.facts;
  /** Without marks there are no commands to make cards of. */
  const isPlain = () => page.settings.now.view === "plain" || page.info()?.integration === "none";
  /** Its machine, while nothing comes from there. */
  const away = () => {
    const name = hostOf(shown.id);
    if (name === undefined || page.sessions.reach() === "offline") return undefined;
    const isLost = facts.phase === "reconnecting" ? { host: name, reach: "here" as const, why: null } : undefined;
    return page.hosts.awayOf(shown.id) ?? isLost;
  };
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
  createEffect(() => shown.live.terminal.setRenderer(page.settings.now.renderer));
  createEffect(() => shown.live.terminal.setScreenReader(page.settings.now.screen_reader));
  createEffect(on(() => fontOf(page.settings.now), shown.live.setFont.bind(shown.live)));
  // The style sheet has the new colours only after the attribute is set.
  createEffect(on(page.appearance.look, () => queueMicrotask(() => shown.live.terminal.retheme()), { defer: true }));

  return (
    <>
      <Show when={page.info()}>{(info) => <Crumb page={page} info={info()} shown={shown} />}</Show>
      <div class="room" ref={room} data-view={isPlain() ? "plain" : "cards"}>
        <Inside page={page} shown={shown} isPlain={isPlain()} />
        <Switch>
          <Match when={away()}>{(host) => <AwayBanner host={host()} shown={shown} />}</Match>
          <Match when={facts.phase === "reconnecting"}>
            <OfflineBanner shown={shown} />
          </Match>
        </Switch>
      </div>
      <Show when={over()}>
        <EndedBanner
          end={facts.end ?? page.info()}
          nudged={facts.nudged}
          onNew={() => page.setOverlay("new_session")}
        />
      </Show>
      <Dock page={page} shown={shown} />
      <Show when={!over() && !page.replaying() && page.route.view() === "session"}>
        <Show when={!isPlain()} fallback={<PlainKeys page={page} shown={shown} />}>
          <Composer page={page} shown={shown} />
        </Show>
      </Show>
    </>
  );
}

/** The present or the past of the session, or what it changed. */
function Inside(props: { page: PageState; shown: ShownSession; isPlain: boolean }) {
  const { page, shown } = props;
  return (
    <Switch fallback={<TranscriptView page={page} shown={shown} />}>
      <Match when={page.replaying()}>
        <ReplayView page={page} shown={shown} />
      </Match>
      <Match when={page.route.view() === "diff"}>
        <Review page={page} shown={shown} />
      </Match>
      <Match when={props.isPlain}>
        <PlainTerminal
          live={shown.live}
          name={partName("Terminal", page)}
          isHere={page.isHere()}
          host={hostOf(shown.id)}
        />
      </Match>
    </Switch>
  );
}

/** A phone lacks keys, and its keyboard is made for texts. */
function PlainKeys(props: { page: PageState; shown: ShownSession }) {
  const isNarrow = createMedia(NARROW);
  const program = () => props.page.info()?.agent ?? props.page.info()?.command[0]?.split("/").at(-1) ?? "the program";
  return (
    <>
      <TouchKeys live={props.shown.live} />
      <Show when={isNarrow()}>
        <WriteSheet session_id={props.shown.id} program={program()} />
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
  const below = [...main.children].filter((el) => el.matches(".keys, .write, .banner.under"));
  const heightOf = (el: Element) => (el.matches(".write") ? SHEET_PX : el.getBoundingClientRect().height);
  const kept = below.reduce((sum, el) => sum + heightOf(el), isPlain ? 0 : PROMPT_PX);
  return main.getBoundingClientRect().bottom - room.getBoundingClientRect().top - kept;
}
