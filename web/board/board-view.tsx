// All tasks at a glance, in columns: who waits, who works, what is ready. Owns: the focus, and whether a task is being added.
import { createEffect, createSignal, createUniqueId, For, type JSX, on, onCleanup, onMount, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { createBoard } from "./board.ts";
import { TaskCard } from "./card.tsx";
import { COLUMNS, type Column, TITLES } from "./columns.ts";
import { createLooks } from "./looks.ts";
import { NewTasks } from "./new-tasks.tsx";

export function BoardView(props: { page: PageState }) {
  const { page } = props;
  let place: HTMLDivElement | undefined;
  const [isAdding, setAdding] = createSignal(false);
  const focus = (id: string | undefined) => {
    board.reach(id);
    (place?.querySelector<HTMLElement>(`[data-id="${id}"] a`) ?? place)?.focus();
  };
  const board = createBoard(page, { focus, add: () => setAdding(true) });
  const looks = createLooks(board.all, () => page.sessions.refresh());
  onMount(() => focus(board.reached()));
  // A card that moves to another column is drawn again there, and keeps the focus.
  const isLost = () => document.activeElement === document.body || document.activeElement === place;
  createEffect(on(board.all, () => isLost() && !isAdding() && focus(board.reached()), { defer: true }));

  function onKey(event: KeyboardEvent): void {
    const isOurs = event.target === document.body || (event.target instanceof Node && place?.contains(event.target));
    if (!isOurs || event.ctrlKey || event.altKey || event.metaKey || page.overlay() !== "none" || isAdding()) return;
    const act = board.keyed(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }
  window.addEventListener("keydown", onKey);
  onCleanup(() => window.removeEventListener("keydown", onKey));

  const cardOf = (id: string) => (
    <Show when={board.card(id)}>
      {(card) => (
        <TaskCard
          card={card()}
          look={looks.of(id)}
          now={looks.now()}
          isReached={board.reached() === id}
          onFocus={() => board.reach(id)}
          onPutAway={() => void board.putAway(card().session)}
        />
      )}
    </Show>
  );
  return (
    <div class="board" tabindex={-1} ref={place}>
      <Head onAdd={() => setAdding(true)} />
      <Show when={board.all().length > 0} fallback={<Empty />}>
        <div class="columns">
          <For each={COLUMNS}>{(column) => <ColumnView name={column} ids={board.idsIn(column)} cardOf={cardOf} />}</For>
        </div>
      </Show>
      <Show when={isAdding()}>
        <NewTasks page={page} onClose={() => setAdding(false)} />
      </Show>
    </div>
  );
}

function Head(props: { onAdd(): void }) {
  return (
    <header>
      <h1>Board</h1>
      <span class="mut hints">
        <kbd>←↑↓→</kbd> <kbd>⏎</kbd> open <kbd>D</kbd> changes <kbd>P</kbd> put away
      </span>
      <span class="grow" />
      <button type="button" class="pri" onClick={() => props.onAdd()}>
        New task <kbd>N</kbd>
      </button>
    </header>
  );
}

function ColumnView(props: { name: Column; ids: readonly string[]; cardOf(id: string): JSX.Element }) {
  const id = createUniqueId();
  return (
    <section class="column" data-column={props.name} data-count={props.ids.length} aria-labelledby={id}>
      <h2 id={id}>
        {TITLES[props.name]} <span>{props.ids.length}</span>
      </h2>
      <ul>
        <For each={props.ids}>{(each) => props.cardOf(each)}</For>
      </ul>
    </section>
  );
}

function Empty() {
  return (
    <div class="place">
      <h1>No tasks yet</h1>
      <p>
        A task is a session with an agent at work on a branch of its own. What it changed is shown here when it is done.
      </p>
      <p class="mut">
        or in a terminal: <code>duetty task "fix the failing test" --agent claude</code>
      </p>
    </div>
  );
}
