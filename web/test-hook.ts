// What a browser test can see of the live terminal. Read-only and not an API: it changes with the tests.
import type { Live } from "./terminal/live.ts";

declare global {
  interface Window {
    __duetty?: {
      /** The visible rows of the live terminal, right-trimmed; none when no session is shown. */
      rows(): string[];
    };
  }
}

export function exposeForTests(live: () => Live | undefined): void {
  window.__duetty = { rows: () => live()?.terminal.rows() ?? [] };
}
