// The output of an ended command: coloured text, made of text nodes. It can be selected and is never parsed as HTML.
import { createEffect, Show } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { drawLines } from "../text/draw.ts";
import type { Line } from "../text/lines.ts";
import { grouped } from "../text/numbers.ts";
import type { Cards } from "./cards.ts";
import { type Body, EXPANDED_LINES_MAX } from "./frozen.ts";

export function FrozenBody(props: { cards: Cards; block: Block; body: Body }) {
  const hidden = () => props.body.total - props.body.head.length - props.body.tail.length;
  const isEmpty = () => props.body.head.length === 0 && props.body.total === 0;
  return (
    <Show when={!isEmpty()}>
      <div class="frozen" data-kind={props.body.kind}>
        <Lines lines={props.body.head} />
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
          <Lines lines={props.body.tail} />
        </Show>
      </div>
    </Show>
  );
}

function Lines(props: { lines: readonly Line[] }) {
  let pre: HTMLPreElement | undefined;
  createEffect(() => pre?.replaceChildren(drawLines(props.lines)));
  return <pre ref={pre} />;
}
