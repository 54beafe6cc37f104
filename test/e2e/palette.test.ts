// Palette, search and settings in a real browser, by keyboard alone where a person would use it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PageWorld } from "../fixtures/page-world.ts";

describe("what lies over the page", () => {
  const world = new PageWorld();
  let [here, there] = ["", ""];
  beforeAll(async () => {
    await world.start();
    [here, there] = [await world.shell("here"), await world.shell("there")];
    await world.daemon.call("run_command", { session_id: here, command: "echo first-needle" });
    await world.daemon.call("run_command", { session_id: there, command: "echo second-needle; false" });
  });
  afterAll(() => world.stop());

  const palette = () => world.page.getByRole("dialog", { name: "Commands" });
  const front = () => palette().locator("[aria-selected=true]");

  async function type(text: string): Promise<void> {
    await world.page.keyboard.press("Control+Shift+P");
    await palette().getByRole("combobox").waitFor();
    await world.page.keyboard.type(text);
  }

  test("an action is found, run by keys, and the focus goes back", async () => {
    const page = await world.signIn(here);
    await world.tab.prompt.focus();
    await type("dark theme");
    await front().filter({ hasText: "Dark theme" }).waitFor();
    await page.keyboard.press("Enter");
    await world.until(() => page.evaluate(() => document.documentElement.dataset.theme === "dark"), "the dark theme");
    await palette().waitFor({ state: "detached" });
    await world.tab.focused("prompt");
    await page.keyboard.press("Control+k");
    await palette().waitFor();
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });
    await world.tab.focused("prompt");
    expect(world.complaints).toEqual([]);
  });

  test("the workspace's tests are run, a command is jumped to, words become a search", async () => {
    const page = await world.signIn(here);
    await type("run the tests");
    await front().filter({ hasText: "npm test" }).waitFor();
    await page.keyboard.press("Enter");
    const ran = async () => (await world.daemon.call("blocks", { session_id: here })).blocks.at(-1)?.cmd ?? "";
    await world.until(async () => (await ran()).includes("npm test"), "the check");
    await type("jump first-needle");
    await front().filter({ hasText: "Jump to echo first-needle" }).waitFor();
    await page.keyboard.press("Enter");
    await world.until(() => page.url().includes(`#/${here}/b_`), "the card's address");
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
    expect(world.complaints).toEqual([]);
  });

  test("text is found in this session and in others, and one goes there", async () => {
    const page = await world.signIn(here);
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
    await world.until(() => page.url().includes(`#/${there}/b_`), "the other session's card");
    await page.locator(".crumb b", { hasText: "there" }).waitFor();
    expect(world.complaints).toEqual([]);
  });

  test("a pattern is found, and a bad one is said to be bad", async () => {
    const page = await world.signIn(here);
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
    await field.fill("(a+)+$");
    await dialog.getByText("could take too long").waitFor();
    await field.fill("first-needle");
    await dialog
      .locator(".hit mark", { hasText: /^first-needle$/ })
      .first()
      .waitFor();
    await dialog.getByText("could take too long").waitFor({ state: "detached" });
    expect(world.complaints).toEqual([]);
  });

  test("settings stay over a reload, and policies reach the daemon", async () => {
    const page = await world.signIn(here);
    const open = async () => {
      await type("settings");
      await page.keyboard.press("Enter");
      return page.getByRole("dialog", { name: "Settings" });
    };
    const settings = await open();
    await settings.getByLabel("Light", { exact: true }).check();
    await settings.getByLabel("Letters in the terminal").fill("16");
    await settings.getByLabel("Plain terminal").check();
    await settings.getByLabel(/^Always ask/).click();
    await settings.getByRole("switch", { name: "Safe mode" }).click();
    await world.daemon.call("policy", { session_id: here, agent: "one", level: "always_allow" });
    const one = settings.getByRole("combobox", { name: "one", exact: true });
    await world.until(async () => (await one.inputValue()) === "always_allow", "the agent's level shown");
    await one.selectOption("Always ask");
    const policy = () => world.daemon.call("policy", { session_id: here });
    await world.until(async () => (await policy()).level === "always_ask" && (await policy()).safe_mode, "the policy");
    await world.until(async () => (await policy()).agent_levels["agent:one"] === "always_ask", "the agent's level");
    await one.selectOption("As the session");
    await one.waitFor({ state: "detached" });
    expect((await policy()).agent_levels).toEqual({});
    await settings.getByRole("button", { name: /^Trust / }).click();
    await settings.getByRole("button", { name: /^No longer trust/ }).waitFor();
    expect((await world.daemon.call("trust", {})).folders).toHaveLength(1);
    // What does not exist yet is not promised.
    expect(await settings.getByText(/comes later|Masks|Shared links/).count()).toBe(0);
    await page.reload();
    await page.locator("footer", { hasText: "connected" }).waitFor();
    await page.locator("html[data-theme=light]").waitFor();
    await page.locator('.room[data-view="plain"]').waitFor();
    const again = await open();
    await world.until(() => again.getByLabel(/^Always ask/).isChecked(), "the policy again");
    expect(await again.getByLabel("Letters in the terminal").inputValue()).toBe("16");
    expect(await again.getByLabel("Plain terminal").isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await again.waitFor({ state: "detached" });
    await world.tab.focused("terminal");
    expect(world.complaints).toEqual([]);
  });
});
