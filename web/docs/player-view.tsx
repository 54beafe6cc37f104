// The recording with what leads through it: play, a slider, and the parts of the story.
import { createMemo, For, onCleanup, onMount } from "solid-js";
import { LiveTerminal } from "../terminal/live-terminal.ts";
import type { Cast } from "./cast.ts";
import { createPlayer, type Player } from "./player.ts";

/** The slider's step. The last step is at or after the end. */
const STEP_S = 0.25;

export function PlayerView(props: { cast: Cast }) {
  const { cast } = props;
  let host: HTMLDivElement | undefined;
  let terminal: LiveTerminal | undefined;
  const encoder = new TextEncoder();
  const player = createPlayer(cast, (text) => terminal?.write(encoder.encode(text), 0, () => undefined));
  onMount(() => {
    if (!host) return;
    terminal = new LiveTerminal(host, { onTyped: () => undefined, onDrawn: () => undefined });
    terminal.resize(cast);
    const keyboard = host.querySelector("textarea");
    if (keyboard) Object.assign(keyboard, { readOnly: true, tabIndex: -1, ariaLabel: "Recorded terminal, read only" });
    player.seek(0);
  });
  onCleanup(() => terminal?.dispose());
  const part = createMemo(() => cast.parts.findLastIndex((one) => one.at <= player.at()));
  return (
    <section class="player" aria-label="Recording" data-at={player.at().toFixed(2)}>
      <div class="screen">
        <div class="host" ref={host} />
      </div>
      <Controls cast={cast} player={player} part={part()} />
      <Parts cast={cast} player={player} part={part()} />
    </section>
  );
}

interface PartProps {
  readonly cast: Cast;
  readonly player: Player;
  /** Index of the part that is told now. */
  readonly part: number;
}

function Controls(props: PartProps) {
  const { cast, player } = props;
  const max = Math.ceil(cast.length_s / STEP_S) * STEP_S;
  const spoken = () => `${clock(player.at())} of ${clock(cast.length_s)}, ${cast.parts[props.part]?.name ?? ""}`;
  return (
    <div class="controls">
      <button type="button" class="play" onClick={() => (player.isPlaying() ? player.pause() : player.play())}>
        {player.isPlaying() ? "Pause" : "Play"}
      </button>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={spoken()}
        min={0}
        max={max}
        step={STEP_S}
        value={player.at() < cast.length_s ? player.at() : max}
        onInput={(event) => player.seek(event.currentTarget.valueAsNumber)}
      />
      <span class="time">
        {clock(player.at())} / {clock(cast.length_s)}
      </span>
    </div>
  );
}

function Parts(props: PartProps) {
  const { cast, player } = props;
  const lead = (at: number) => {
    player.seek(at);
    player.play();
  };
  return (
    <ol class="parts" aria-label="Parts of the story">
      <For each={cast.parts}>
        {({ at, name }, i) => (
          <li>
            <button type="button" aria-current={props.part === i() ? "step" : undefined} onClick={() => lead(at)}>
              <span class="time">{clock(at)}</span> {name}
            </button>
          </li>
        )}
      </For>
    </ol>
  );
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
