// The page in a window of its own, as `duetty app` opens it; and themes and fonts that a person brings.
import fs from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserProgram, joinBrowser } from "../fixtures/page/browser.ts";
import { Tab } from "../fixtures/page/tab.ts";
import { soon } from "../fixtures/soon.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

describe("the app", () => {
  const { duetty, person, agent, folder, openBash } = sharedStand();
  let [id, notes]: string[] = [];
  let browser: Browser;
  let tab: Tab;
  const told = () =>
    fs
      .readFileSync(notes ?? "", "utf8")
      .trim()
      .split("\n");

  beforeAll(async () => {
    id = await openBash({ name: "work" });
    notes = join(folder(), "notes");
    const programs = folder();
    fs.writeFileSync(join(programs, "chromium"), browserProgram(notes), { mode: 0o755 });
    const env = { DISPLAY: ":1", PATH: `${programs}:${process.env.PATH}` };
    const { code, stdout } = await duetty.cliWith(env, "app", "work");
    expect([code, stdout]).toEqual([0, `opened in Chromium; session ${id}\n`]);
    browser = await joinBrowser(join(duetty.home.dir, "app-profile"));
    const [context] = browser.contexts();
    const page = await soon(() => context?.pages()[0] ?? Promise.reject(new Error("no window")));
    if (context) tab = new Tab(context, page);
    await tab.show(id);
  });
  afterAll(() => {
    const pid = Number(notes && fs.existsSync(notes) && told()[0]);
    if (pid > 0) process.kill(pid, "SIGKILL");
  });

  const keysListed = async (one: Tab) => {
    await one.page.keyboard.press("Control+Shift+P");
    await one.page.keyboard.type("keys…");
    await one.page.keyboard.press("Enter");
    const dialog = one.page.getByRole("dialog", { name: "Keys" });
    await dialog.getByText("Next mode").waitFor();
    const keys = await dialog.locator("kbd").allTextContents();
    await one.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    return keys;
  };

  test("its link has worked once, its profile is its own, and only here the browser's keys are listed", async () => {
    const [, link = ""] =
      told()
        .find((word) => word.startsWith("--app="))
        ?.split("--app=") ?? [];
    expect((await fetch(link, { redirect: "manual" })).headers.get("set-cookie")).toBeNull();
    expect(told()).toContain(`--user-data-dir=${join(duetty.home.dir, "app-profile")}`);
    expect(await keysListed(tab)).toEqual(expect.arrayContaining(["Ctrl T", "Ctrl W"]));
    const page = await tab.page.context().newPage();
    await page.goto(tab.page.url());
    const other = new Tab(tab.page.context(), page);
    await other.show(id ?? "");
    const keys = await keysListed(other);
    expect(keys).toContain("Ctrl `");
    expect(keys.filter((key) => key === "Ctrl T" || key === "Ctrl W")).toEqual([]);
    await page.close();
  });

  test("Ctrl+W deletes a word in the prompt and is the program's in the terminal; Ctrl+T changes the mode", async () => {
    await tab.prompt.focus();
    await tab.page.keyboard.type("echo one  ");
    await tab.page.keyboard.press("Control+w");
    expect(await tab.prompt.inputValue()).toBe("echo ");
    await tab.page.keyboard.press("Control+z");
    expect(await tab.prompt.inputValue()).toBe("echo one  ");
    await tab.prompt.fill("cat");
    await tab.page.keyboard.press("Enter");
    await tab.focused("terminal");
    await tab.page.keyboard.type("first second");
    await tab.page.keyboard.press("Control+w");
    await tab.page.keyboard.type("third\n");
    await tab.shows("first third");
    await tab.page.keyboard.press("Control+d");
    await tab.focused("prompt");
    const mode = tab.page.locator("[aria-label=Mode] [aria-checked=true]");
    const before = await mode.textContent();
    await tab.page.keyboard.press("Control+t");
    await expect.poll(() => mode.textContent()).not.toBe(before);
    await person.mode({ session_id: id ?? "", mode: "agent_terminal" });
    await expect.poll(() => mode.textContent()).toBe(before);
    expect(tab.page.isClosed()).toBe(false);
  });

  test("its badge has the number of what waits", async () => {
    const badges = await tab.page.evaluateHandle(() => {
      const seen: (number | undefined)[] = [];
      navigator.setAppBadge = async (count) => void seen.push(count);
      return seen;
    });
    const last = () => badges.evaluate((seen) => seen.at(-1));
    await agent("helper").run_command({ session_id: id, command: "npm install x", timeout_ms: 0 });
    await expect.poll(last).toBe(1);
    await tab.titled("(1)");
    for (const { approval_id } of (await person.approvals({})).approvals) await person.deny({ approval_id });
    await expect.poll(last).toBe(0);
    await person.release({ session_id: id ?? "" });
  });
});
