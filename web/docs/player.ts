// Plays a recording into a terminal. Owns: the moment that is shown and the clock that moves it. Going back
// starts from the beginning: a recording of this size is replayed faster than a picture is drawn.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { Cast } from "./cast.ts";

/** CAN and RIS: whatever was half written ends, and the terminal is as new. */
const RESET = "\x18\x1bc";

export interface Player {
  /** Seconds from the beginning. */
  readonly at: Accessor<number>;
  readonly isPlaying: Accessor<boolean>;
  play(): void;
  pause(): void;
  seek(to: number): void;
}

export function createPlayer(cast: Cast, write: (text: string) => void): Player {
  const [at, setAt] = createSignal(0);
  const [isPlaying, setPlaying] = createSignal(false);
  let next = 0;
  let frame = 0;

  function seek(to: number): void {
    const wanted = Math.min(Math.max(0, to), cast.length_s);
    let text = "";
    if (wanted < at()) {
      text = RESET;
      next = 0;
    }
    for (let event = cast.events[next]; event && event.at <= wanted; event = cast.events[next]) {
      text += event.text;
      next += 1;
    }
    if (text !== "") write(text);
    setAt(wanted);
  }
  function pause(): void {
    cancelAnimationFrame(frame);
    setPlaying(false);
  }
  function play(): void {
    if (isPlaying()) return;
    if (at() >= cast.length_s) seek(0);
    setPlaying(true);
    let before = performance.now();
    const tick = (now: number) => {
      seek(at() + Math.max(0, now - before) / 1000);
      before = now;
      if (at() >= cast.length_s) setPlaying(false);
      else frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  }
  onCleanup(pause);
  return { at, isPlaying, play, pause, seek };
}
