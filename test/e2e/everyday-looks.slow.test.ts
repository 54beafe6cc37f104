// How the page looks in everyday use: nothing overlaps where there is little room, lines keep their look when a command ends,
// and there is a visible way out of the terminal.
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

describe("everyday looks", () => {
  const { person, helper, denyAll, folder, tab: newTab, openBash } = sharedPages();
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    id = await openBash({ name: "work", cwd: folder() });
    await person.run_command({ session_id: id, command: "echo something" });
    tab = await newTab();
    await tab.show(id);
  });

  /** Pairs of neighbours in a bar that lie over each other, and what sticks out of it. */
  const crowded = (bar: string) =>
    tab.page.locator(bar).evaluate((el) => {
      const own = el.getBoundingClientRect();
      const parts = [...el.querySelectorAll("button, b, .logo, .pill, .state")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.querySelector("button"))
        .map((one) => ({ name: one.textContent?.trim() ?? "", box: one.getBoundingClientRect(), one }));
      const over = parts.flatMap((a, i) =>
        parts
          .slice(i + 1)
          .filter((b) => !a.one.contains(b.one) && a.box.right > b.box.left + 1 && b.box.right > a.box.left + 1)
          .map((b) => `${a.name} over ${b.name}`),
      );
      const out = parts
        .filter(({ box }) => box.right > own.right + 1 || box.left < own.left - 1)
        .map(({ name }) => name);
      const cut = parts.filter(({ one }) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0);
      return [...over, ...out, ...cut.filter(({ one }) => one.closest(".seg")).map(({ name }) => `${name} is cut`)];
    });

  test.each([320, 390, 700, 900, 1360])("the bars of a page %s px wide have room for all they show", async (width) => {
    await tab.page.setViewportSize({ width, height: 800 });
    await expect.poll(() => crowded("header.top")).toEqual([]);
    await expect.poll(() => crowded("main .crumb")).toEqual([]);
    const logo = await tab.page.locator(".logo").boundingBox();
    if (width >= 700) expect(logo?.height).toBeLessThan(30);
    await tab.page.setViewportSize({ width: 1360, height: 860 });
  });

  test("no two switches use the same words, and no key is named that does not work now", async () => {
    const words = (locator: string) => tab.page.locator(locator).allTextContents();
    const [modes, filters] = [await words("[aria-label=Mode] button"), await words(".filters button")];
    expect(modes.filter((word) => filters.includes(word))).toEqual([]);
    await tab.page.keyboard.press("Control+Shift+P");
    const mode = tab.page.getByRole("option", { name: /^Next mode/ });
    expect(await mode.locator("kbd").textContent()).toBe("Ctrl `");
    await tab.page.keyboard.press("Escape");

    await helper.run_command({ session_id: id, command: "npm install left-pad", timeout_ms: 0 });
    const key = tab.card.locator("kbd", { hasText: "Ctrl ⌫" });
    await key.waitFor();
    await tab.prompt.fill("half a line");
    await expect.poll(() => key.isVisible()).toBe(false);
    await tab.prompt.fill("");
    await expect.poll(() => key.isVisible()).toBe(true);
    await denyAll();
    await tab.card.waitFor({ state: "detached" });
  });

  test("in light a line has the same paper while its command runs and afterwards; a full-screen program is dark", async () => {
    await tab.page.emulateMedia({ colorScheme: "light" });
    await tab.page.locator("html[data-theme=light]").waitFor();
    const paper = (selector: string) =>
      tab.page
        .locator(selector)
        .last()
        .evaluate((el) => getComputedStyle(el).backgroundColor);
    const frozen = await paper(".frozen");
    await tab.prompt.focus();
    await tab.page.keyboard.type("read x; vim -u NONE -N\n");
    await tab.focused("terminal");
    expect(await paper(".live-body")).toBe(frozen);
    await expect.poll(() => paper(".live-body .xterm-scrollable-element, .live-body .xterm-viewport")).toBe(frozen);
    await tab.page.keyboard.press("Enter");
    await tab.page.locator(".live-body[data-alt=true]").waitFor();
    await expect.poll(() => paper(".live-body")).not.toBe(frozen);
    await tab.page.keyboard.type(":q!\n");
    await tab.focused("prompt");
    await tab.page.emulateMedia({ colorScheme: "dark" });
  });

  test("the first row of a full-screen program is in sight while another session asks something", async () => {
    const other = await openBash({ name: "other" });
    await tab.prompt.focus();
    await tab.page.keyboard.type("vim -u NONE -N\n");
    await tab.page.locator(".live-body[data-alt=true]").waitFor();
    await helper.run_command({ session_id: other, command: "npm install left-pad", timeout_ms: 0 });
    await tab.page.locator(".dock .asks").waitFor();
    /** How much of the screen lies under the header of its card or is scrolled away. */
    const hidden = () =>
      tab.page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const header = document.querySelector(".card.live > header")?.getBoundingClientRect();
        const rows = document.querySelector(".live-body .xterm-screen")?.getBoundingClientRect();
        return header && rows ? Math.round(header.bottom - rows.top) : Number.NaN;
      });
    for (const height of [760, 766, 772, 778, 800]) {
      await tab.page.setViewportSize({ width: 1280, height });
      // A new height takes a moment to become rows.
      await expect.poll(hidden).toBeLessThanOrEqual(0);
    }
    await tab.page.setViewportSize({ width: 1360, height: 860 });
    await denyAll();
    await tab.page.keyboard.type(":q!\n");
    await tab.focused("prompt");
  });

  test("the last row of a plain terminal is in sight while another session asks something, and the first can be scrolled to", async () => {
    const [plain, other] = [await openBash({ name: "plain" }), await openBash({ name: "asks" })];
    const whole = await newTab({ view: "plain" });
    await whole.show(plain, "plain");
    /** How much of the terminal's screen lies beyond the edges of its stage. */
    const beyond = () =>
      whole.page.evaluate(() => {
        const stage = document.querySelector(".stage")?.getBoundingClientRect();
        const rows = document.querySelector(".stage .xterm-screen")?.getBoundingClientRect();
        const px = stage && rows ? [stage.top - rows.top, rows.bottom - stage.bottom] : [Number.NaN, Number.NaN];
        return px.map((one) => Math.max(0, Math.round(one)));
      });
    const screen = whole.page.locator(".stage .xterm-screen");
    // The page's own size: as many rows as there is room for.
    await expect.poll(async () => (await screen.boundingBox())?.height).toBeGreaterThan(600);
    expect(await beyond()).toEqual([0, 0]);
    await helper.run_command({ session_id: other, command: "npm install left-pad", timeout_ms: 0 });
    await whole.page.locator(".dock .asks").waitFor();
    await expect.poll(beyond).toEqual([expect.any(Number), 0]);
    expect((await beyond())[0]).toBeGreaterThan(0);
    await screen.hover();
    await whole.page.evaluate(() => document.querySelector(".stage")?.scrollBy(0, -1_000));
    await expect.poll(async () => (await beyond())[0]).toBe(0);
    await denyAll();
  });

  test("a long line wraps, and Ctrl+Z stops a command: it did not fail, and the page says one thing about the keyboard", async () => {
    await person.run_command({ session_id: id, command: "printf 'word %.0s' {1..80}; echo end-of-line" });
    const long = tab.page.locator(".frozen pre", { hasText: "end-of-line" });
    await expect.poll(() => long.evaluate((el) => el.scrollWidth <= el.clientWidth)).toBe(true);
    await tab.page.keyboard.type(`sleep 600 # ${"a long command ".repeat(10)}\n`);
    await tab.focused("terminal");
    await expect.poll(() => crowded(".inp.live")).toEqual([]);
    await tab.page.getByText("● you have the keyboard").waitFor();
    await tab.page.locator("footer", { hasText: "keyboard: you" }).waitFor();
    await tab.page.keyboard.press("Control+z");
    await tab.focused("prompt");
    const stopped = tab.page.locator("article", { hasText: "sleep 600" });
    await stopped.getByText("stopped", { exact: true }).waitFor();
    await tab.page.locator(".hint .ended", { hasText: "stopped" }).waitFor();
    await tab.page.locator(".filters").getByText("Failed").click();
    await stopped.waitFor({ state: "detached" });
    await tab.page.locator(".filters").getByText("All").click();
    await stopped.waitFor();
    await tab.prompt.focus();
    await tab.page.keyboard.type("kill %1\n");
    await expect.poll(async () => (await person.blocks({ session_id: id })).blocks.at(-1)?.cmd).toBe("kill %1");
    await tab.focused("prompt");
  });

  test("while the terminal has the keys, a button and F6 lead out of it", async () => {
    await tab.page.keyboard.type("read x\n");
    await tab.focused("terminal");
    await tab.button("Leave F6").waitFor();
    await tab.page.keyboard.press("F6");
    await until(async () => (await tab.focus()) !== "terminal", "another focus");
    expect(await tab.page.evaluate(() => document.activeElement?.closest("nav") !== null)).toBe(true);
    expect(await tab.button("Leave F6").isVisible()).toBe(false);
    await tab.page.keyboard.press("F6");
    await tab.focused("terminal");
    await tab.button("Leave F6").click();
    expect(await tab.page.evaluate(() => document.activeElement?.closest("nav") !== null)).toBe(true);
    await tab.page.keyboard.press("F6");
    await tab.focused("terminal");
    await tab.page.keyboard.press("Enter");
    await tab.focused("prompt");
  });
});
