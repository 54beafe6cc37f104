// What holds in every view of the page, on a phone and on a desk: axe-core finds nothing, nothing lies over anything else,
// and nothing has to be scrolled sideways.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { crowded } from "../fixtures/page/crowded.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { VIEWS, type View } from "../fixtures/page/views.ts";
import { LONG_TEST_MS } from "../fixtures/soon.ts";

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1360, height: 860 };

describe("every view", () => {
  const {
    person,
    helper,
    denyAll,
    folder,
    tab: newTab,
    openBash,
    trust,
  } = sharedPages({
    config: { restore: { budget_ms: 60_000 } },
  });
  let id: string;

  beforeAll(async () => {
    id = await openBash({ name: "work", cwd: folder({ "notes.txt": "one\n" }) });
    await person.run_command({ session_id: id, command: "printf '\\033[31mred\\033[32m green\\033[0m\\n'; false" });
    await trust(id);
    await helper.run_command({ session_id: id, command: "echo made >> notes.txt" });
    await person.policy({ session_id: id, level: "ask_first", safe_mode: "on" });
  });

  /** An agent's question: denied afterwards, so each needs other words. */
  const approval = (words: string): View => ({
    lead: async (page) => {
      await helper.run_command({ session_id: id, command: `npm install ${words}`, timeout_ms: 0 });
      await page.locator(".appr").waitFor();
    },
    back: async (page) => {
      await denyAll();
      await page.locator(".appr").waitFor({ state: "detached" });
    },
  });

  async function opened(viewport: { width: number; height: number }): Promise<Tab> {
    const tab = await newTab({ viewport });
    await tab.page.emulateMedia({ reducedMotion: "reduce" });
    // A phone has no footer that says so.
    await tab.go(id);
    await tab.page.locator(".crumb b", { hasText: "work" }).waitFor();
    await tab.prompt.waitFor();
    return tab;
  }

  /** Looks at each view in each width, and for axe-core in the first of them in both themes: all rules in one of them. */
  async function look(page: Page, views: Readonly<Record<string, View>>, sizes: readonly (typeof DESK)[]) {
    const wrong = new Set<string>();
    for (const [name, view] of Object.entries(views)) {
      await view.lead(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        const rules = colorScheme === "light" ? "all" : "colours";
        for (const text of await violations(page, rules, view.within)) wrong.add(`${name}, ${colorScheme}: ${text}`);
      }
      for (const size of [...sizes, ...sizes.slice(0, 1)]) {
        await page.setViewportSize(size);
        for (const text of await crowded(page)) wrong.add(`${name}, ${size.width} px: ${text}`);
      }
      await view.back(page);
    }
    return [...wrong];
  }

  test("what lies over something else, or sticks out, is found", async () => {
    const { page, prompt } = await opened(DESK);
    expect(await crowded(page)).toEqual([]);
    const send = page.locator("button.send");
    const move = (left: number) =>
      send.evaluate((el: HTMLElement, px) => {
        [el.style.position, el.style.left] = ["relative", `${px}px`];
      }, left);
    await move(-40 - Math.round(((await prompt.boundingBox())?.width ?? 0) / 2));
    expect(await crowded(page)).toEqual([expect.stringContaining("lies under")]);
    await move(1000);
    expect(await crowded(page)).toEqual([expect.stringContaining("sticks out")]);
  });

  test("on a phone: axe-core finds nothing, and nothing overlaps from 320 to 700 px", {
    timeout: LONG_TEST_MS,
  }, async () => {
    const { page } = await opened(PHONE);
    const sizes = [PHONE, { width: 320, height: 640 }, { width: 700, height: 800 }];
    expect(await look(page, { ...VIEWS, approval: approval("left-pad") }, sizes)).toEqual([]);
  });

  test("on a desk: axe-core finds nothing, and nothing overlaps from 1360 to 2560 px", {
    timeout: LONG_TEST_MS,
  }, async () => {
    const { page } = await opened(DESK);
    const sizes = [DESK, { width: 2560, height: 1300 }];
    expect(await look(page, { ...VIEWS, approval: approval("right-pad") }, sizes)).toEqual([]);
  });
});
