// The page and its browser: notifications, the clipboard, full screen.
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

interface ShownNotification {
  readonly title: string;
  readonly body: string;
  closed: boolean;
  click(): void;
}

describe("browser features of the page", () => {
  const { person, helper, denyAll, tab: newTab, openBash } = sharedPages();
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    id = await openBash({ name: "work" });
    tab = await newTab();
    await tab.page.context().grantPermissions(["notifications", "clipboard-read", "clipboard-write"]);
  });

  /** A browser under test never hides a page, and shows its notifications to nobody: both are told to the page here. */
  async function watchNotifications(): Promise<void> {
    await tab.page.addInitScript(() => {
      const notifications: ShownNotification[] = [];
      Object.assign(window, { __notifications: notifications, __away: false });
      Object.defineProperty(document, "hidden", { get: () => (window as unknown as { __away: boolean }).__away });
      const Real = Notification;
      window.Notification = class extends Real {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          const click = () => this.dispatchEvent(new Event("click"));
          notifications.push({ title, body: options?.body ?? "", closed: false, click });
        }
        override close(): void {
          const own = notifications.find(({ title }) => title === this.title);
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
  const notifications = () =>
    tab.page.evaluate(() =>
      (window as unknown as { __notifications: ShownNotification[] }).__notifications.map(
        ({ title, body, closed }) => ({ title, body, closed }),
      ),
    );

  test("a browser that lets no page notify, as phones do, breaks nothing", async () => {
    const phone = await newTab({
      permissions: ["notifications"],
      script: `localStorage.setItem("duetty.settings", '{"notifications":"on"}');
        Object.defineProperty(document, "hidden", { get: () => true });
        window.Notification = class extends Notification { constructor() { throw new TypeError("Illegal constructor"); } };`,
    });
    await phone.show(id);
    for (const command of ["npm install one", "npm install two"]) {
      await helper.run_command({ session_id: id, command, timeout_ms: 0 });
      await phone.card.locator("pre", { hasText: command }).waitFor();
      await denyAll();
      await phone.card.waitFor({ state: "detached" });
    }
    await person.release({ session_id: id });
  });

  test("a notification tells a person who looks elsewhere that they are needed, once, and is withdrawn", async () => {
    await watchNotifications();
    await tab.choose("notifications on");
    await until(
      () => tab.page.evaluate(() => localStorage.getItem("duetty.settings")?.includes('"notifications":"on"') ?? false),
      "notifications switched on",
    );
    const ask = (command: string) => helper.run_command({ session_id: id, command, timeout_ms: 0 });
    const settle = async () => {
      await denyAll();
      await tab.card.waitFor({ state: "detached" });
    };
    await ask("npm install seen");
    await tab.card.waitFor();
    expect(await notifications()).toEqual([]);
    await settle();
    await look(true);
    await ask("npm install unseen");
    await tab.card.waitFor();
    await until(async () => (await notifications()).length === 1, "a notification");
    expect((await notifications())[0]).toMatchObject({
      body: expect.stringContaining("npm install unseen"),
      closed: false,
    });
    await settle();
    await until(async () => (await notifications())[0]?.closed ?? false, "it to be taken back");
    const other = await person.pty_open({
      command: ["/bin/bash", "-c", "read -rsp 'password: ' x"],
      name: "other",
    });
    await until(async () => (await notifications()).length === 2, "a word about the password");
    expect((await notifications())[1]).toMatchObject({ title: expect.stringContaining("password"), body: "other" });
    await look(false);
    await tab.page.evaluate(() =>
      (window as unknown as { __notifications: ShownNotification[] }).__notifications[1]?.click(),
    );
    await tab.page.locator(".crumb b", { hasText: "other" }).waitFor();
    await person.pty_close({ session_id: other.session_id });
  });

  test("text selected in the terminal is copied to the clipboard", async () => {
    const { session_id } = await person.pty_open({
      command: ["/bin/sh", "-c", "echo take-this-word; exec cat"],
    });
    await tab.show(session_id, "plain");
    await tab.shows("take-this-word");
    await tab.page.locator(".stage .xterm-screen").dblclick({ position: { x: 20, y: 8 } });
    await tab.page.keyboard.press("Control+Insert");
    const copied = () => tab.page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (await copied()).includes("take"), "the word in the clipboard");
    expect((await person.pty_read_screen({ session_id })).rows.join("").trim()).toBe("take-this-word");
    await person.pty_close({ session_id });
  });

  test("a replay fills the screen, and leaves it", async () => {
    await tab.show(id);
    await tab.choose("replay this");
    await tab.page.locator(".replay[data-busy=false][data-cursor]").waitFor();
    const isFull = () => tab.page.evaluate(() => document.fullscreenElement?.classList.contains("replay") ?? false);
    await tab.page.keyboard.press("f");
    await until(isFull, "the whole screen");
    await tab.page.keyboard.press("f");
    await until(async () => !(await isFull()), "the page again");
  });
});
