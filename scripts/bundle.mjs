// Makes dist of build: the CLI, the daemon, the holder and what users import, in few files. A daemon that loads 600 modules
// needs twice the time to start. What is loaded on demand stays a file of its own. Names of chunks have no hash: a daemon
// that runs while it is built again still finds what it has not loaded yet.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { files } from "./package/entries.mjs";
import { writeLicences } from "./package/licences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const MAINS = ["cli/main", "serve/main", "holder/main"];
/** Nobody imports it: Electron loads it by its path. */
const PRELOAD = "entry/electron-preload-script";
/** Binaries that must lie in their own package, models' packages, which are optional, and the host of the bridge. */
const APART = /^(?:@lydell\/node-pty|koffi|ai|@ai-sdk|electron)(?:\/|$)/;
/** The terminal engine. Of its package we use nothing else. */
const ENGINE = join(root, "node_modules/libghostty-vt-node/wasm/ghostty-vt.wasm");
/** What Vite puts into the page. */
const PAGE = [
  "@xterm/xterm",
  "@xterm/addon-fit",
  "@xterm/addon-search",
  "@xterm/addon-serialize",
  "@xterm/addon-unicode11",
]
  .concat(["@xterm/addon-webgl", "marked", "solid-js"])
  .map((name) => join(root, "node_modules", name, "package.json"));

async function bundled(names, platform, output) {
  const input = Object.fromEntries(names.map((name) => [name, join(root, "build", `${name}.js`)]));
  const bundle = await rolldown({ input, platform, external: APART });
  const written = await bundle.write({ chunkFileNames: "chunks/[name].js", minifyInternalExports: false, ...output });
  await bundle.close();
  return written.output.flatMap(({ moduleIds = [] }) => moduleIds);
}

// The page is built into dist/web by Vite, which empties it itself.
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== "web") rmSync(join(dist, name), { recursive: true });
const modules = await bundled([...MAINS, ...files("node")], "node", { dir: dist });
for (const name of files("browser"))
  modules.push(...(await bundled([name], "browser", { dir: join(dist, "browser"), entryFileNames: "[name].js" })));
// One file each: a sandboxed preload script may require nothing else.
for (const name of [...files("cjs"), PRELOAD]) {
  const file = { dir: join(dist, "cjs"), format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false };
  modules.push(...(await bundled([name], "node", file)));
}
copyFileSync(ENGINE, join(dist, "ghostty-vt.wasm"));
writeLicences(join(dist, "licences.txt"), [...modules, ENGINE, ...PAGE]);
