// Makes dist of build: the CLI, the daemon and the holder in few files. A daemon that loads 600 modules needs twice the
// time to start. What is loaded on demand stays a file of its own. Names of chunks have no hash: a daemon that runs while
// it is built again still finds what it has not loaded yet.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const MAINS = ["cli/main", "serve/main", "holder/main"];
/** Binaries that must lie in their own package, and models' packages, which are optional. */
const APART = /^(?:@lydell\/node-pty|koffi|ai|@ai-sdk)(?:\/|$)/;
/** The terminal engine, with the licence that goes with it. Of its package we use nothing else. */
const ENGINE = { "wasm/ghostty-vt.wasm": "ghostty-vt.wasm", LICENSE: "ghostty-vt.LICENSE" };

const bundle = await rolldown({
  input: Object.fromEntries(MAINS.map((name) => [name, join(root, "build", `${name}.js`)])),
  platform: "node",
  external: APART,
});
// The page is built into dist/web by Vite, which empties it itself.
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== "web") rmSync(join(dist, name), { recursive: true });
await bundle.write({ dir: dist, chunkFileNames: "chunks/[name].js", minifyInternalExports: false });
await bundle.close();
for (const [from, to] of Object.entries(ENGINE))
  copyFileSync(join(root, "node_modules/libghostty-vt-node", from), join(dist, to));
