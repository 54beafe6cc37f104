// How the pages are built. No inline scripts: the server's policy is script-src 'self'.
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

/** By mode. The page behind a link is built by itself: what it shares with the owner's would make both larger, cut into pieces. */
const PAGES: Readonly<Record<string, readonly string[]>> = { production: ["index", "docs", "pair"], guest: ["guest"] };

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [solid()],
  build: {
    // Lower targets break xterm's DECRQM handler, and vim waits for its answer (xtermjs/xterm.js#5800).
    target: "es2022",
    outDir: "../dist/web",
    emptyOutDir: mode === "production",
    modulePreload: { polyfill: false },
    // An inlined asset would be a data: address, which the policy allows for images only.
    assetsInlineLimit: 0,
    // Nobody needs the timings of the build's own plugins.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: Object.fromEntries((PAGES[mode] ?? []).map((page) => [page, `${import.meta.dirname}/${page}.html`])),
    },
    // The terminal is most of the page and is needed at once.
    chunkSizeWarningLimit: 700,
  },
}));
