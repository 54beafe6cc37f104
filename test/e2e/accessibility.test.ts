import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { SOON_MS } from "../fixtures/soon.ts";

/** More stops than any view has. */
const TABS_MAX = 150;

describe("accessibility", () => {
  const { person, helper, denyAll, tab: newTab, open, openBash } = sharedPages();
  let id: string;

  beforeAll(async () => {
    id = await openBash({ name: "work" });
    const run = (command: string) => person.run_command({ session_id: id, command, timeout_ms: SOON_MS });
    await run("printf '\\033[31mred\\033[32m green\\033[0m\\n'");
    await run("false");
    const over = await open(["/bin/sh", "-c", "exit 1"]);
    await person.pty_wait({ session_id: over, any: [{ exit: true }] });
  });

  async function opened(theme: "light" | "dark", viewport = { width: 1360, height: 860 }): Promise<Tab> {
    const tab = await newTab({ viewport });
    await tab.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await tab.page.locator(`html[data-theme=${theme}]`).waitFor();
    await tab.go(id);
    await tab.page.locator(".crumb b", { hasText: "work" }).waitFor();
    return tab;
  }

  const action = async (page: Page, words: string) => {
    await page.keyboard.press("Control+Shift+P");
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
  };

  /** What leads to each view, and back. */
  const VIEWS: Readonly<Record<string, readonly [lead: (page: Page) => Promise<unknown>, back: typeof leave]>> = {
    transcript: [(page) => page.locator("article").first().waitFor(), async () => undefined],
    palette: [(page) => page.keyboard.press("Control+Shift+P"), leave],
    settings: [(page) => action(page, "settings"), leave],
    search: [(page) => page.keyboard.press("Control+Shift+F"), leave],
    keys: [(page) => action(page, "keys"), leave],
    new_session: [
      async (page) => {
        await page.keyboard.press("Alt+n");
        await page.locator("dialog summary").click();
      },
      leave,
    ],
    menu: [(page) => page.getByRole("button", { name: "What to do with work" }).click(), leave],
    plain: [
      async (page) => {
        await page.keyboard.press("Alt+m");
        await page.locator(".stage").waitFor();
      },
      (page) => page.keyboard.press("Alt+m"),
    ],
    replay: [
      async (page) => {
        await action(page, "replay this");
        await page.locator(".replay[data-busy=false][data-cursor]").waitFor();
        await page.keyboard.press("?");
      },
      (page) => page.locator(".replay").getByRole("button", { name: "Go live" }).click(),
    ],
    approval: [asks, settles],
    ended: [
      async (page) => {
        await page.getByRole("button", { name: /^Ended/ }).click();
        await page.locator("nav [data-over=true] .sess").click();
        await page.getByText("Exited with code 1").waitFor();
      },
      async () => undefined,
    ],
    gone: [
      async (page) => {
        await page.evaluate(() => {
          location.hash = "#/s_00000000";
        });
        await page.getByText("This session does not exist").waitFor();
      },
      async () => undefined,
    ],
  };

  function leave(page: Page): Promise<unknown> {
    return page.keyboard.press("Escape");
  }

  async function asks(page: Page): Promise<void> {
    await helper.run_command({ session_id: id, command: "npm install left-pad", timeout_ms: 0 });
    await page.locator(".appr").waitFor();
  }

  async function settles(page: Page): Promise<void> {
    await denyAll();
    await page.locator(".appr").waitFor({ state: "detached" });
  }

  test("axe-core finds no violation in the main views, in both themes", async () => {
    const tab = await opened("dark");
    const { page } = tab;
    const wrong = new Set<string>();
    for (const [name, [lead, back]] of Object.entries(VIEWS)) {
      await lead(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        for (const text of await violations(page)) wrong.add(`${name}, ${colorScheme}: ${text}`);
      }
      await back(page);
    }
    expect([...wrong]).toEqual([]);
  });

  test("axe-core finds no violation on a phone or signed out", async () => {
    const tab = await opened("dark", { width: 390, height: 844 });
    const wrong = await violations(tab.page);
    await tab.button("Sessions").click();
    wrong.push(...(await violations(tab.page)));
    await tab.page.context().clearCookies();
    await tab.page.reload();
    await tab.page.getByText("You are signed out").waitFor();
    wrong.push(...(await violations(tab.page)));
    // A browser complains of a socket that is refused.
    tab.complaints.length = 0;
    expect(wrong).toEqual([]);
  });

  test("Tab reaches everything", async () => {
    const tab = await opened("dark");
    await tab.page.locator("article").first().waitFor();
    const seen = await tab.page.evaluate(() => {
      const visible = [
        ...document.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, [tabindex]"),
      ].filter(
        (el) =>
          el.tabIndex >= 0 &&
          el.checkVisibility({ visibilityProperty: true }) &&
          !el.closest("[inert], #parking") &&
          !(el as HTMLButtonElement).disabled,
      );
      for (const [i, el] of visible.entries()) el.dataset.stop = String(i);
      (document.activeElement as HTMLElement | null)?.blur();
      return visible.map((el) => el.getAttribute("aria-label") ?? el.textContent ?? el.tagName);
    });
    const reached = new Set<number>();
    for (let i = 0; i < TABS_MAX; i += 1) {
      await tab.page.keyboard.press("Tab");
      const at = await tab.page.evaluate(() => {
        const now = document.activeElement as HTMLElement | null;
        // One radio of a group is the group's stop; its arrows lead to the others.
        const group =
          now instanceof HTMLInputElement && now.type === "radio" ? [...document.getElementsByName(now.name)] : [];
        return [now, ...group].map((el) => Number(el?.dataset.stop ?? -1));
      });
      if (at.every((stop) => stop === -1 || reached.has(stop)) && reached.size === seen.length) break;
      for (const stop of at) if (stop >= 0) reached.add(stop);
    }
    expect(seen.filter((_, i) => !reached.has(i))).toEqual([]);
  });
});
