// A session's time line: who worked when, what failed, what was asked, and the current position. Owns: where the pointer is.
import { createMemo, createSignal, For, Show } from "solid-js";
import { elapsedWord, spokenWord } from "../text/numbers.ts";
import { blockAt, percent, segmentsOf, ticksOf } from "./marks.ts";
import type { Replay } from "./replay.ts";

interface ScrubberProps {
  readonly replay: Replay;
  /** A moment was chosen by the pointer. */
  onChoose(ts: number): void;
}

export function Scrubber(props: ScrubberProps) {
  const { replay } = props;
  let bar: HTMLDivElement | undefined;
  const [over, setOver] = createSignal<number>();
  const axis = replay.axis;
  const blocks = () => replay.recording()?.blocks ?? [];
  const place = () => {
    const known = axis();
    return known && replay.facts.at !== undefined ? percent(replay.facts.at, known) : 100;
  };
  const played = () => axis()?.played(replay.at) ?? 0;
  const spoken = () => [spokenWord(played()), blockAt(blocks(), replay.at)?.cmd].filter(Boolean).join(", ");

  function momentAt(event: PointerEvent): number | undefined {
    const known = axis();
    if (!bar || !known) return undefined;
    const { left, width } = bar.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - left) / width));
    setOver(part * 100);
    return known.moment(part * known.length_ms);
  }
  function drag(event: PointerEvent): void {
    const ts = momentAt(event);
    if (ts !== undefined && event.buttons === 1) props.onChoose(ts);
  }
  return (
    <div
      ref={bar}
      class="scrub"
      role="slider"
      tabIndex={0}
      aria-label="Replay position"
      aria-valuemin={0}
      aria-valuemax={Math.round((axis()?.length_ms ?? 0) / 1000)}
      aria-valuenow={Math.round(played() / 1000)}
      aria-valuetext={spoken()}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
      onPointerLeave={() => setOver(undefined)}
    >
      <Drawn replay={replay} />
      <i class="at" style={{ left: `${place()}%` }} />
      <Show when={over() !== undefined && axis()} keyed>
        {(known) => (
          <Hint part={over() ?? 0} text={hintText(replay, known.moment(((over() ?? 0) / 100) * known.length_ms))} />
        )}
      </Show>
    </div>
  );
}

function hintText(replay: Replay, ts: number): string {
  const cmd = blockAt(replay.recording()?.blocks ?? [], ts)?.cmd;
  return [elapsedWord(replay.axis()?.played(ts) ?? 0), cmd].filter(Boolean).join(" · ");
}

function Hint(props: { part: number; text: string }) {
  return (
    <span class="hint" aria-hidden="true" style={{ left: `${Math.min(88, Math.max(12, props.part))}%` }}>
      {props.text}
    </span>
  );
}

function Drawn(props: { replay: Replay }) {
  const { replay } = props;
  const known = () => ({ axis: replay.axis(), recording: replay.recording() });
  const segments = createMemo(() => {
    const { axis, recording } = known();
    return axis && recording ? segmentsOf(recording.blocks, axis) : [];
  });
  const ticks = createMemo(() => {
    const { axis, recording } = known();
    return axis && recording ? ticksOf(recording.blocks, recording.approvals, axis) : [];
  });
  return (
    <>
      <For each={segments()}>
        {({ who, left, width }) => <i class={who} style={{ left: `${left}%`, width: `${width}%` }} />}
      </For>
      <For each={ticks()}>{({ kind, left }) => <i class={kind} style={{ left: `${left}%` }} />}</For>
    </>
  );
}
