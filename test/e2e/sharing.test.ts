// Sharing with two real browsers: the owner makes a link on their page, somebody else opens it in a browser of their own.
import { describe, expect, test } from "vitest";
import type { Call } from "../../src/protocol/ops.ts";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

const { person, helper, duetty, tab: newTab, guest: newGuest, open, openBash, openOn, pendingOf } = sharedPages();
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
const PART = TOKEN.slice(8, 20);

const share = async (wanted: Call<"share">) => {
  const { url, share } = await person.share(wanted);
  return { url, id: share.id };
};
const says = (tab: Tab, title: string | RegExp) => tab.page.getByRole("heading", { name: title }).waitFor();
const sizeOf = async (session_id: string) => {
  const { session } = await person.status({ session_id });
  return [session?.cols, session?.rows];
};

describe("a link to watch", () => {
  test("shows the session live and masked, at any size of the window, and sends no key", async () => {
    const session_id = await openBash({ name: "work" });
    const before = await sizeOf(session_id);
    const { url, id } = await share({ session_id, name: "Ann" });
    const ann = await newGuest(url, { viewport: { width: 390, height: 800 } });
    // The secret is gone from the address, and from what the browser remembers.
    expect(ann.page.url()).toBe(url.split("#")[0]);
    await ann.page.getByRole("heading", { name: "work" }).waitFor();
    await ann.page.getByText("you watch").waitFor();
    await ann.page.getByText("secrets hidden").waitFor();
    await ann.page.getByText(/^until /).waitFor();
    await person.run_command({ session_id, command: `echo key ${TOKEN}` });
    await ann.shows(`key ${"*".repeat(TOKEN.length)}`);
    expect(await ann.page.content()).not.toContain(PART);
    await ann.page.locator(".xterm").click();
    await ann.page.keyboard.type("INTRUDER\n");
    await ann.page.getByText("You watch: your keys are not sent.").waitFor();
    await ann.page.setViewportSize({ width: 1200, height: 700 });
    await person.run_command({ session_id, command: "echo after" });
    await ann.shows("after");
    expect(duetty.raw(session_id).toString()).not.toContain("INTRUDER");
    expect(await sizeOf(session_id)).toEqual(before);
    await person.unshare({ id });
  });

  test("works again after a reload, and does not use the link up", async () => {
    const session_id = await open(["cat"]);
    const { url, id } = await share({ session_id, uses: 1 });
    const guest = await newGuest(url);
    await guest.page.getByText("you watch").waitFor();
    await guest.page.reload();
    await guest.page.getByText("you watch").waitFor();
    await guest.page.goto("about:blank");
    await guest.page.goto(url);
    await guest.page.getByText("you watch").waitFor();
    const other = await newGuest(url);
    await says(other, "This link was used already");
    await person.unshare({ id });
    await says(guest, "The link was taken back");
  });
});

describe("a link to type", () => {
  test("types under the guest's name, and the owner sees who is here and who has the keyboard", async () => {
    const owner = await newTab();
    const session_id = await openOn(owner, { name: "pair" });
    const { url } = await share({ session_id, role: "type", name: "Zoë" });
    const zoe = await newGuest(url);
    await zoe.page.getByText("also here: the owner").waitFor();
    await owner.button("Zoë is here").waitFor();
    await zoe.page.locator(".xterm").click();
    await zoe.page.keyboard.type("echo by $((40 + 2)) zoe; read answer\n");
    await zoe.shows("by 42 zoe");
    await zoe.page.getByText("keyboard: you").waitFor();
    await owner.page.locator("footer").getByText("keyboard: Zoë").waitFor();
    await owner.page.locator("article").getByText("Zoë has the keyboard").waitFor();
    expect(duetty.events(session_id)).toContain('"actor":"person:Zoë"');
    await zoe.page.keyboard.press("Enter");
    await owner.page.locator("article .pill.guest", { hasText: "Zoë" }).waitFor();
    await zoe.page.keyboard.press("Control+.");
    await owner.page.getByText("Zoë has the keyboard. Agents wait.").waitFor();
    await owner.page.keyboard.press("Control+.");
    await zoe.page.getByText("keyboard: the owner").waitFor();
    await zoe.close();
    await owner.button("Share").waitFor();
  });
});

describe("a link to answer", () => {
  test("answers a question of the session once, and offers no rule", async () => {
    const owner = await newTab();
    const session_id = await openOn(owner, { name: "asked" });
    const { url } = await share({ session_id, role: "approve", name: "Ann" });
    const ann = await newGuest(url);
    const watcher = await newGuest((await share({ session_id, name: "Bo" })).url);
    const run = helper.run_command({ session_id, command: "curl 127.0.0.1:9", timeout_ms: 60_000 }).catch(() => 0);
    await pendingOf(session_id);
    await watcher.page.getByText("the owner is asked").waitFor();
    expect(await watcher.card.count()).toBe(0);
    await ann.page.locator(".appr[data-armed=true]").waitFor();
    expect(await ann.button("Always allow").count()).toBe(0);
    await ann.button("Deny…").click();
    await ann.page.getByLabel("Reason, shown to the agent").fill("not now");
    await ann.page.keyboard.press("Enter");
    await run;
    await owner.page.getByText("Denied by Ann").first().waitFor();
    expect(duetty.events(session_id)).toMatch(/"state":"denied".*"by":"person:Ann"/);
  });
});

