// The output of an ended command: coloured text, made of text nodes. It can be selected and is never parsed as HTML.
import { createEffect, createMemo, createSignal, lazy, on, Show } from "solid-js";
import { lineText, runText } from "../../src/core/base/clean.ts";
import { textFinder } from "../../src/core/base/finder.ts";
import { marked } from "../../src/core/base/invisible.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { DRAWN_KINDS, looksLike } from "../reading/kinds.ts";
import { drawLines } from "../text/draw.ts";
import { hitsIn, type Line } from "../text/lines.ts";
import { grouped } from "../text/numbers.ts";
import type { Cards } from "./cards.ts";
import { type After, type Body, EXPANDED_LINES_MAX } from "./frozen.ts";
import { readText } from "./outputs.ts";

const DrawnOutput = lazy(async () => ({ default: (await import("../reading/drawn-view.tsx")).DrawnOutput }));

interface FrozenBodyProps {
  readonly page: PageState;
  readonly shown: ShownSession;
  readonly block: Block;
  readonly body: Body;
  /** Lit up in it, because the person looked for it. */
  readonly found: string | undefined;
}

export function FrozenBody(props: FrozenBodyProps) {
  const { cards, links } = props.shown;
  const isEmpty = () => props.body.head.length === 0 && props.body.total === 0;
  let output: HTMLDivElement | undefined;
  createEffect(
    on([() => props.found, () => props.body], ([found]) => {
      if (found === undefined) return;
      const lit = output?.querySelector("mark.hit");
      if (lit) lit.scrollIntoView({ block: "nearest" });
      // It may be among the lines that are left out.
      else if (hiddenLines(props.body) > 0 && props.body.tail.length > 0) void cards.frozen.expand(props.block);
    }),
  );
  return (
    <Show when={!isEmpty()}>
      <div
        ref={(own) => {
          output = own;
          links.follow(own);
        }}
        class="frozen"
        data-kind={props.body.kind}
      >
        <Show when={cards.drawnAs(props.block.block_id)} fallback={<Printed {...props} />} keyed>
          {(kind) => (
            <DrawnOutput
              kind={kind}
              read={() => readText(props.block.block_id)}
              onText={() => cards.draw(props.block.block_id, undefined)}
            />
          )}
        </Show>
      </div>
    </Show>
  );
}

/** As it was printed: all of it, or its beginning and end. */
function Printed(props: FrozenBodyProps) {
  const { cards, links, images } = props.shown;
  /** A full-screen program leaves its last screen, which is seldom worth the room. */
  const [isScreenOpen, setScreenOpen] = createSignal(false);
  const isScreen = () => props.body.kind === "screen";
  const isShut = () => isScreen() && !isScreenOpen() && props.found === undefined;
  const scrolls = () => isScreen() || props.page.settings.now.lines === "scroll";
  const onDrawn = (part: Element) => {
    links.drawn(part, props.block.cwd);
    images.drawn(part);
  };
  const kind = createMemo(() =>
    isScreen() ? undefined : looksLike(props.body.head.slice(0, 8).map(lineText), props.block.cmd),
  );
  return (
    <>
      <Show when={kind()} keyed>
        {(like) => (
          <button type="button" class="offer" onClick={() => cards.draw(props.block.block_id, like)}>
            draw as {DRAWN_KINDS[like]}
          </button>
        )}
      </Show>
      <Show when={isScreen()}>
        <p class="fold">
          <span>full-screen program</span>
          <button type="button" aria-expanded={!isShut()} onClick={() => setScreenOpen(isShut())}>
            {isShut() ? "show its last screen" : "hide its last screen"}
          </button>
        </p>
      </Show>
      <Show when={!isShut()}>
        <Lines {...{ lines: props.body.head, found: props.found, scrolls: scrolls(), onDrawn }} />
      </Show>
      <Show when={hiddenLines(props.body) > 0}>
        <LeftOut cards={cards} block={props.block} body={props.body} />
      </Show>
      <Show when={props.body.tail.length > 0}>
        <Lines {...{ lines: props.body.tail, found: props.found, scrolls: scrolls(), onDrawn }} />
      </Show>
    </>
  );
}

function hiddenLines({ total, head, tail }: Body): number {
  return total - head.length - tail.length;
}

/** The lines between beginning and end. */
function LeftOut(props: { cards: Cards; block: Block; body: Body }) {
  const hidden = () => hiddenLines(props.body);
  return (
    <p class="fold">
      <span>
        {grouped(hidden())} more line{hidden() === 1 ? "" : "s"}
      </span>
      <Show when={props.body.tail.length > 0}>
        <button type="button" onClick={() => void props.cards.frozen.expand(props.block)}>
          expand{props.body.total > EXPANDED_LINES_MAX ? ` ${grouped(EXPANDED_LINES_MAX)}` : ""}
        </button>
      </Show>
      <button type="button" onClick={() => props.cards.openOutput(props.block)}>
        open full output
      </button>
    </p>
  );
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly found: string | undefined;
  readonly scrolls: boolean;
  onDrawn(part: Element): void;
}

function Lines(props: LinesProps) {
  let pre: HTMLPreElement | undefined;
  const hits = (found: string) => (line: number) =>
    hitsIn((props.lines[line] ?? []).map(runText).join(""), textFinder(found, "sensitive"));
  createEffect(() => {
    if (!pre) return;
    pre.replaceChildren(drawLines(props.lines, props.found === undefined ? undefined : hits(props.found)));
    props.onDrawn(pre);
  });
  return <pre ref={pre} tabindex={props.scrolls ? 0 : undefined} />;
}

/** What was printed between two commands, with the background job that it comes from where that is known. */
export function AfterRow(props: { after: After }) {
  let pre: HTMLPreElement | undefined;
  const earlier = () => props.after.total - props.after.lines.length;
  const jobs = () => props.after.jobs.map((job) => marked(job));
  createEffect(() => pre?.replaceChildren(drawLines(props.after.lines)));
  return (
    <div class="after">
      <p>
        <Show when={jobs().length > 0} fallback="Printed between commands">
          {jobs().length === 1 ? "Background job" : "Background jobs"} <code>{jobs().join(" · ")}</code>
        </Show>
        <Show when={earlier() > 0}> · {grouped(earlier())} earlier lines are in the replay</Show>
      </p>
      <pre ref={pre} />
    </div>
  );
}
