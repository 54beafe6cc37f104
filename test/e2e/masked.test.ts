// The mask: a person who shows their screen hides secrets in this browser, everywhere on the page, and shows them again.
import { expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

const { person, tab: newTab, openOn } = sharedPages();
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
const PART = TOKEN.slice(8, 20);

const texts = (tab: Tab) => tab.page.evaluate(() => `${document.title}\n${document.documentElement.outerHTML}`);

test("Alt+S masks secrets in cards, terminal and search of this browser, and shows them again", async () => {
  const tab = await newTab();
  const session_id = await openOn(tab);
  await person.run_command({ session_id, command: `echo key ${TOKEN}` });
  await until(async () => (await texts(tab)).includes(TOKEN), "the key");
  await tab.page.keyboard.press("Alt+KeyS");
  await tab.button(/Secrets masked/).waitFor();
  await tab.page.getByText("••••github••••").first().waitFor();
  await tab.shows("*".repeat(TOKEN.length));
  expect(await texts(tab)).not.toContain(PART);
  expect((await tab.rows()).join("")).not.toContain(PART);

  await tab.page.keyboard.press("Control+Shift+F");
  await tab.page.keyboard.type("key");
  await tab.page.locator(".hit, [class*=hit]").first().waitFor();
  expect(await texts(tab)).not.toContain(PART);
  await tab.page.keyboard.press("Escape");

  await tab.button(/Secrets masked/).click();
  await until(async () => (await texts(tab)).includes(TOKEN), "the key again");
  expect(await tab.button(/Secrets masked/).count()).toBe(0);
});
