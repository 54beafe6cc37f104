// The output of an ended command: coloured text, made of text nodes. It can be selected and is never parsed as HTML.
import { createEffect, createSignal, on, Show } from "solid-js";
import { runText } from "../../src/core/base/clean.ts";
import { textFinder } from "../../src/core/base/finder.ts";
import { marked } from "../../src/core/base/invisible.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { drawLines } from "../text/draw.ts";
import { hitsIn, type Line } from "../text/lines.ts";
import { grouped } from "../text/numbers.ts";
import type { Cards } from "./cards.ts";
import { type After, type Body, EXPANDED_LINES_MAX } from "./frozen.ts";
import { opensPlaces } from "./places.ts";

interface FrozenBodyProps {
  readonly cards: Cards;
  readonly block: Block;
  readonly body: Body;
  /** Lit up in it, because the person looked for it. */
  readonly found: string | undefined;
}

export function FrozenBody(props: FrozenBodyProps) {
  const hidden = () => props.body.total - props.body.head.length - props.body.tail.length;
  /** A full-screen program leaves its last screen, which is seldom worth the room. */
  const [isScreenOpen, setScreenOpen] = createSignal(false);
  const isShut = () => props.body.kind === "screen" && !isScreenOpen() && props.found === undefined;
  const isEmpty = () => props.body.head.length === 0 && props.body.total === 0;
  let drawn: HTMLDivElement | undefined;
  createEffect(
    on([() => props.found, () => props.body], ([found]) => {
      if (found === undefined) return;
      const lit = drawn?.querySelector("mark.hit");
      if (lit) lit.scrollIntoView({ block: "nearest" });
      // It may be among the lines that are left out.
      else if (hidden() > 0 && props.body.tail.length > 0) void props.cards.frozen.expand(props.block);
    }),
  );
  return (
    <Show when={!isEmpty()}>
      <div
        ref={(own) => {
          drawn = own;
          opensPlaces(own, () => props.block.cwd);
        }}
        class="frozen"
        data-kind={props.body.kind}
      >
        <Show when={props.body.kind === "screen"}>
          <p class="fold">
            <span>full-screen program</span>
            <button type="button" aria-expanded={!isShut()} onClick={() => setScreenOpen(isShut())}>
              {isShut() ? "show its last screen" : "hide its last screen"}
            </button>
          </p>
        </Show>
        <Show when={!isShut()}>
          <Lines lines={props.body.head} found={props.found} />
        </Show>
        <Show when={hidden() > 0}>
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
        </Show>
        <Show when={props.body.tail.length > 0}>
          <Lines lines={props.body.tail} found={props.found} />
        </Show>
      </div>
    </Show>
  );
}

function Lines(props: { lines: readonly Line[]; found: string | undefined }) {
  let pre: HTMLPreElement | undefined;
  const hits = (found: string) => (line: number) =>
    hitsIn((props.lines[line] ?? []).map(runText).join(""), textFinder(found, "sensitive"));
  createEffect(() =>
    pre?.replaceChildren(drawLines(props.lines, props.found === undefined ? undefined : hits(props.found))),
  );
  return <pre ref={pre} />;
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
