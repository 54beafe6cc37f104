// Whether this page has a window of its own, where a browser's keys are the page's: installed as an app, opened by `duetty app`, or
// the full screen with the keys locked. Owns: that lock.
import { type Accessor, createMemo, createSignal, onCleanup } from "solid-js";
import { createMedia } from "./media.ts";

const OWN = "(display-mode: standalone), (display-mode: minimal-ui), (display-mode: window-controls-overlay)";
const FULL = "(display-mode: fullscreen)";
/** A browser keeps these otherwise. Escape is a key of programs: one leaves the full screen by holding it down. */
const LOCKED = ["Escape", "KeyT", "KeyW", "KeyN"];

/** Not in the types of browsers, because not all have it. */
interface KeyboardLock {
  lock(codes: readonly string[]): Promise<void>;
  unlock(): void;
}

export interface OwnWindow {
  /** Ctrl+T, Ctrl+W and Ctrl+N come to the page. */
  readonly hasKeys: Accessor<boolean>;
  readonly isFull: Accessor<boolean>;
  /** Whether a tab can have the whole screen with all keys. */
  canFill(): boolean;
  fill(): void;
}

export function createOwnWindow(): OwnWindow {
  const [own, full] = [createMedia(OWN), createMedia(FULL)];
  const [locked, setLocked] = createSignal(false);
  const keyboard = (navigator as { keyboard?: KeyboardLock }).keyboard;
  const left = () => {
    if (document.fullscreenElement) return;
    keyboard?.unlock();
    setLocked(false);
  };
  document.addEventListener("fullscreenchange", left);
  onCleanup(() => document.removeEventListener("fullscreenchange", left));

  async function lock(): Promise<void> {
    await document.documentElement.requestFullscreen();
    await keyboard?.lock(LOCKED);
    setLocked(document.fullscreenElement !== null);
  }
  return {
    // An app's window that fills the screen is still its own.
    hasKeys: createMemo<boolean>((was) => own() || locked() || (full() && was), false),
    isFull: locked,
    canFill: () => keyboard !== undefined,
    fill() {
      if (locked()) void document.exitFullscreen();
      // A browser may refuse, and then everything is as it was.
      else lock().catch(() => undefined);
    },
  };
}
