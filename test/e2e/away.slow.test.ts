// A phone that is paired with the machine: it shows and types in the same sessions, answers questions, changes no size, and is out
// the moment it is unpaired.
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";
import { PushService } from "../fixtures/stand/push-service.ts";
import { UNBOXED } from "../fixtures/stand/stand.ts";

describe("a paired device", () => {
  // A page that is signed out says so in the console.
  const config = { ...UNBOXED, push: { loopback: true } };
  const pages = sharedPages({ config, complaints: "expected" });
  const { duetty, person, helper, browser, tab: newTab, openOn, folder } = pages;

  async function phone(permissions: string[] = []): Promise<Tab> {
    const viewport = { width: 390, height: 780 };
    const context = await browser().newContext({ viewport, hasTouch: true, permissions });
    onTestFinished(() => context.close());
    const tab = new Tab(context, await context.newPage());
    await tab.page.goto(`http://127.0.0.1:${duetty.port}/pair`);
    return tab;
  }
  const settingsOf = async (tab: Tab) => {
    await tab.choose("settings");
    return tab.page.getByRole("dialog", { name: "Settings" }).getByRole("region", { name: "Devices" });
  };

  test("is let in by a code on the machine's page, works there, and is put out from it", async () => {
    const owner = await newTab();
    const session_id = await openOn(owner, { cwd: folder({ gone: "" }) });
    const { cols, rows } = (await person.status({ session_id })).session ?? {};
    const tab = await phone();
    expect(await tab.page.getByLabel("Name of this device").inputValue()).not.toBe("");

    const devices = await settingsOf(owner);
    await devices.getByRole("button", { name: "Pair a device" }).click();
    const code = (await devices.locator("[data-pairing]").textContent()) ?? "";
    await tab.page.getByLabel("Name of this device").fill("My phone");
    await tab.page.getByLabel("Code").fill("AAAAAAAA");
    await tab.page.getByRole("button", { name: "Pair" }).click();
    await tab.page.getByText("This code is wrong").waitFor();
    await tab.page.getByLabel("Code").fill(code);
    await tab.page.getByRole("button", { name: "Pair" }).click();
    await tab.page.waitForURL((url) => url.pathname === "/");
    await devices.getByText("My phone").waitFor();
    await owner.page.keyboard.press("Escape");

    // Looking changes nothing.
    await tab.go(session_id);
    await tab.prompt.waitFor();
    expect((await person.status({ session_id })).session).toMatchObject({ cols, rows });
    await tab.prompt.fill("echo from-the-phone");
    await tab.prompt.press("Enter");
    await owner.page.getByText("from-the-phone").first().waitFor();
    await until(() => duetty.events(session_id).includes('"from":"device:My phone"'), "an event with the device");

    const asked = helper.run_command({ session_id, command: "rm gone", timeout_ms: 60_000 });
    await tab.page.locator('.appr[data-armed="true"]').waitFor();
    await owner.card.waitFor();
    await tab.button(/Approve once/).click();
    await owner.page.locator(".note", { hasText: "Approved on My phone: “rm gone”" }).waitFor();
    expect(await asked).toMatchObject({ status: "done", exit_code: 0 });
    expect((await person.approvals({ all: true })).approvals.at(-1)).toMatchObject({ from: "device:My phone" });

    const theirs = await settingsOf(tab);
    await theirs.getByText("at the machine").waitFor();
    expect(await theirs.getByRole("button").count()).toBe(0);

    const again = await settingsOf(owner);
    await again.getByText("here now").waitFor();
    await again.getByRole("button", { name: "Unpair My phone" }).click();
    await again.getByText("No device is paired.").waitFor();
    await tab.page.getByText("You are signed out").waitFor();
    expect((await person.status({ session_id })).session).toMatchObject({ state: "running" });
  });

  test("is notified while its page is closed, once its person switched that on", async () => {
    await using service = await PushService.start();
    const tab = await phone(["notifications"]);
    // This browser has no push service of its own behind it: it gets one that the test can open.
    await tab.page.addInitScript((subscription) => {
      PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as unknown as PushSubscription;
    }, service.subscription);
    await tab.page.getByLabel("Code").fill((await person.pair({})).code);
    await tab.page.getByRole("button", { name: "Pair" }).click();
    await tab.page.waitForURL((url) => url.pathname === "/");
    const settings = (await settingsOf(tab)).locator("xpath=..");
    const toggle = settings.getByRole("switch", { name: "Tell this device, also while the page is closed" });
    expect(await toggle.getAttribute("aria-checked")).toBe("false");
    await toggle.click();
    await until(async () => (await toggle.getAttribute("aria-checked")) === "true", "switched on");

    const asked = helper.ask_person({ message: "May I go on?", kind: "message", timeout_ms: 60_000 });
    await until(() => service.notices.length > 0, "a message at the push service");
    expect(service.notices[0]).toMatchObject({ title: "helper says", body: "May I go on?" });

    // The page is closed, and the browser hands the message to the service worker.
    const devtools = await tab.page.context().newCDPSession(tab.page);
    const origin = `http://127.0.0.1:${duetty.port}`;
    const registration = new Promise<string>((resolve) =>
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [one] }) => {
        if (one) resolve(one.registrationId);
      }),
    );
    await devtools.send("ServiceWorker.enable");
    const registrationId = await registration;
    await tab.page.goto("about:blank");
    await devtools.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId,
      data: service.arrived[0]?.text ?? "",
    });
    await tab.page.goto(`${origin}/docs`);
    const shown = () =>
      tab.page.evaluate(async () => {
        const all = await (await navigator.serviceWorker.getRegistration())?.getNotifications();
        return all?.map(({ title, body }) => ({ title, body }));
      });
    await expect.poll(shown).toEqual([{ title: "helper says", body: "May I go on?" }]);
    await pages.denyAll();
    await asked;
    for (const { id } of (await person.devices({})).devices) await person.unpair({ device: id });
  });
});
