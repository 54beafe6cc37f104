// What needs a person, on the page: the count in the bar, the title and the icon, the list, the key to the next, at a desk and on
// a phone.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import { until } from "../fixtures/soon.ts";

const SCRIPT = new URL("../fixtures/agent-cli/scripted-agent.mjs", import.meta.url);

describe("what needs a person", () => {
  const { person, helper, denyAll, tab: newTab, open, openBash, folder } = sharedPages();

  async function blockedAgent(name: string, question: string): Promise<string> {
    const file = path.join(folder(), "claude.mjs");
    fs.copyFileSync(SCRIPT, file);
    const session_id = await open(["node", file], { name });
    await person.pty_wait({ session_id, any: [{ text: "answer" }], since: 0 });
    const msg = Buffer.from(question).toString("base64");
    const said = `\x1b]7501;state=blocked:app=claude:kind=permission:msg=${msg}\x1b\\`;
    await person.pty_send({ session_id, text: `${JSON.stringify(said)}\n` });
    await until(async () => (await person.needs({})).needs.some((need) => need.session_id === session_id), "its need");
    return session_id;
  }

  test("is counted, listed and one key away, and leaves when it is answered or seen", async () => {
    const shell = await openBash({ name: "desk" });
    const tab = await newTab({ script: "navigator.setAppBadge = async (n) => { (window.__badges ??= []).push(n); };" });
    await tab.show(shell);
    const button = tab.page.getByRole("button", { name: /^Needs you: / });
    await expect.poll(() => button.count()).toBe(0);
    const agent = await blockedAgent("agent", "rm -r dist");
    const failed = await open(["bash", "-c", "exit 3"], { name: "build" });
    await button.and(tab.page.getByRole("button", { name: "Needs you: 2" })).waitFor();
    await until(async () => (await tab.page.title()).startsWith("(2) desk"), "the count in the title");
    const icon = () => tab.page.locator("link[rel=icon]").getAttribute("href");
    await until(async () => (await icon())?.includes("%3E2%3C") ?? false, "the count on the icon");
    await expect.poll(() => tab.page.evaluate(() => (window as { __badges?: number[] }).__badges?.at(-1))).toBe(2);
    await tab.page.locator("nav .sess", { hasText: "agent" }).getByText("claude asks: rm -r dist").waitFor();
    await button.click();
    const entries = tab.page.locator("dialog.needs .need");
    // The list is loaded when it is asked for.
    await expect
      .poll(() => entries.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^blocked\s+claude asks for permission[\s\S]*agent[\s\S]*permission: rm -r dist$/),
        expect.stringMatching(/^failed\s+bash failed: exit code 3[\s\S]*build/),
      ]);
    await tab.page.keyboard.press("Escape");
    // The terminal has the focus, and the key is the page's all the same.
    await tab.page.keyboard.press("Alt+m");
    await tab.page.locator(".xterm textarea").focus();
    await tab.page.keyboard.press("Alt+j");
    await until(async () => tab.page.url().includes(agent), "the agent that asks");
    await tab.page.locator(".crumb .state", { hasText: /^\s*claude asks$/ }).waitFor();
    await tab.page.keyboard.press("Alt+j");
    await until(async () => tab.page.url().includes(failed), "the failed build");
    await tab.page.getByRole("button", { name: "Needs you: 1" }).waitFor();
    await tab.page.keyboard.press("Alt+j");
    await until(async () => tab.page.url().includes(agent), "the agent that asks");
    await person.pty_close({ session_id: agent });
    await button.waitFor({ state: "detached" });
    await until(async () => (await icon()) === "/icon.svg", "the icon as it was");
    await expect.poll(() => tab.page.title()).not.toMatch(/^\(/);
  });

  test("has room on a phone, and a question there does not count twice", async () => {
    const shell = await openBash({ name: "phone" });
    const phone = await newTab({ viewport: { width: 390, height: 780 } });
    await phone.go(shell);
    await phone.page.locator(".crumb b", { hasText: "phone" }).waitFor();
    await helper.run_command({ session_id: shell, command: "npm install one", timeout_ms: 0 });
    const button = phone.page.getByRole("button", { name: "Needs you: 1" });
    await button.waitFor();
    const sizes = await phone.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(sizes[0]).toBe(sizes[1]);
    const stop = await phone.page.locator(".kill").boundingBox();
    const box = await button.boundingBox();
    expect(box && stop && box.height >= 34 && box.x + box.width <= stop.x).toBe(true);
    await button.click();
    await phone.page.locator("dialog.needs .need", { hasText: "npm install one" }).click();
    await phone.page.locator("dialog.needs").waitFor({ state: "detached" });
    await denyAll();
    await button.waitFor({ state: "detached" });
  });
});
