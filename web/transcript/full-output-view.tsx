// The full output of one command over the page. Only the visible lines are drawn, however many there are. Ctrl+F searches.
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Links } from "../links/links.ts";
import { drawLine } from "../text/draw.ts";
import { grouped } from "../text/numbers.ts";
import { focusBack } from "../widgets/keys.ts";
import { PatternButton, type SearchKind } from "../widgets/pattern-button.tsx";
import { firstLine } from "./card-words.ts";
import type { Cards } from "./cards.ts";
import { createFullOutput, type FullOutput as Output } from "./full-output.ts";

/** Extra rows around the visible ones. */
const AROUND = 30;
/** Browsers lay out no more than about 33 million pixels. */
const ROWS_MAX = 1_500_000;

interface FullOutputProps {
  readonly cards: Cards;
  readonly links: Links;
  readonly block: Block;
  readonly find: boolean;
  /** The height of a line. */
  readonly row: number;
}

export function FullOutput(props: FullOutputProps) {
  const { cards, block } = props;
  const [fault, setFault] = createSignal<string>();
  const output = createFullOutput(block, setFault);
  let dialog: HTMLDialogElement | undefined;
  let field: HTMLInputElement | undefined;
  const before = document.activeElement;
  onMount(() => {
    dialog?.showModal();
    if (props.find) field?.focus();
    onCleanup(() => focusBack(before));
  });
  function pressed(event: KeyboardEvent): void {
    // The browser's own Escape would only empty the field.
    if (event.key === "Escape") dialog?.close();
    if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyF" || event.shiftKey) return;
    event.preventDefault();
    field?.select();
    field?.focus();
  }
  return (
    <dialog
      class="full"
      data-escape=""
      aria-label={`Full output of ${firstLine(block.cmd)}`}
      ref={dialog}
      onClose={() => cards.closeOutput()}
      onKeyDown={pressed}
    >
      <header>
        <code class="cmd">{marked(firstLine(block.cmd))}</code>
        <span class="mut">{grouped(output.total() ?? 0)} lines</span>
        <span class="grow" />
        <Finder output={output} field={(own) => (field = own)} />
        <button type="button" onClick={() => void cards.copy(block, "output")}>
          Copy
        </button>
        <button type="button" aria-label="Close" onClick={() => dialog?.close()}>
          ✕
        </button>
      </header>
      <Show when={output.refused() ?? fault()}>{(message) => <p class="wrong">{message()}</p>}</Show>
      <Rows
        output={output}
        row={props.row}
        follow={(own) => props.links.follow(own)}
        onDrawn={(part) => props.links.drawn(part, block.cwd)}
      />
    </dialog>
  );
}

function Finder(props: { output: Output; field(own: HTMLInputElement): void }) {
  const { output } = props;
  const [text, setText] = createSignal("");
  const [kind, setKind] = createSignal<SearchKind>("text");
  const count = () => {
    if (text() === "" || output.refused()) return "";
    const all = output.found().length;
    return all === 0 ? "nothing found" : `${grouped(output.at() + 1)} of ${grouped(all)}`;
  };
  function pressed(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    output.turn(event.shiftKey ? -1 : 1);
  }
  createEffect(on([text, kind], ([wanted, how]) => void output.find(wanted, how), { defer: true }));
  return (
    <search class="finder">
      <input
        type="search"
        ref={(own) => props.field(own)}
        aria-label="Find in this output"
        placeholder="Find"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <PatternButton kind={kind()} onKind={setKind} />
      <span class="mut" role="status">
        {count()}
        {output.isCut() && text() !== "" ? " (the beginning only)" : ""}
      </span>
      <button type="button" aria-label="Previous match" onClick={() => output.turn(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next match" onClick={() => output.turn(1)}>
        ↓
      </button>
    </search>
  );
}

interface RowsProps {
  readonly output: Output;
  readonly row: number;
  follow(rows: HTMLElement): void;
  onDrawn(row: Element): void;
}

function Rows(props: RowsProps) {
  const { output } = props;
  let scroller: HTMLElement | undefined;
  const [sight, setSight] = createSignal({ top: 0, height: 600 });
  const rows = () => Math.min(output.total() ?? 0, ROWS_MAX);
  const first = createMemo(() => Math.max(0, Math.floor(sight().top / props.row) - AROUND));
  const last = createMemo(() => Math.min(rows() - 1, Math.ceil((sight().top + sight().height) / props.row) + AROUND));
  const shown = createMemo(() => Array.from({ length: Math.max(0, last() - first() + 1) }, (_, i) => first() + i));
  const moved = () => scroller && setSight({ top: scroller.scrollTop, height: scroller.clientHeight });
  onMount(() => {
    output.look(0, 0);
    const watch = new ResizeObserver(() => moved());
    if (scroller) watch.observe(scroller);
    if (scroller) props.follow(scroller);
    onCleanup(() => watch.disconnect());
  });
  createEffect(() => output.look(first(), Math.max(first(), last())));
  createEffect(
    on([output.found, output.at], ([found, at]) => {
      const place = found[at];
      if (!scroller || !place) return;
      const top = place.line * props.row;
      const inSight = top >= scroller.scrollTop && top + props.row <= scroller.scrollTop + scroller.clientHeight;
      if (!inSight) scroller.scrollTop = Math.max(0, top - scroller.clientHeight / 2);
      moved();
    }),
  );
  return (
    <section class="full-scroll" ref={scroller} onScroll={moved} tabindex={0} aria-label="Output">
      <div class="full-rows" style={{ height: `${rows() * props.row}px` }}>
        <div style={{ transform: `translateY(${first() * props.row}px)` }}>
          <For each={shown()}>{(line) => <Row {...{ output, line }} onDrawn={props.onDrawn} />}</For>
        </div>
      </div>
    </section>
  );
}

function Row(props: { output: Output; line: number; onDrawn(row: Element): void }) {
  let own: HTMLDivElement | undefined;
  const isFront = () => props.output.found()[props.output.at()]?.line === props.line;
  createEffect(() => {
    const line = props.output.line(props.line);
    own?.replaceChildren(line ? drawLine(line, props.output.hits(props.line)) : "");
    if (own) props.onDrawn(own);
  });
  return <div class="full-row" data-front={isFront()} ref={own} />;
}
