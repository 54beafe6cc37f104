// How <duetty-terminal> is built: one file to import with its declarations, and the two views as files that are loaded on demand.
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const OURS = `${import.meta.dirname}/../src/embed/element`;
/** As the compiler wrote them (tsconfig.element.json). They need no others: what a page may use stands in one file. */
const DECLARATIONS = `${import.meta.dirname}/../build/element/src/embed/element/element.d.ts`;

function declarations(): Plugin {
  return {
    name: "declarations",
    generateBundle() {
      const source = readFileSync(DECLARATIONS, "utf8");
      if (/\bfrom "|\bimport\(/.test(source)) this.error(`${DECLARATIONS} needs other declarations`);
      this.emitFile({ type: "asset", fileName: "element.d.ts", source });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [declarations()],
  build: {
    // As in vite.config.ts: lower targets break xterm.
    target: "es2022",
    outDir: "../dist/element",
    emptyOutDir: true,
    lib: { entry: `${OURS}/main.ts`, formats: ["es"], fileName: "element" },
    rolldownOptions: { checks: { bundlerTimings: false }, output: { chunkFileNames: "[name].js" } },
    chunkSizeWarningLimit: 700,
  },
});
