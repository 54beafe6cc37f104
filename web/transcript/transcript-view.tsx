// The commands of a session as cards, the newest at the bottom. Only the visible ones and their neighbours are drawn.
import { createEffect, createMemo, createSignal, For, lazy, on, onCleanup, onMount, Show } from "solid-js";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { hostOf } from "../hosts/words.ts";
import { partName } from "../sessions/labels.ts";
import { grouped } from "../text/numbers.ts";
import { rowPx } from "../text/row-height.ts";
import { Card } from "./card.tsx";
import { CardWindow } from "./card-window.ts";
import type { Aim } from "./cards.ts";
import { Filters } from "./filters.tsx";
import type { Listing } from "./listing.ts";

/** Comes after the page itself: one may type into it at once. */
const FullOutput = lazy(async () => ({ default: (await import("./full-output-view.tsx")).FullOutput }));
const BeforeRestart = lazy(async () => ({ default: (await import("./before-restart.tsx")).BeforeRestart }));

/** A feed without anything in it is none. */
const FEED = { role: "feed", "aria-label": "Commands" } as const;
/** We load earlier commands before a person reaches the first one. */
const EARLY_PX = 600;
/** When no output came for this long, the rest comes one by one. */
const PATIENCE_MS = 2_000;

export function TranscriptView(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  let scroller: HTMLDivElement | undefined;
  let list: HTMLDivElement | undefined;
  const listing = shown.transcript.shown;
  const blocks = createMemo(() => [...listing().blocks]);
  const none = () => blocks().length === 0;
  const ids = createMemo(() => blocks().map(({ block_id }) => block_id));
  const cards = createWindow(ids, () => [scroller, list]);
  createEffect(on(listing, () => cards()?.toEnd(), { defer: true }));
  createAims(props, () => cards());
  const settled = createSettled(shown);
  const before = () => standsFor(page, listing());
  const drawn = () => blocks().slice(cards()?.window().start, cards()?.window().end);
  function scrolled(): void {
    cards()?.scrolled();
    if (scroller && scroller.scrollTop < EARLY_PX && listing().earlier() > 0) void listing().loadEarlier();
  }

  return (
    <section
      class="trans"
      aria-label={partName("Transcript", page)}
      data-lines={page.settings.now.lines}
      style={{ "--card-font": `${page.settings.now.font_px}px`, "--card-row": `${rowPx(page.settings.now)}px` }}
    >
      <Filters shown={shown} />
      <div class="scroll" ref={scroller} data-settled={settled()} tabindex={none() ? 0 : undefined} onScroll={scrolled}>
        <Earlier count={listing().earlier()} onLoad={() => void listing().loadEarlier()} />
        <Show when={before()}>
          {(from) => <BeforeRestart {...{ page, shown }} from={from()} onSized={() => cards()?.layout()} />}
        </Show>
        <Show when={none() && listing().loaded() && !before()}>
          <Nothing filtered={listing().filter !== "all"} onAll={() => shown.transcript.setFilter("all")} />
        </Show>
        <div ref={list} aria-busy={!listing().loaded()} {...(none() ? {} : FEED)}>
          <div style={{ height: `${cards()?.window().above ?? 0}px` }} />
          <Show when={cards()}>
            {(window) => (
              <For each={drawn()}>
                {(block, index) => (
                  <Card
                    {...{ page, shown, block, window: window() }}
                    place={window().window().start + index()}
                    of={blocks().length}
                    previous={blocks()[window().window().start + index() - 1]}
                  />
                )}
              </For>
            )}
          </Show>
          <div style={{ height: `${cards()?.window().below ?? 0}px` }} />
        </div>
      </div>
      <Coming shown={shown} isThere={!none() || listing().loaded()} />
      <Latest ids={ids()} atEnd={cards()?.atEnd() ?? true} onGo={() => toEnd(shown, cards())} />
      <OpenOutput shown={shown} row={rowPx(page.settings.now)} />
    </section>
  );
}

function OpenOutput(props: { shown: ShownSession; row: number }) {
  const { cards } = props.shown;
  onMount(() => void FullOutput.preload());
  return (
    <Show when={cards.open()} keyed>
      {(open) => <FullOutput {...open} cards={cards} links={props.shown.links} row={props.row} />}
    </Show>
  );
}

/** The session that this one stands for, once there are no earlier commands of its own. */
function standsFor(page: PageState, { filter, earlier }: Listing): string | undefined {
  return filter === "all" && earlier() === 0 ? page.info()?.restored_from : undefined;
}

