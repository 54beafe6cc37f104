import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { BULK_MS } from "../fixtures/soon.ts";

/** More stops than any view has. */
const TABS_MAX = 150;

describe("accessibility", () => {
  const { person, tab: newTab, open, openBash } = sharedPages();
  let id: string;

  beforeAll(async () => {
    id = await openBash({ name: "work" });
    const run = (command: string) => person.run_command({ session_id: id, command, timeout_ms: BULK_MS });
    await run("printf '\\033[31mred\\033[32m green\\033[0m\\n'");
    await run("false");
    const over = await open(["/bin/sh", "-c", "exit 1"]);
    await person.pty_wait({ session_id: over, any: [{ exit: true }] });
  });

  async function opened(): Promise<Tab> {
    const tab = await newTab();
    await tab.page.emulateMedia({ reducedMotion: "reduce" });
    await tab.go(id);
    await tab.page.locator(".crumb b", { hasText: "work" }).waitFor();
    return tab;
  }

  // What a running session shows: views.test.ts.
  test("axe-core finds no violation in an ended session, in none, and signed out", async () => {
    const tab = await opened();
    const { page } = tab;
    const wrong = new Set<string>();
    const look = async (view: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        for (const text of await violations(page)) wrong.add(`${view}, ${colorScheme}: ${text}`);
      }
    };
    await tab.button(/^Ended/).click();
    await page.locator("nav [data-over=true] .sess").click();
    await page.getByText("Exited with code 1").waitFor();
    await look("ended");
    await tab.go("s_00000000");
    await page.getByText("This session does not exist").waitFor();
    await look("none");
    await page.context().clearCookies();
    await page.reload();
    await page.getByText("You are signed out").waitFor();
    await look("signed out");
    // A browser complains of a socket that is refused.
    tab.complaints.length = 0;
    expect([...wrong]).toEqual([]);
  });

  test("Tab reaches everything", async () => {
    const tab = await opened();
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