describe("the end of a visit", () => {
  test("comes with the owner's word, on their page", async () => {
    const owner = await newTab();
    const session_id = await openOn(owner, { name: "short" });
    await owner.button("Share").click();
    const dialog = owner.page.getByRole("dialog", { name: "Share short" });
    await dialog.getByLabel("Type").check();
    await dialog.getByLabel("For whom").fill("Ann");
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const url = await dialog.getByLabel("Link", { exact: true }).inputValue();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/k_\w{8}#[\w-]{43}$/);
    const ann = await newGuest(url);
    await dialog.getByText("here", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Take Ann's link to short back" }).click();
    await says(ann, "The link was taken back");
    await dialog.getByText("Nothing is shared.").waitFor();
    expect(await ann.rows()).toEqual([]);
    await ann.page.reload();
    await says(ann, "The link was taken back");
    expect((await person.status({ session_id })).session?.state).toBe("running");
  });

  test("comes from the settings, too, which list the links of all sessions", async () => {
    const owner = await newTab();
    const one = await openOn(owner, { name: "one" });
    const two = await openBash({ name: "two" });
    await person.share({ session_id: one, name: "Ann", uses: 1 });
    const bo = await newGuest((await share({ session_id: two, name: "Bo" })).url);
    await bo.page.getByText("you watch").waitFor();
    await owner.page.keyboard.press("Control+Shift+P");
    await owner.page.getByRole("dialog").getByRole("combobox").fill("settings");
    await owner.page.keyboard.press("Enter");
    const links = owner.page.getByRole("region", { name: "Shared by links" });
    await links.getByText("Ann in one watches").waitFor();
    await links.getByText("opens once more").waitFor();
    await links.getByRole("button", { name: "Take Bo's link to two back" }).click();
    await says(bo, "The link was taken back");
    await links.getByText("Bo in two").waitFor({ state: "detached" });
    // And the menu of any session leads to its own dialog.
    await owner.page.keyboard.press("Escape");
    await owner.button("What to do with two").click();
    await owner.page.getByRole("menuitem", { name: "Share…" }).click();
    await owner.page.getByRole("dialog", { name: "Share two" }).getByText("Nothing is shared.").waitFor();
  });

  test("comes with its time", async () => {
    const session_id = await open(["cat"]);
    // A browser that has loaded the page already: its time is for coming, not for beginning.
    const guest = await newGuest((await share({ session_id })).url);
    await guest.page.getByText("you watch").waitFor();
    await guest.page.goto("about:blank");
    const { url } = await share({ session_id, for: "10s" });
    await guest.page.goto(url);
    await says(guest, "The time is over");
    await guest.page.reload();
    await says(guest, "The time is over");
    const late = await newGuest(url);
    await says(late, "This link does not work");
  });

  test("is explained for a link that is cut or wrong", async () => {
    const session_id = await open(["cat"]);
    const { url } = await share({ session_id });
    const cut = await newGuest(url.split("#")[0] ?? "");
    await says(cut, "Part of this link is missing");
    const wrong = await newGuest(`${url.slice(0, -4)}0000`);
    await says(wrong, "This link does not work");
    expect(await violations(wrong.page)).toEqual([]);
  });
});

describe("the page behind a link", () => {
  test("has nothing against it from axe-core, on a phone and a desk, light and dark; F6 leaves the terminal", async () => {
    const session_id = await openBash({ name: "looks" });
    const { url } = await share({ session_id, role: "approve", name: "Ann" });
    const ann = await newGuest(url);
    void helper.run_command({ session_id, command: "curl 127.0.0.1:9", timeout_ms: 60_000 }).catch(() => 0);
    // Buttons that can be pressed have their colours then.
    await ann.page.emulateMedia({ reducedMotion: "reduce" });
    await ann.page.locator(".appr[data-armed=true]").waitFor();
    for (const width of [1280, 390])
      for (const colorScheme of ["light", "dark"] as const) {
        await ann.page.setViewportSize({ width, height: 800 });
        await ann.page.emulateMedia({ colorScheme });
        await ann.page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        expect(await violations(ann.page), `${width} ${colorScheme}`).toEqual([]);
        expect(await ann.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    await ann.page.locator(".xterm").click();
    await ann.focused("terminal");
    await ann.page.keyboard.press("F6");
    await until(async () => (await ann.focus()).startsWith("Use the"), "focus on the bar");
    await person.deny({ approval_id: (await pendingOf(session_id)).approval_id });
  });

  test("asks for nothing that is not shared, and its browser gets nothing else", async () => {
    const [mine, other] = [await open(["cat"]), await open(["cat"])];
    const { url, id } = await share({ session_id: mine, role: "approve" });
    const guest = await newGuest(url);
    await guest.page.getByText("you may type and answer").waitFor();
    const statuses = await guest.page.evaluate(
      async ({ id, other }) => {
        const asks = [
          ["pty_list", {}],
          ["pty_read_screen", { session_id: other }],
          ["share", { session_id: other }],
          ["pty_resize", { session_id: other, cols: 20, rows: 5 }],
        ] as const;
        const headers = { "content-type": "application/json", "x-duetty-pass": id };
        const ask = async ([op, input]: (typeof asks)[number]) =>
          (await fetch(`/v1/${op}`, { method: "POST", headers, body: JSON.stringify(input) })).status;
        return Promise.all(asks.map(ask));
      },
      { id, other },
    );
    expect(statuses).toEqual([403, 403, 403, 403]);
    await guest.page.goto(new URL("/", url).href);
    await guest.page.getByText("You are signed out").waitFor();
  });
});
