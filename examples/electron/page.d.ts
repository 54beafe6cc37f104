// What the page finds in its window: the bridge, and the scripts that index.html loads.
import type { PtyApi } from "duetty/electron/preload";

declare global {
  interface Window {
    readonly pty: PtyApi;
    readonly Terminal: typeof import("@xterm/xterm").Terminal;
    readonly FitAddon: typeof import("@xterm/addon-fit");
  }
}
