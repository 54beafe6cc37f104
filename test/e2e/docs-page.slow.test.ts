// The docs page in a real browser: anybody may read it, without a session; its recording plays to the end and can be sought
// through; every doc it links to is there.
import fs from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import { SOON_MS, until } from "../fixtures/soon.ts";

/** The recording and a machine that is busy. */
const PLAYED_MS = 90_000;

describe("the docs page", () => {
  const { person, browser } = sharedPages();
  const complaints: string[] = [];
  let page: Page;

  beforeAll(async () => {
    // A new context: no cookie, nobody signed in.
    page = await (await browser().newContext({ viewport: { width: 1100, height: 900 } })).newPage();
    page.setDefaultTimeout(SOON_MS);
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(new URL("/docs", (await person.login_code({})).url).href);
    await rowsHave("~/shop $");
  });
  afterAll(() => expect(complaints).toEqual([]));

  const rows = () =>
    page
      .locator(".player .xterm-rows > div")
      .evaluateAll((all) => all.map((row) => (row.textContent ?? "").replaceAll("\u00a0", " ").trimEnd()));
  const slider = () => page.getByRole("slider", { name: "Position" });

  async function rowsHave(text: string): Promise<void> {
    await until(async () => (await rows()).some((row) => row.includes(text)), `"${text}" in the recording`);
  }

  async function seek(seconds: number): Promise<void> {
    await slider().fill(String(seconds));
  }

  test("goes to any part of the story, and back", async () => {
    await page.getByRole("button", { name: /A risky line/ }).click();
    await rowsHave("wants to run: rm -rf build");
    await page.getByRole("button", { name: "Pause" }).click();
    await seek(0.3);
    await until(async () => (await rows()).filter((row) => row !== "").length === 1, "the beginning");
    await rowsHave("~/shop $");
    await slider().focus();
    await page.keyboard.press("End");
    await rowsHave("agent:ada  rm -rf build");
    await page.keyboard.press("Home");
    await until(async () => !(await rows()).some((row) => row.includes("rm -rf")), "the beginning again");
  });

  test(
    "the recording plays to its end, and the play button starts it again",
    async () => {
      await page.getByRole("button", { name: "Play" }).click();
      await rowsHave("duetty open");
      const isOver = async () => (await slider().inputValue()) === (await slider().getAttribute("max"));
      await page.getByRole("button", { name: /A password/ }).click();
      await until(async () => (await page.getByRole("button", { name: "Play" }).count()) === 1, "the end", PLAYED_MS);
      expect(await isOver()).toBe(true);
      await rowsHave("agent:ada  ./deploy");
      await page.getByRole("button", { name: "Play" }).click();
      await until(async () => !(await isOver()), "a new beginning");
      await page.getByRole("button", { name: "Pause" }).click();
    },
    PLAYED_MS + SOON_MS,
  );

  test("shows every doc that it lists, formatted; links lead from one to the next, and to the file itself", async () => {
    const names = await page.locator("dl a").evaluateAll((all) => all.map((link) => link.textContent ?? ""));
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator('.doc .head[data-depth="1"]').waitFor();
      await page.getByRole("link", { name: "All docs" }).click();
    }
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.locator(".doc").getByRole("link", { name: "gate.md" }).first().click();
    await page.locator(".doc th", { hasText: "ends with" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#docs/gate.md");
    const address = await page.getByRole("link", { name: "As plain text" }).getAttribute("href");
    const answer = await fetch(new URL(address ?? "", page.url()));
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await answer.text()).toBe(fs.readFileSync("docs/gate.md", "utf8"));
  });

  test("fits a phone and axe-core finds nothing, in both themes", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await violations(page), colorScheme).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    await page.getByRole("link", { name: "All docs" }).click();
    await page.locator(".player").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
