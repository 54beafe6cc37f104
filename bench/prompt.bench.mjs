// How long a key takes in the page's prompt, from the key to the painted frame, in a long line with colours, a mark and a suggestion.
import { chromium } from "playwright-core";
import { quantile, SMOKE, table, withStand } from "./stand.mjs";

export const question = "How long is it from a key in the prompt to its paint (16 ms at most, p95)? (ms, Chromium)";

const KEYS = SMOKE ? 20 : 200;
/** A fast typist's pace. Faster keys would wait for the frames of those before them. */
const PACE_MS = 60;
/** Long enough for several rows, with everything that has a colour. */
const LINE = `gti commit -m "a $HOME" --all | grep -v 'x y' > /tmp/out # `.repeat(6);

export async function run() {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await withStand(async ({ client }) => {
      const { session_id } = await client.pty_open({ shell: "/usr/bin/bash" });
      await client.pty_wait({ session_id, any: [{ prompt: true }] });
      const typed = `echo ${"word ".repeat(KEYS / 5)}`;
      await client.run_command({ session_id, command: `: ${typed}` });
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const { url } = await client.login_code({});
      await page.goto(url);
      await page.waitForURL((at) => at.pathname === "/");
      await page.goto(`${new URL(url).origin}/#/${session_id}`);
      const prompt = page.locator("[data-prompt]");
      const rows = [];
      for (const [what, before, keys] of [
        ["an empty line", "", "x".repeat(KEYS)],
        ["a suggestion after every key", ": ", typed],
        ["360 characters in colour", LINE, "x".repeat(KEYS)],
      ]) {
        await prompt.fill(before);
        const took = await measured(page, keys);
        const of = (name, q) =>
          quantile(
            took.map((key) => key[name]),
            q,
          ).toFixed(1);
        rows.push([what, of("work", 0.5), of("work", 0.95), of("paint", 0.5), of("paint", 0.95)]);
        await prompt.fill("");
      }
      table(["in", "work p50", "p95", "painted p50", "p95"], rows);
    });
  } finally {
    await browser.close();
  }
}

/** Of each key: until its handlers are done, and until the frame with it was painted. A frame comes every 16.7 ms. */
async function measured(page, keys) {
  await page.evaluate(() => {
    window.took = [];
    window.timed = (event) => {
      const key = {};
      queueMicrotask(() => {
        key.work = performance.now() - event.timeStamp;
      });
      requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => {
          key.paint = performance.now() - event.timeStamp;
          window.took.push(key);
        };
        after.port2.postMessage(undefined);
      });
    };
    document.addEventListener("input", window.timed);
  });
  for (const key of keys) {
    await page.keyboard.press(key === " " ? "Space" : key);
    await page.waitForTimeout(PACE_MS);
  }
  await page.waitForFunction((count) => window.took.length >= count, keys.length);
  return page.evaluate(() => {
    document.removeEventListener("input", window.timed);
    return window.took;
  });
}
