// The commands of the session that this one stands for, frozen, above its own. Read-only: what they can do is be read.
import { createEffect, createResource, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { statusOf } from "../sessions/command-words.ts";
import { clockWord, grouped } from "../text/numbers.ts";
import { call, isFault } from "../wire/api.ts";
import { Command } from "./card-head.tsx";
import { cardLabel, whoOf } from "./card-words.ts";
import { FrozenBody } from "./frozen-body.tsx";

/** As many as one scrolls through. The old session has all of them. */
const BLOCKS_MAX = 50;
/** We fetch outputs a little before they become visible. */
const NEAR = "400px";

interface BeforeProps {
  readonly page: PageState;
  readonly shown: ShownSession;
  /** The old session. */
  readonly from: string;
  onSized(): void;
}

export function BeforeRestart(props: BeforeProps) {
  let section: HTMLElement | undefined;
  const [old] = createResource(async () => {
    const answer = await call("blocks", { session_id: props.from, limit: BLOCKS_MAX });
    return isFault(answer) ? undefined : answer;
  });
  onMount(() => {
    const sizes = new ResizeObserver(() => props.onSized());
    if (section) sizes.observe(section);
    onCleanup(() => sizes.disconnect());
  });
  const more = () => (old()?.total ?? 0) - (old()?.blocks.length ?? 0);
  return (
    <section class="before" aria-label="From before the restart" ref={section}>
      <p>
        <b>From before the restart</b>{" "}
        <Show when={more() > 0}>
          <span>{grouped(more())} earlier commands and </span>
        </Show>
        <button type="button" onClick={() => props.page.select(props.from)}>
          the old session
        </button>
      </p>
      <For each={old()?.blocks}>{(block) => <OldCard {...props} block={block} />}</For>
    </section>
  );
}

function OldCard(props: BeforeProps & { readonly block: Block }) {
  const { block } = props;
  const { cards } = props.shown;
  const status = statusOf(block);
  const [near, setNear] = createSignal(false);
  let card: HTMLElement | undefined;
  onMount(() => {
    if (!card) return;
    const root = card.closest(".scroll");
    const watch = new IntersectionObserver((seen) => setNear(seen.at(-1)?.isIntersecting ?? false), {
      root,
      rootMargin: `${NEAR} 0px`,
    });
    watch.observe(card);
    onCleanup(() => watch.disconnect());
  });
  createEffect(() => {
    if (near()) cards.frozen.want(block);
    else cards.frozen.unwant(block.block_id);
  });
  onCleanup(() => cards.frozen.unwant(block.block_id));
  return (
    <article class={`card ${whoOf(block.actor).kind}`} ref={card} aria-label={cardLabel(block)}>
      <header>
        <span class={`st ${status.tone}`} title={status.word}>
          {status.glyph}
        </span>
        <span class={`pill ${whoOf(block.actor).kind}`}>{whoOf(block.actor).word}</span>
        <Command cmd={block.cmd} />
        <span class="r">
          <time class="opt" datetime={new Date(block.ts_begin).toISOString()}>
            {clockWord(block.ts_begin)}
          </time>
        </span>
      </header>
      <Show when={cards.frozen.body(block.block_id)}>
        {(body) => <FrozenBody {...props} body={body()} found={undefined} />}
      </Show>
    </article>
  );
}