function createWindow(ids: () => readonly string[], elements: () => readonly (HTMLElement | undefined)[]) {
  const [cards, setCards] = createSignal<CardWindow>();
  onMount(() => {
    const [scroller, list] = elements();
    if (!scroller || !list) return;
    scroller.style.setProperty("--bar", `${scroller.offsetWidth - scroller.clientWidth}px`);
    const made = new CardWindow(scroller, list, ids);
    setCards(made);
    onCleanup(() => made.dispose());
  });
  createEffect(on([ids, cards], () => cards()?.layout()));
  return cards;
}

function toEnd(shown: ShownSession, cards: CardWindow | undefined): void {
  shown.cards.setCurrent(undefined);
  cards?.toEnd();
}

/** Cards would push each other around while their outputs arrive. So at first they appear all at once. */
function createSettled({ transcript, cards }: ShownSession): () => boolean {
  const [settled, setSettled] = createSignal(false);
  createEffect(
    on([transcript.loaded, cards.frozen.lacking], ([loaded]) => {
      if (!loaded || settled()) return;
      const timer = setTimeout(() => setSettled(true), PATIENCE_MS);
      onCleanup(() => clearTimeout(timer));
    }),
  );
  createEffect(() => {
    const hasOutputs = transcript.blocks.some(({ state }) => state !== "running");
    if (transcript.loaded() && (!hasOutputs || cards.frozen.lacking() === 0)) setSettled(true);
  });
  return settled;
}

/** Scrolls to the card that keys, the palette or the address name. */
function createAims(
  { page, shown }: { page: PageState; shown: ShownSession },
  cards: () => CardWindow | undefined,
): void {
  const loaded = shown.transcript.loaded;
  createEffect(
    on([page.route.block, loaded], ([wanted]) => {
      if (wanted && loaded() && page.route.selected() === shown.id) void shown.cards.reveal(wanted.id);
    }),
  );
  createEffect(
    on([shown.cards.aim, cards], ([aim, window]) => {
      // Inside an effect nothing is drawn yet, so there would be no card to scroll to.
      if (aim && window) queueMicrotask(() => aimAt(aim, window));
    }),
  );
}

function aimAt({ id, flash }: Aim, window: CardWindow): void {
  const card = window.show(id)?.querySelector<HTMLElement>(".card");
  card?.focus({ preventScroll: true });
  if (!card || !flash) return;
  card.classList.remove("flash");
  // Reading a size makes the browser apply the removed class, so that the animation starts again.
  card.classList.toggle("flash", card.offsetHeight >= 0);
}

function Earlier(props: { count: number; onLoad(): void }) {
  return (
    <Show when={props.count > 0}>
      <button type="button" class="earlier" onClick={() => props.onLoad()}>
        {grouped(props.count)} earlier command{props.count === 1 ? "" : "s"}
      </button>
    </Show>
  );
}

/** A button back to the end, with what happened there meanwhile. */
function Latest(props: { ids: readonly string[]; atEnd: boolean; onGo(): void }) {
  const [seen, setSeen] = createSignal<string>();
  createEffect(() => {
    if (props.atEnd) setSeen(props.ids.at(-1));
  });
  const fresh = () => {
    const last = seen();
    const at = last === undefined ? -1 : props.ids.lastIndexOf(last);
    return at < 0 ? 0 : props.ids.length - 1 - at;
  };
  return (
    <Show when={!props.atEnd}>
      <button type="button" class="latest" data-fresh={fresh() > 0} onClick={() => props.onGo()}>
        {fresh() > 0 ? `${grouped(fresh())} new` : "Latest"} <span aria-hidden="true">↓</span>
      </button>
    </Show>
  );
}

/** Nothing of it was ever shown on this page. */
function Coming(props: { shown: ShownSession; isThere: boolean }) {
  const isAway = () => props.shown.live.facts.phase === "reconnecting";
  return (
    <Show when={!props.isThere && hostOf(props.shown.id)}>
      {(host) => (
        <p class="veil" role="status">
          {isAway() ? `Its commands are shown when ${host()} is back.` : `Connecting to ${host()}…`}
        </p>
      )}
    </Show>
  );
}

function Nothing(props: { filtered: boolean; onAll(): void }) {
  return (
    <div class="place">
      <Show
        when={!props.filtered}
        fallback={
          <>
            <h1>No command matches</h1>
            <button type="button" onClick={() => props.onAll()}>
              Show all commands
            </button>
          </>
        }
      >
        <p class="glyph" aria-hidden="true">
          ▚
        </p>
        <h1>Nothing has run here yet</h1>
        <p>Every command becomes a card: yours and your agents', with its output, exit code and who ran it.</p>
      </Show>
    </div>
  );
}
