// How the page is built. No inline scripts: the server's policy is script-src 'self'.
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [solid()],
  build: {
    // Lower targets break xterm's DECRQM handler, and vim waits for its answer (xtermjs/xterm.js#5800).
    target: "es2022",
    outDir: "../dist/web",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // An inlined asset would be a data: address, which the policy allows for images only.
    assetsInlineLimit: 0,
    // Nobody needs the timings of the build's own plugins.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { index: `${import.meta.dirname}/index.html`, docs: `${import.meta.dirname}/docs.html` },
    },
    // The terminal is most of the page and is needed at once.
    chunkSizeWarningLimit: 700,
  },
});
