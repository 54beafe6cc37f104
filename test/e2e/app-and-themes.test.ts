// The page in a window of its own, as `duetty app` opens it; and themes and fonts that a person brings.
import fs from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readThemes } from "../../web/themes/read.ts";
import { violations } from "../fixtures/page/axe.ts";
import { browserProgram, joinBrowser } from "../fixtures/page/browser.ts";
import { Tab } from "../fixtures/page/tab.ts";
import { SOON_MS, soon, until } from "../fixtures/soon.ts";
import { isGone } from "../fixtures/stand/installation.ts";
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
    // It signs in first.
    await page.waitForURL(({ pathname }) => pathname === "/", { timeout: SOON_MS });
    if (context) tab = new Tab(context, page);
    await tab.show(id);
  });
  afterAll(async () => {
    const pid = Number(notes && fs.existsSync(notes) && told()[0]);
    if (!(pid > 0)) return;
    // All of its processes: one that lives on writes into a folder that is removed.
    const all = groupOf(pid);
    if (all.length > 0) process.kill(-pid, "SIGKILL");
    await until(() => all.every(isGone), "the end of the browser");
  });

  const keysListed = async (one: Tab) => {
    await one.choose("keys…");
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

  const act = (words: string) => tab.choose(words);
  const settings = () => tab.page.getByRole("dialog", { name: "Settings" });
  const paint = (selector: string, name: "backgroundColor" | "lineHeight" | "fontFamily") =>
    tab.page
      .locator(selector)
      .last()
      .evaluate((el, key) => getComputedStyle(el)[key], name);

  test("a theme is worn at once and before the page's own code runs; all of it can be read; it is saved and removed", async () => {
    const { page } = tab;
    await person.run_command({ session_id: id, command: "printf '\\033[32mgreen \\033[44mon blue\\033[0m\\n'" });
    await act("settings");
    const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await settings()
      .locator("input[type=file]")
      .setInputFiles([file("Pale.yaml", PALE), file("broken.json", "{ // no")]);
    await settings().getByText("broken.json: it is not JSON").waitFor();
    await settings().getByRole("radio", { name: /Pale/, checked: true }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    expect(await violations(page)).toEqual([]);
    const saved = page.waitForEvent("download");
    await settings().getByRole("button", { name: "Save Pale" }).click();
    const read = readThemes("x", fs.readFileSync(await (await saved).path(), "utf8"));
    expect(read).toEqual(readThemes("x", PALE));
    await page.keyboard.press("Escape");
    await person.release({ session_id: id ?? "" });
    const asked = await agent("helper").run_command({ session_id: id, command: "npm install y", timeout_ms: 0 });
    expect(asked).toMatchObject({ status: "approval_pending" });
    await tab.card.waitFor();
    expect(await paint(".frozen", "backgroundColor")).toBe("rgb(253, 246, 227)");
    expect(await violations(page)).toEqual([]);
    for (const { approval_id } of (await person.approvals({})).approvals) await person.deny({ approval_id });
    await tab.card.waitFor({ state: "detached" });
    await person.release({ session_id: id ?? "" });

    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload();
    await page.locator("footer", { hasText: "connecting" }).waitFor();
    expect(await paint("body", "backgroundColor")).toBe("rgb(253, 246, 227)");
    await page.unroute("**/assets/*.js");
    await page.reload();
    await tab.show(id ?? "");
    await tab.prompt.fill("cat");
    await page.keyboard.press("Enter");
    await tab.focused("terminal");
    const live = ".live-body .xterm-scrollable-element, .live-body .xterm-viewport";
    await expect.poll(() => paint(live, "backgroundColor")).toBe("rgb(253, 246, 227)");
    await page.keyboard.press("Control+d");
    await tab.focused("prompt");

    await act("settings");
    await settings()
      .locator(".own-themes")
      .evaluate(
        (place, text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "grey.yaml"));
          place.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        },
        PALE.replace("Pale", "Grey").replace("fdf6e3", "777777"),
      );
    await settings().getByText("Only the terminal has its colours").waitFor();
    for (const name of ["Grey", "Pale"])
      await settings()
        .getByRole("button", { name: `Remove ${name}` })
        .click();
    await page.locator("html:not([data-dress])").waitFor();
    expect(await paint("body", "backgroundColor")).not.toBe("rgb(253, 246, 227)");
    expect(await page.locator("html").getAttribute("style")).not.toContain("--bg");
    await page.keyboard.press("Escape");
  });

  test("a font that is there is taken, others are refused with a reason; a card's lines are as high as the terminal's", async () => {
    const { page } = tab;
    const before = (await person.pty_read_screen({ session_id: id ?? "" })).rows_count;
    await act("settings");
    const field = settings().getByLabel("Font", { exact: true });
    const choose = async (name: string) => {
      await field.fill(name);
      await field.press("Tab");
    };
    await choose("No Such Font");
    await settings().getByText("no font of that name").waitFor();
    await choose('x"; --bg: red');
    await settings().getByText("letters, digits, blanks").waitFor();
    expect(await paint("[data-prompt]", "fontFamily")).not.toContain("No Such");
    const there = await settings().locator("datalist option").first().getAttribute("value");
    await choose(there ?? "");
    await expect.poll(() => paint("[data-prompt]", "fontFamily")).toMatch(new RegExp(`^"?${there}`));
    await settings().getByLabel("Line height").fill("1.6");
    await settings().getByLabel("Terminal font size").fill("16");
    await page.keyboard.press("Escape");
    await expect
      .poll(async () => (await person.pty_read_screen({ session_id: id ?? "" })).rows_count)
      .toBeLessThan(before);
    await tab.prompt.fill("cat");
    await page.keyboard.press("Enter");
    await tab.focused("terminal");
    const row = () =>
      page
        .locator(".live-body .xterm-rows > div")
        .first()
        .evaluate((el) => el.clientHeight);
    await expect.poll(async () => `${await row()}px`).toBe(await paint(".frozen pre", "lineHeight"));
    await page.keyboard.press("Control+d");
    await tab.focused("prompt");
    expect(tab.complaints.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  });
});

/** The processes of a group that have not ended. */
function groupOf(leader: number): number[] {
  const pids = fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && !isGone(pid));
  return pids.filter((pid) => {
    try {
      return Number(/\) \S \d+ (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]) === leader;
    } catch {
      return false;
    }
  });
}

/** base16, with letters that nobody could read as they are. */
const PALE = [
  "scheme: Pale",
  ...["fdf6e3", "eee8d5", "e3dcc4", "93a1a1", "839496", "657b83", "586e75", "073642"].map(
    (hex, n) => `base0${n}: ${hex}`,
  ),
  ...["dc322f", "cb4b16", "d5b000", "a5b900", "2aa198", "66bbf2", "c9a1f4", "d33682"].map(
    (hex, n) => `base0${"89ABCDEF"[n]}: ${hex}`,
  ),
].join("\n");
