// What the middle shows when there is no terminal.
import { createSignal, onCleanup, Show } from "solid-js";

/** A list that loads at once needs no message. */
const PATIENCE_MS = 250;

export function Loading() {
  const [late, setLate] = createSignal(false);
  const timer = setTimeout(() => setLate(true), PATIENCE_MS);
  onCleanup(() => clearTimeout(timer));
  return (
    <div class="place" role="status">
      <Show when={late()}>
        <p>Looking for your sessions…</p>
      </Show>
    </div>
  );
}

export function NoSession(props: { onNew(): void }) {
  return (
    <div class="place">
      <p class="glyph" aria-hidden="true">
        ▚
      </p>
      <h1>No session is running</h1>
      <p>A session is a real terminal that you and your agents share. It keeps running when you close this page.</p>
      <button type="button" class="pri" onClick={() => props.onNew()}>
        New session <kbd>Alt N</kbd>
      </button>
      <p class="mut">
        or in a terminal: <code>duetty open</code>
      </p>
    </div>
  );
}

export function SessionGone(props: { onBack(): void }) {
  return (
    <div class="place">
      <h1>This session does not exist</h1>
      <p>It may belong to another machine or another user.</p>
      <button type="button" onClick={() => props.onBack()}>
        Show what is running
      </button>
    </div>
  );
}

export function SignedOut() {
  return (
    <main class="place whole">
      <p class="glyph" aria-hidden="true">
        ▚
      </p>
      <h1>You are signed out</h1>
      <p>
        Run <code>duetty</code> in a terminal to get a new link.
      </p>
      <p>
        On another device: <a href="/pair">pair it</a> with a code from the machine.
      </p>
      <p class="mut">Your sessions keep running.</p>
    </main>
  );
}
