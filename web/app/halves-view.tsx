// The sessions that share the page, each in its place. A change of the layout moves them and draws none of them anew.
import { createComputed, createEffect, createMemo, For, on, Show } from "solid-js";
import { labelAmong } from "../sessions/labels.ts";
import { Dividers } from "../splits/dividers.tsx";
import { rectsOf } from "../splits/tree.ts";
import { focusHere, isInOtherHalf } from "../widgets/keys.ts";
import type { Half, PageState } from "./page-state.ts";
import { SessionView } from "./session-view.tsx";

export function Halves(props: { page: PageState }) {
  const { page } = props;
  const { layout } = page;
  const isMany = () => layout.leaves().length > 1;
  keepScrolled(page);
  focusFollows(page);
  return (
    <>
      <Show when={isMany() && layout.isOne()}>
        <HalfTabs page={page} />
      </Show>
      <div class="halves" data-many={isMany()}>
        <For each={page.halves()}>{(half) => <HalfView page={page} half={half} />}</For>
        <Show when={!layout.isOne()}>
          <Dividers layout={layout} />
        </Show>
      </div>
    </>
  );
}

/** Halves that change places are moved in the document, too. What is moved forgets how far it was scrolled. */
function keepScrolled(page: PageState): void {
  createComputed(
    on(page.halves, () => {
      const all = [...document.querySelectorAll(".half .scroll")].map((el) => ({ el, top: el.scrollTop }));
      queueMicrotask(() => {
        for (const { el, top } of all) el.scrollTop = top;
      });
    }),
  );
}

/** What is marked is where keys go: when another half gets the keyboard, the focus leaves the one that had it. */
function focusFollows({ route, halves }: PageState): void {
  createEffect(
    on([route.selected, halves], () => {
      if (isInOtherHalf(document.activeElement)) focusHere();
    }),
  );
}

function HalfView(props: { page: PageState; half: Half }) {
  const { id, page, shown } = props.half;
  const { layout } = props.page;
  const place = createMemo(() => {
    const rect = layout.isOne() ? undefined : rectsOf(layout.tree() ?? id).get(id);
    const { x, y, w, h } = rect ?? { x: 0, y: 0, w: 1, h: 1 };
    return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` };
  });
  const label = () => {
    const info = page.info();
    return info ? labelAmong(info, props.page.sessions.running()) : id;
  };
  // Whoever works in a half has it, before anything in it is told.
  const take = () => page.isHere() || layout.focus(id);
  return (
    <section
      class="half"
      aria-label={label()}
      data-session={id}
      data-here={page.isHere()}
      style={place()}
      ref={(own) => {
        own.addEventListener("pointerdown", take, { capture: true });
        own.addEventListener("focusin", take, { capture: true });
      }}
    >
      <Show when={shown()} keyed>
        {(session) => <SessionView page={page} shown={session} />}
      </Show>
    </section>
  );
}

/** Where only one of them is shown: the way to the others. */
function HalfTabs(props: { page: PageState }) {
  const { layout, sessions, select, route } = props.page;
  const label = (id: string) => {
    const info = sessions.find(id);
    return info ? labelAmong(info, sessions.running()) : id;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, not a form's group
    <span class="half-tabs" role="group" aria-label="Sessions side by side">
      <For each={layout.leaves()}>
        {(id) => (
          <button type="button" aria-pressed={route.selected() === id} onClick={() => select(id)}>
            {label(id)}
          </button>
        )}
      </For>
      <Show when={layout.isZoomed()}>
        <button type="button" class="all" onClick={() => layout.zoom()}>
          Show all
        </button>
      </Show>
    </span>
  );
}
