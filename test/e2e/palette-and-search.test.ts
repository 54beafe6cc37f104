// Palette, search and settings in a real browser, by keyboard alone where a person would use it.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

describe("palette, search and settings", () => {
  const { person, folder, tab: newTab, openBash, trust } = sharedPages({ model: { text: "nothing to say" } });
  const scripts = { test: "echo 3 passed", lint: "echo clean" };
  const cwd = folder({ "package.json": JSON.stringify({ name: "work", scripts }) });
  let [here, there] = ["", ""];
  let tab: Tab;
  let page: Page;

  async function signIn(session_id: string): Promise<void> {
    tab = await newTab();
    page = tab.page;
    await tab.show(session_id, "plain");
  }

  beforeAll(async () => {
    [here, there] = [await openBash({ name: "here", cwd }), await openBash({ name: "there", cwd })];
    for (const id of [here, there]) await trust(id);
    await person.run_command({ session_id: here, command: "echo first-needle" });
    await person.run_command({ session_id: there, command: "echo second-needle; false" });
  });

  const palette = () => page.getByRole("dialog", { name: "Commands" });
  const front = () => palette().locator("[aria-selected=true]");

  async function type(text: string): Promise<void> {
    await page.keyboard.press("Control+Shift+P");
    await palette().getByRole("combobox").waitFor();
    await page.keyboard.type(text);
  }

  test("an action is found and run by keyboard, and the focus goes back", async () => {
    await signIn(here);
    await tab.prompt.focus();
    await type("dark theme");
    await front().filter({ hasText: "Dark theme" }).waitFor();
    await page.keyboard.press("Enter");
    await until(() => page.evaluate(() => document.documentElement.dataset.theme === "dark"), "the dark theme");
    await palette().waitFor({ state: "detached" });
    await tab.focused("prompt");
    await page.keyboard.press("Control+k");
    await palette().waitFor();
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });
    await tab.focused("prompt");
  });

  test("the palette runs the workspace's tests, jumps to a command and searches for words", async () => {
    await signIn(here);
    await type("run the tests");
    await front().filter({ hasText: "npm test" }).waitFor();
    await page.keyboard.press("Enter");
    const ran = async () => (await person.blocks({ session_id: here })).blocks.at(-1)?.cmd ?? "";
    await until(async () => (await ran()).includes("npm test"), "the check");
    await type("jump first-needle");
    await front().filter({ hasText: "Jump to echo first-needle" }).waitFor();
    await page.keyboard.press("Enter");
    await until(() => page.url().includes(`#/${here}/b_`), "the card's address");
    await type("zzqq");
    await palette().getByText("Search for “zzqq”").waitFor();
    expect(await palette().getByRole("option").allTextContents()).toEqual([
      "Run “zzqq” here",
      "Ask the agent “zzqq”",
      "Search for “zzqq”",
    ]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const found = page.getByRole("dialog", { name: "Search" });
    await found.getByText("Nothing was found.").waitFor();
  });

  test("search finds text in this session and in others, and goes there", async () => {
    await signIn(here);
    await page.locator("[data-prompt]").focus();
    await page.keyboard.press("Control+f");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await page.keyboard.type("NEEDLE");
    await dialog.locator(".hit mark", { hasText: "needle" }).first().waitFor();
    expect(await dialog.locator(".group").allTextContents()).toEqual(["here"]);
    await dialog.getByRole("radio", { name: "Everywhere" }).click();
    await dialog.locator(".group", { hasText: "there" }).waitFor();
    await dialog.getByRole("combobox").focus();
    for (const text of await dialog.getByRole("option").allTextContents()) {
      if (text.startsWith("second-needle")) break;
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await until(() => page.url().includes(`#/${there}/b_`), "the other session's card");
    await page.locator(".crumb b", { hasText: "there" }).waitFor();
  });

  test("search finds a pattern, and says when one is invalid", async () => {
    await signIn(here);
    await page.locator("[data-prompt]").focus();
    await page.keyboard.press("Control+f");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("button", { name: "Regular expression" }).click();
    const field = dialog.getByRole("combobox");
    await field.fill("F[a-z]+t-ne+dle$");
    await dialog
      .locator(".hit mark", { hasText: /^first-needle$/ })
      .first()
      .waitFor();
    await field.fill("(a)\\1");
    await dialog.getByText("backreference").waitFor();
    await field.fill("first-needle");
    await dialog
      .locator(".hit mark", { hasText: /^first-needle$/ })
      .first()
      .waitFor();
    await dialog.getByText("backreference").waitFor({ state: "detached" });
  });

  test("settings survive a reload, and policies reach the daemon", async () => {
    await signIn(here);
    const open = async () => {
      await type("settings");
      await page.keyboard.press("Enter");
      return page.getByRole("dialog", { name: "Settings" });
    };
    const settings = await open();
    await settings.getByRole("region", { name: "Boxes" }).getByText("confined by the kernel").waitFor();
    await settings.getByLabel("Light", { exact: true }).check();
    await settings.getByLabel("Terminal font size").fill("16");
    await settings.getByLabel("Plain terminal").check();
    await settings.getByLabel(/^Always ask/).click();
    await settings.getByRole("switch", { name: "Safe mode" }).click();
    await person.policy({ session_id: here, agent: "one", level: "always_allow" });
    const one = settings.getByRole("combobox", { name: "one", exact: true });
    await until(async () => (await one.inputValue()) === "always_allow", "the agent's level shown");
    await one.selectOption("Always ask");
    const policy = () => person.policy({ session_id: here });
    await until(async () => (await policy()).level === "always_ask" && (await policy()).safe_mode, "the policy");
    await until(async () => (await policy()).agent_levels["agent:one"] === "always_ask", "the agent's level");
    await one.selectOption("Same as the session");
    await one.waitFor({ state: "detached" });
    await expect.poll(async () => (await policy()).agent_levels).toEqual({});
    await settings.getByRole("button", { name: /^Trust / }).click();
    await settings.getByRole("button", { name: /^No longer trust/ }).waitFor();
    expect((await person.trust({})).folders).toHaveLength(1);
    // What does not exist yet is not promised.
    expect(await settings.getByText(/comes later|Masks|Shared links/).count()).toBe(0);
    await page.reload();
    await page.locator("footer", { hasText: "connected" }).waitFor();
    await page.locator("html[data-theme=light]").waitFor();
    await page.locator('.room[data-view="plain"]').waitFor();
    const again = await open();
    await until(() => again.getByLabel(/^Always ask/).isChecked(), "the policy again");
    expect(await again.getByLabel("Terminal font size").inputValue()).toBe("16");
    expect(await again.getByLabel("Plain terminal").isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await again.waitFor({ state: "detached" });
    await tab.focused("terminal");
  });
});

describe("a machine without bubblewrap", () => {
  const { tab: newTab, openBash } = sharedPages({ env: { PATH: "/nowhere" } });

  test("the settings say that agents are not boxed, and why", async () => {
    const tab = await newTab();
    await tab.show(await openBash());
    await tab.choose("settings");
    const boxes = tab.page.getByRole("dialog", { name: "Settings" }).getByRole("region", { name: "Boxes" });
    await boxes.getByText("Agents are not boxed here: bubblewrap (bwrap) is not installed.").waitFor();
  });
});
