// The header of a command that ended: how it ended, who ran it, what it was, where and when.
import { createSignal, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import { HostPill } from "../hosts/pill.tsx";
import { statusOf } from "../sessions/command-words.ts";
import { shortPath } from "../sessions/labels.ts";
import { clockWord, durationWord } from "../text/numbers.ts";
import { CardMenu } from "./card-menu.tsx";
import type { CardProps } from "./card-props.ts";
import { cardPlace, firstLine, whoOf } from "./card-words.ts";

export function CardHead(props: CardProps) {
  const { block } = props;
  const { cards } = props.shown;
  const status = () => statusOf(block);
  const folded = () => cards.isFolded(block.block_id);
  const place = () => cardPlace(block);
  const elsewhere = () => place() !== "" && (!props.previous || place() !== cardPlace(props.previous));
  const long = () => block.duration_ms !== null;
  return (
    <header>
      <button
        type="button"
        class={`st ${status().tone}`}
        aria-expanded={!folded()}
        aria-label={`${status().word}; ${folded() ? "show" : "hide"} the output`}
        title={folded() ? "Show the output" : "Hide the output"}
        onClick={() => cards.fold(block.block_id)}
      >
        {folded() ? "▸" : status().glyph}
      </button>
      <HostPill of={block.block_id} />
      <span class={`pill ${whoOf(block.actor).kind}`}>{whoOf(block.actor).word}</span>
      <Command cmd={block.cmd} />
      <span class="r">
        <Show when={elsewhere()}>
          <span class="opt cwd" title={place()}>
            {shortPath(place())}
          </span>
        </Show>
        <time class="opt" datetime={new Date(block.ts_begin).toISOString()} title={new Date(block.ts_begin).toString()}>
          {clockWord(block.ts_begin)}
        </time>
        <Show when={status().tone === "fail" || status().tone === "lost"}>
          <span class={status().tone === "fail" ? "bad" : ""}>{status().word}</span>
        </Show>
        <Show when={long()}>
          <span>{durationWord(block.duration_ms ?? 0)}</span>
        </Show>
        <CardMenu {...props} />
      </span>
    </header>
  );
}

/** The line, or the first of several with a way to see them all. */
export function Command(props: { cmd: string | null }) {
  const [open, setOpen] = createSignal(false);
  const lines = () => (props.cmd ?? "").split("\n");
  return (
    <Show when={props.cmd !== null} fallback={<code class="cmd unknown">the shell did not tell this command</code>}>
      <code class="cmd" data-open={open()} title={open() ? undefined : marked(firstLine(props.cmd))}>
        {open()
          ? lines()
              .map((line) => marked(line))
              .join("\n")
          : marked(lines()[0] ?? "")}
      </code>
      <Show when={lines().length > 1}>
        <button type="button" class="more" aria-expanded={open()} onClick={() => setOpen(!open())}>
          {open() ? "less" : `+${lines().length - 1} lines`}
        </button>
      </Show>
    </Show>
  );
}
