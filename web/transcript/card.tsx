// One command: its header and its output, live while it runs and frozen afterwards. Owns: which of the two is shown, so that
// nothing is lost, doubled or jumps in between.
import { createEffect, createMemo, createSignal, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import { CardHead } from "./card-head.tsx";
import type { CardProps } from "./card-props.ts";
import type { CardWindow } from "./card-window.ts";
import { cardLabel, whoOf } from "./card-words.ts";
import { AfterRow, FrozenBody } from "./frozen-body.tsx";
import { LiveBody, LiveHead } from "./live-card.tsx";

/** We fetch outputs a little before they become visible. */
const NEAR = "400px";
/** Cards that scroll past quickly are gone by then, so we do not fetch their outputs. */
const FLIGHT_MS = 120;

/** An output that has not come by then is waited for. */
const LATE_MS = 500;

/** waiting: it ended, and its output has not arrived yet. */
type Shows = "live" | "frozen" | "waiting" | "folded";

export function Card(props: CardProps) {
  const { block, shown } = props;
  const { cards } = shown;
  let row: HTMLDivElement | undefined;
  const isRunning = () => block.state === "running";
  const found = () => {
    const now = props.page.found();
    return now?.block_id === block.block_id ? now.text : undefined;
  };
  const near = createNear(() => row, props.window);
  const shows = createShows(props);
  createEffect(() => {
    if (near() && !isRunning() && shows() !== "folded") cards.frozen.want(block);
    else cards.frozen.unwant(block.block_id);
  });
  onMount(() => {
    if (row) props.window.measure(block.block_id, row);
  });
  onCleanup(() => {
    cards.frozen.unwant(block.block_id);
    if (row) props.window.unmeasure(block.block_id, row);
  });

  return (
    <div class="row" data-block={block.block_id} ref={row}>
      <article
        class="card"
        classList={{ live: isRunning(), [whoOf(block.actor).kind]: true }}
        data-hold={isRunning() ? (shown.control.agentHolds() ? "agent" : "you") : undefined}
        data-shows={shows()}
        tabindex={cards.current() === block.block_id ? 0 : -1}
        aria-label={cardLabel(block)}
        aria-busy={isRunning()}
        aria-posinset={props.place + 1}
        aria-setsize={props.of}
        onFocusIn={() => cards.setCurrent(block.block_id)}
        onKeyDown={(event) => pressed(event, props)}
      >
        {isRunning() ? <LiveHead {...props} /> : <CardHead {...props} />}
        <Switch>
          <Match when={shows() === "live"}>
            <LiveBody shown={shown} />
          </Match>
          <Match when={shows() === "waiting"}>
            <OnItsWay />
          </Match>
          <Match when={shows() === "frozen" && cards.frozen.body(block.block_id)}>
            {(body) => <FrozenBody page={props.page} {...{ shown, block }} body={body()} found={found()} />}
          </Match>
        </Switch>
      </article>
      <Show when={cards.frozen.body(block.block_id)?.after}>{(after) => <AfterRow after={after()} />}</Show>
    </div>
  );
}

function createShows({ block, shown: { cards, transcript, live } }: CardProps): () => Shows {
  return createMemo<Shows>((before) => {
    if (cards.isFolded(block.block_id)) return "folded";
    if (block.state === "running") return "live";
    if (cards.frozen.body(block.block_id)) return "frozen";
    // The terminal still shows it, unless another command has it now, or a picture has replaced it.
    const isThere = before === "live" && !transcript.running() && !live.facts.rows_lost;
    return isThere ? "live" : "waiting";
  });
}

/** Most outputs come at once. Long ones are searched for their lines, and other machines are further away. */
function OnItsWay() {
  const [isLate, setLate] = createSignal(false);
  const timer = setTimeout(() => setLate(true), LATE_MS);
  onCleanup(() => clearTimeout(timer));
  return (
    <Show when={isLate()}>
      <p class="reading" role="status">
        Reading its output…
      </p>
    </Show>
  );
}

/** Keys of a card that has the focus itself, not something in it. */
function pressed(event: KeyboardEvent, { shown: { cards }, block }: CardProps): void {
  if (event.target !== event.currentTarget || event.altKey) return;
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (plain && event.key === "Home") cards.go("first");
  else if (plain && event.key === "End") cards.go("last");
  else if (plain && event.key === "PageUp") cards.go("previous");
  else if (plain && event.key === "PageDown") cards.go("next");
  else if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.code === "KeyF")
    cards.openOutput(block, "find");
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function createNear(element: () => HTMLElement | undefined, window: CardWindow): () => boolean {
  const [near, setNear] = createSignal(false);
  let later: ReturnType<typeof setTimeout> | undefined;
  function onSeen(isNear: boolean): void {
    clearTimeout(later);
    if (isNear && window.isMoving()) later = setTimeout(setNear, FLIGHT_MS, true);
    else setNear(isNear);
  }
  onMount(() => {
    const row = element();
    if (!row) return;
    // A busy browser reports several entries at once. The last one is current.
    const watch = new IntersectionObserver((seen) => onSeen(seen.at(-1)?.isIntersecting ?? false), {
      root: row.closest(".scroll"),
      rootMargin: `${NEAR} 0px`,
    });
    watch.observe(row);
    onCleanup(() => {
      watch.disconnect();
      clearTimeout(later);
    });
  });
  return near;
}
