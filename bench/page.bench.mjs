// How soon the page is there: first paint, first text of the terminal, and how much is loaded for it.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { quantile, table, withStand } from "./stand.mjs";

export const question =
  "How soon is the page there? (loopback, empty cache, goal: first paint < 300 ms, JS ≤ 165 KB gzip)";

const LOADS = 10;
const GOAL_MS = 300;
const GOAL_BYTES = 165 * 1024;
const ASSETS = fileURLToPath(new URL("../dist/web/assets/", import.meta.url));

function gzipped(fits) {
  const files = readdirSync(ASSETS).filter(fits);
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(ASSETS + file)).length, 0);
}

/** One visit with nothing in the cache, by a browser that is signed in. */
async function visit(browser, state, address) {
  const context = await browser.newContext({ storageState: state, viewport: { width: 1360, height: 860 } });
  const page = await context.newPage();
  // Looked for in every frame by the page itself: asking it from here takes longer than some of what is measured.
  await page.addInitScript(() => {
    const look = () => {
      if (window.__duetty?.rows().some((row) => row.includes("ready-to-look"))) window.textAt = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(address);
  await page.waitForFunction(() => window.textAt);
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    text: window.textAt,
  }));
  await context.close();
  return seen;
}

export async function run() {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await withStand(async ({ client }) => {
      const { session_id } = await client.pty_open({ command: ["sh", "-c", "echo ready-to-look; exec cat"] });
      const first = await browser.newContext();
      const page = await first.newPage();
      const { url } = await client.login_code({});
      await page.goto(url);
      await page.waitForURL((at) => at.pathname === "/");
      const state = await first.storageState();
      const address = `${new URL(url).origin}/#/${session_id}`;
      const visits = [];
      for (let i = 0; i < LOADS; i += 1) visits.push(await visit(browser, state, address));
      const of = (name, q) =>
        quantile(
          visits.map((seen) => seen[name]),
          q,
        );
      const rows = [
        ["first paint, p50 ms", of("paint", 0.5).toFixed(0), of("paint", 0.5) < GOAL_MS ? "yes" : "NO"],
        ["first paint, worst ms", of("paint", 1).toFixed(0), ""],
        ["the terminal's text, p50 ms", of("text", 0.5).toFixed(0), ""],
      ];
      // The page names what it begins with; the rest is loaded when it is needed.
      const index = readFileSync(`${ASSETS}../index.html`, "utf8");
      const script = gzipped((file) => file.endsWith(".js") && index.includes(file));
      rows.push(["JavaScript, gzip bytes", script, script <= GOAL_BYTES ? "yes" : "NO"]);
      rows.push([
        "Markdown grammar, when an agent speaks, gzip bytes",
        gzipped((file) => /^markdown-.*js$/.test(file)),
        "",
      ]);
      rows.push(["styles, gzip bytes", gzipped((file) => file.endsWith(".css")), ""]);
      rows.push(["WebGL renderer, when used, gzip bytes", gzipped((file) => file.includes("webgl")), ""]);
      table(["what", "figure", "goal met"], rows);
      await client.pty_close({ session_id });
    });
  } finally {
    await browser.close();
  }
}
