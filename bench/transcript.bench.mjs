// How smooth a long transcript is: thousands of commands, the wheel and the keys through them.
import { setTimeout as delay } from "node:timers/promises";
import { chromium } from "playwright-core";
import { quantile, table, withStand } from "./stand.mjs";

export const question = "Is a transcript of 5,000 commands smooth? (goal: 95 of 100 frames within 33 ms)";

const BLOCKS = 5_000;
/** Two frames of a usual screen. */
const GOAL_MS = 33.4;
/** Lines that the shell gets at once. */
const LINES = 250;
const POLL_MS = 100;
/** Notches of a wheel in a hand that hurries (four screens a second), and a flick on a wheel that spins freely (fourteen). */
const WHEEL = { px: 120, turns: 100, every_ms: 30 };
const FLICK = { px: 700, turns: 60, every_ms: 50 };
/** The list comes in pages of 200. */
const PAGES_MAX = 30;
/** Outputs come after the cards. */
const REST_MS = 500;

async function fill(client, session_id) {
  await client.pty_wait({ session_id, any: [{ prompt: true }], timeout_ms: 30_000 });
  for (let at = 0; at < BLOCKS; at += LINES) {
    const text = Array.from({ length: LINES }, (_, i) => `echo ${at + i}\n`).join("");
    await client.pty_send({ session_id, text });
    while ((await client.blocks({ session_id, limit: 1 })).total < at + LINES) await delay(POLL_MS);
  }
}

/** Milliseconds between the frames that the page draws while this is done. */
async function frames(page, run) {
  await page.evaluate(() => {
    window.frames_ms = [];
    let before = performance.now();
    const look = (now) => {
      window.frames_ms.push(now - before);
      before = now;
      window.looking = requestAnimationFrame(look);
    };
    window.looking = requestAnimationFrame(look);
  });
  await run();
  return page.evaluate(() => {
    cancelAnimationFrame(window.looking);
    return window.frames_ms.slice(1);
  });
}

async function turn(page, wheel, way) {
  for (let i = 0; i < wheel.turns; i += 1) {
    await page.mouse.wheel(0, way * wheel.px);
    await delay(wheel.every_ms);
  }
}

const earlier = (page) => page.locator(".earlier").count();

async function press(page, key) {
  await page
    .locator(".card")
    .first()
    .evaluate((card) => card.focus({ preventScroll: true }));
  await page.keyboard.press(key);
  await delay(REST_MS);
}

async function toBeginning(page) {
  for (let i = 0; i < PAGES_MAX && (await earlier(page)) > 0; i += 1) await press(page, "Home");
  await press(page, "Home");
}

export async function run() {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await withStand(async ({ client }) => {
      const { session_id } = await client.pty_open({ command: ["/bin/bash", "--norc", "-i"] });
      await fill(client, session_id);
      const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
      const { url } = await client.login_code({});
      await page.goto(url);
      await page.waitForURL((at) => at.pathname === "/");
      await page.locator('.scroll[data-settled="true"] .card').first().waitFor();
      await page.mouse.move(600, 400);
      await page.locator(".card header").last().click();
      const devtools = await page.context().newCDPSession(page);
      const rows = [];
      const measure = async (what, does) => {
        const ms = await frames(page, does);
        const at = (q) => quantile(ms, q).toFixed(0);
        await devtools.send("HeapProfiler.collectGarbage");
        const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
        const cards = await page.locator(".card").count();
        const met = quantile(ms, 0.95) <= GOAL_MS ? "yes" : "NO";
        rows.push([what, ms.length, at(0.5), at(0.95), at(1), cards, (heap / 2 ** 20).toFixed(0), met]);
      };
      await measure("nothing happens", () => delay(2_000));
      await measure("wheel up from the end", () => turn(page, WHEEL, -1));
      await measure("flick up from there", () => turn(page, FLICK, -1));
      await measure("Home until all 5,000 are there", () => toBeginning(page));
      await measure("wheel down from the beginning", () => turn(page, WHEEL, 1));
      await measure("flick down from there", () => turn(page, FLICK, 1));
      await measure("End, Home, End", async () => {
        for (const key of ["End", "Home", "End"]) await press(page, key);
      });
      await measure("wheel up with all of them", () => turn(page, WHEEL, -1));
      table(["what", "frames", "p50 ms", "p95 ms", "worst ms", "cards drawn", "heap MiB", "goal met"], rows);
      await client.pty_close({ session_id });
    });
  } finally {
    await browser.close();
  }
}
