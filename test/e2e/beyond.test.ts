// Where the page reaches beyond itself: notifications, the clipboard, the whole screen.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium, launchBrowser, TestDaemon, until } from "../fixtures/browser.ts";
import { SOON_MS, Tab } from "../fixtures/tab.ts";

interface Told {
  readonly title: string;
  readonly body: string;
  closed: boolean;
  click(): void;
}

describe("the page beyond itself", () => {
  const daemon = new TestDaemon();
  let browser: Browser;
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(findChromium() ?? "chromium"), daemon.start()]);
    id = (await daemon.call("pty_open", { shell: "/bin/bash", name: "work" })).session_id;
    await daemon.call("pty_wait", { session_id: id, any: [{ prompt: true }], timeout_ms: SOON_MS });
    tab = await Tab.open(browser, daemon);
    await tab.page.context().grantPermissions(["notifications", "clipboard-read", "clipboard-write"]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await daemon.stop();
  });

  /** A browser under test never hides a page, and shows its notifications to nobody: both are told to the page here. */
  async function watchNotifications(): Promise<void> {
    await tab.page.addInitScript(() => {
      const told: Told[] = [];
      Object.assign(window, { __told: told, __away: false });
      Object.defineProperty(document, "hidden", { get: () => (window as unknown as { __away: boolean }).__away });
      const Real = Notification;
      window.Notification = class extends Real {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          const click = () => this.dispatchEvent(new Event("click"));
          told.push({ title, body: options?.body ?? "", closed: false, click });
        }
        override close(): void {
          const own = told.find(({ title }) => title === this.title);
          if (own) own.closed = true;
          super.close();
        }
      };
    });
    await tab.page.reload();
    await tab.show(id);
  }
  const look = (away: boolean) =>
    tab.page.evaluate((is) => {
      Object.assign(window, { __away: is });
    }, away);
  const told = () =>
    tab.page.evaluate(() =>
      (window as unknown as { __told: Told[] }).__told.map(({ title, body, closed }) => ({ title, body, closed })),
    );

  test("tells somebody who looks elsewhere that they are needed, once, and takes it back", async () => {
    await watchNotifications();
    await tab.page.keyboard.press("Control+Shift+P");
    await tab.page.keyboard.type("notifications on");
    await tab.page.keyboard.press("Enter");
    await until(
      () => tab.page.evaluate(() => localStorage.getItem("duetty.settings")?.includes('"notifications":"on"') ?? false),
      SOON_MS,
      "notifications switched on",
    );
    const ask = (command: string) => daemon.asAgent("run_command", { session_id: id, command, timeout_ms: 0 });
    const settle = async () => {
      const { approvals } = await daemon.call("approvals", {});
      for (const { approval_id } of approvals) await daemon.call("deny", { approval_id });
      await tab.card.waitFor({ state: "detached" });
    };
    await ask("npm install seen");
    await tab.card.waitFor();
    expect(await told()).toEqual([]);
    await settle();
    await look(true);
    await ask("npm install unseen");
    await tab.card.waitFor();
    await until(async () => (await told()).length === 1, SOON_MS, "a notification");
    expect((await told())[0]).toMatchObject({ body: expect.stringContaining("npm install unseen"), closed: false });
    await settle();
    await until(async () => (await told())[0]?.closed ?? false, SOON_MS, "it to be taken back");
    const other = await daemon.call("pty_open", {
      command: ["/bin/bash", "-c", "read -rsp 'password: ' x"],
      name: "other",
    });
    await until(async () => (await told()).length === 2, SOON_MS, "a word about the password");
    expect((await told())[1]).toMatchObject({ title: expect.stringContaining("password"), body: "other" });
    await look(false);
    await tab.page.evaluate(() => (window as unknown as { __told: Told[] }).__told[1]?.click());
    await tab.page.locator(".crumb b", { hasText: "other" }).waitFor();
    await daemon.call("pty_close", { session_id: other.session_id });
  });

  test("what is selected in the terminal comes into the clipboard", async () => {
    const { session_id } = await daemon.call("pty_open", {
      command: ["/bin/sh", "-c", "echo take-this-word; exec cat"],
    });
    await tab.show(session_id, "plain");
    await tab.shows("take-this-word");
    await tab.page.locator(".stage .xterm-screen").dblclick({ position: { x: 20, y: 8 } });
    await tab.page.keyboard.press("Control+Insert");
    const copied = () => tab.page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (await copied()).includes("take"), SOON_MS, "the word in the clipboard");
    expect((await daemon.call("pty_read_screen", { session_id })).rows.join("").trim()).toBe("take-this-word");
    await daemon.call("pty_close", { session_id });
  });

  test("a replay fills the screen, and leaves it", async () => {
    await tab.show(id);
    await tab.page.keyboard.press("Control+Shift+P");
    await tab.page.keyboard.type("replay this");
    await tab.page.keyboard.press("Enter");
    await tab.page.locator(".replay[data-busy=false][data-cursor]").waitFor();
    const isFull = () => tab.page.evaluate(() => document.fullscreenElement?.classList.contains("replay") ?? false);
    await tab.page.keyboard.press("f");
    await until(isFull, SOON_MS, "the whole screen");
    await tab.page.keyboard.press("f");
    await until(async () => !(await isFull()), SOON_MS, "the page again");
    expect(tab.complaints).toEqual([]);
  });
});
