// Questions of agents on the page: visible, never in the way, and answered only on purpose.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";
import { UNBOXED } from "../fixtures/stand/stand.ts";

/** Presses and clicks the moment a question is there, before it can have been read; tells whether it was armed by then. */
const RASH = `new MutationObserver((_, self) => {
  const card = document.querySelector(".appr");
  if (!card) return;
  self.disconnect();
  document.documentElement.dataset.rash = card.dataset.armed;
  const ctrlEnter = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true };
  document.querySelector("[data-prompt]").dispatchEvent(new KeyboardEvent("keydown", ctrlEnter));
  card.querySelector("button.pri").click();
}).observe(document.body, { childList: true, subtree: true })`;

describe("approval cards", () => {
  const { person, helper, folder, tab: newTab, open, openOn, denyAll } = sharedPages({ config: UNBOXED });
  const cwd = folder();
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    tab = await newTab();
  });
  beforeEach(async () => {
    id = await openOn(tab, { cwd });
  });

  /** Removes a folder: risky. */
  const asks = (name: string, more: { description?: string; confidence?: number } = {}) => {
    mkdirSync(join(cwd, name), { recursive: true });
    const command = `rm -r ${name}`;
    return helper.run_command({ session_id: id, command, timeout_ms: 60_000, ...more });
  };
  const isThere = (name: string) => existsSync(join(cwd, name));
  const armed = (tab: Tab) => tab.page.locator('.appr[data-armed="true"]').waitFor();
  const pending = async () => (await person.approvals({})).approvals;
  const inFront = (tab: Tab, text: string) => tab.card.locator("pre", { hasText: text }).waitFor();

  test("a card shows everything without taking the focus, and counts down", async () => {
    await tab.page.keyboard.type("half a thou");
    const answer = asks("gone", { description: "it is in the way", confidence: 0.5 });
    await tab.card.waitFor();
    await tab.page.keyboard.type("ght");
    expect(await tab.prompt.inputValue()).toBe("half a thought");
    await tab.focused("prompt");
    const text = await tab.card.textContent();
    for (const part of ["helper wants to run", "rm -r gone", "May destroy data", "0.50 < 0.90", "it is in the way"])
      expect(text).toContain(part);
    expect(text).toMatch(/waits [45]:\d\d/);
    const left = () => tab.card.getByRole("timer").textContent();
    const before = await left();
    await until(async () => (await left()) !== before, "a second less");
    await tab.titled("(1)");
    expect(await tab.card.getAttribute("aria-modal")).toBe("false");
    await person.stop({ session_id: id });
    expect((await answer).status).toBe("denied");
    await tab.card.waitFor({ state: "detached" });
    expect(isThere("gone")).toBe(true);
    await person.release({ session_id: id });
  });

  test("a card says when its asker has left, and a late yes says what it does", async () => {
    mkdirSync(join(cwd, "late"));
    const ask = (timeout_ms: number) => helper.run_command({ session_id: id, command: "rm -r late", timeout_ms });
    expect(await ask(100)).toMatchObject({ status: "approval_pending" });
    const words = "helper is no longer waiting; it runs when helper asks again.";
    await tab.card.getByText(words).waitFor();
    expect(await tab.card.getByRole("timer").textContent()).toMatch(/^open /);
    await armed(tab);
    await tab.prompt.press("Control+Enter");
    await tab.page.locator(".note", { hasText: `Approved. ${words}` }).waitFor();
    expect(isThere("late")).toBe(true);
    expect(await ask(60_000)).toMatchObject({ status: "done" });
    expect(isThere("late")).toBe(false);
  });

  test("a plain Enter never approves, and Ctrl+Enter only after the card was visible", async () => {
    await tab.page.evaluate(RASH);
    const answer = asks("kept");
    await tab.page.locator("html[data-rash=false]").waitFor({ state: "attached" });
    await armed(tab);
    expect((await pending()).length).toBe(1);
    await tab.prompt.press("Enter");
    await tab.button(/Approve once/).focus();
    await tab.page.keyboard.press("Enter");
    await tab.page.keyboard.press("Enter");
    expect((await pending()).length).toBe(1);
    expect(isThere("kept")).toBe(true);
    await tab.prompt.press("Control+Enter");
    expect((await answer).status).toBe("done");
    expect(isThere("kept")).toBe(false);
    await tab.card.waitFor({ state: "detached" });
  });

  test("the next card takes Ctrl+Enter only after it was visible, too", async () => {
    const first = asks("one");
    await armed(tab);
    const second = asks("two");
    await tab.card.getByText("1 of 2").waitFor();
    await armed(tab);
    await tab.page.keyboard.press("Control+Enter");
    expect((await first).status).toBe("done");
    await inFront(tab, "rm -r two");
    expect((await pending()).length).toBe(1);
    await armed(tab);
    await tab.page.keyboard.press("Control+Enter");
    expect((await second).status).toBe("done");
  });

  test("an edited text runs instead", async () => {
    const answer = asks("mine");
    await armed(tab);
    await tab.page.keyboard.press("Control+e");
    const field = tab.page.getByRole("textbox", { name: "Run this instead" });
    await field.fill("echo kept-it");
    await field.press("Control+Enter");
    const { status, command } = await answer;
    expect([status, command]).toEqual(["done", "echo kept-it"]);
    expect(isThere("mine")).toBe(true);
    await tab.focused("prompt");
  });

  test("a denial tells the agent the reason", async () => {
    const answer = asks("no");
    await armed(tab);
    await tab.page.keyboard.press("Control+Backspace");
    await tab.focused("Reason, shown to the agent");
    await tab.page.keyboard.press("Escape");
    await tab.button(/Deny…/).waitFor();
    await tab.focused("prompt");
    expect((await pending()).length).toBe(1);
    await tab.page.keyboard.press("Control+Backspace");
    await tab.page.keyboard.type("use the other one\n");
    const { status, hint } = await answer;
    expect(status).toBe("denied");
    expect(hint).toContain("use the other one");
    expect(isThere("no")).toBe(true);
  });

  test("a rule is stored for as much as it may allow", async () => {
    const run = (command: string) => helper.run_command({ session_id: id, command, timeout_ms: 60_000 });
    const answer = run("frobnicate --fast");
    await armed(tab);
    await tab.button(/Always allow/).click();
    await tab.card.getByText("From now on").waitFor();
    // Escape goes one step back. It denies nothing.
    await tab.page.keyboard.press("Escape");
    await tab.card.getByText("From now on").waitFor({ state: "detached" });
    expect(await pending()).toHaveLength(1);
    await tab.button(/Always allow/).click();
    await tab.button("in this session").click();
    expect((await answer).status).not.toBe("denied");
    expect((await run("frobnicate --fast")).status).toBe("done");
    const risky = asks("never-always");
    await armed(tab);
    expect(await tab.button(/Always allow/).count()).toBe((await pending())[0]?.always ? 1 : 0);
    await tab.page.keyboard.press("Escape");
    expect((await risky).status).toBe("denied");
  });

  test("with two windows one answers, the other is told, and the command runs once", async () => {
    const here = tab;
    const there = await newTab();
    await there.show(id);
    const answer = asks("once");
    await Promise.all([armed(here), armed(there)]);
    await Promise.all([here.page.keyboard.press("Control+Enter"), there.page.keyboard.press("Control+Enter")]);
    expect((await answer).status).toBe("done");
    for (const one of [here, there]) await one.card.waitFor({ state: "detached" });
    const { blocks } = await person.blocks({ session_id: id });
    expect(blocks.filter(({ cmd }) => cmd === "rm -r once").length).toBe(1);
    const second = asks("twice");
    await Promise.all([armed(here), armed(there)]);
    await there.button(/Approve once/).click();
    expect((await second).status).toBe("done");
    await here.page.locator(".note", { hasText: "Approved in another window" }).waitFor();
    await there.close();
  });

  test("a settled question does not come back with a list that was asked for before", async () => {
    let isSettled = false;
    let lists = 0;
    await tab.page.route("**/v1/approvals", async (route) => {
      const response = await route.fetch();
      lists += 1;
      await until(() => isSettled, "the question is settled");
      await route.fulfill({ response });
    });
    const answer = asks("listed");
    await tab.card.waitFor();
    await until(() => lists > 0, "a list with the question is on its way");
    await denyAll();
    await tab.card.waitFor({ state: "detached" });
    await tab.page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { __seen: seen });
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll(".appr pre")) seen.add(textContent ?? "");
      }).observe(document.body, { childList: true, subtree: true });
    });
    isSettled = true;
    expect((await answer).status).toBe("denied");
    // The page has taken in the lists when it shows the next question.
    const next = asks("next");
    await inFront(tab, "rm -r next");
    expect(await tab.page.evaluate(() => [...(window as unknown as { __seen: Set<string> }).__seen])).toEqual([
      "rm -r next",
    ]);
    await denyAll();
    await next;
    await tab.page.unrouteAll({ behavior: "wait" });
  });

  test("cards form a queue and lead to questions of other sessions", async () => {
    const answers = ["q1", "q2", "q3"].map((name) => asks(name));
    await tab.card.getByText("1 of 3").waitFor();
    await tab.button("Next question").click();
    await tab.card.getByText("2 of 3").waitFor();
    const shown = (await pending())[1];
    await inFront(tab, shown?.text ?? "");
    await armed(tab);
    await tab.button(/Deny…/).click();
    await tab.page.keyboard.press("Enter");
    await tab.card.getByText("of 2").waitFor();
    const other = await open(["/bin/bash", "--norc", "-i"], { name: "web" });
    const elsewhere = helper.ask_person({
      ...{ session_id: other, kind: "choice", message: "Which region?", choices: ["eu", "us"] },
    });
    const row = tab.page.locator(".note.asks");
    await row.getByText("web").waitFor();
    await row.getByRole("button", { name: "Show" }).click();
    await inFront(tab, "Which region?");
    await armed(tab);
    await tab.page.keyboard.press("Control+Enter");
    expect((await pending()).length).toBe(3);
    await tab.card.getByRole("button", { name: "us" }).click();
    expect((await elsewhere).answer).toBe("us");
    await person.stop({});
    await Promise.all(answers);
    await person.release({ session_id: id });
    await person.pty_close({ session_id: other });
  });

  /** A line that is asked about, whatever else it holds. */
  const asksFor = (command: string, more: { stdin?: string; mode?: "pipe"; session_id?: string } = {}) =>
    helper.run_command({ session_id: id, command, timeout_ms: 60_000, ...more });
  const unseen = (tab: Tab) => tab.card.locator(".more");
  const tries = async (tab: Tab) => {
    await tab.page.keyboard.press("Control+Enter");
    await tab.button(/Approve once/).click({ force: true });
    await tab.page.keyboard.press("Control+e");
    expect(await tab.page.getByRole("textbox", { name: "Run this instead" }).count()).toBe(0);
    expect((await pending()).length).toBe(1);
  };
  /** It can be answered, as far as time matters. */
  const inSight = (tab: Tab) =>
    tab.card.locator('button[aria-keyshortcuts="Control+Backspace"][aria-disabled=false]').waitFor();

  test("B7: nobody approves a text whose end was not in view, by no key and no button", async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `echo ${i} \\`).join("\n");
    const answer = asksFor(`rm -r ${lines}\n the-end`);
    await unseen(tab).getByText("the end of the command").waitFor();
    await inSight(tab);
    await tries(tab);
    const more = async () => {
      await tab.page.keyboard.press("Alt+ArrowDown");
      return (await unseen(tab).count()) === 0;
    };
    await until(more, "the end in view");
    await armed(tab);
    await tab.page.keyboard.press("Control+Enter");
    expect((await answer).status).toBe("done");
  });

  test("B7: a run of blanks does not push the rest of a text out of view", async () => {
    mkdirSync(join(cwd, "pushed"), { recursive: true });
    const answer = asksFor(`make deploy${"\u2800".repeat(2_500)}; rm -r pushed`);
    await inFront(tab, "make deploy⟦2500 × U+2800⟧; rm -r pushed");
    await armed(tab);
    await person.stop({ session_id: id });
    expect((await answer).status).toBe("denied");
    await person.release({ session_id: id });
  });

  test("B7: twelve questions of other sessions leave the card in view, and are counted", async () => {
    const others = await Promise.all(
      Array.from({ length: 12 }, (_, i) => open(["/bin/bash", "--norc", "-i"], { name: `other-${i}` })),
    );
    const own = asks("in-front");
    await tab.card.waitFor();
    const answers = others.map((session_id) =>
      helper.ask_person({ session_id, kind: "message", message: "Look here" }),
    );
    await tab.page.locator(".note.asks").getByText("12 questions").waitFor();
    expect(await tab.page.locator(".note.asks").count()).toBe(1);
    for (const part of [tab.card.locator("pre"), tab.button(/Approve once/)]) {
      const box = await part.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= 860).toBe(true);
    }
    expect(await tab.card.locator("pre").textContent()).toBe("rm -r in-front");
    await armed(tab);
    await tab.page.keyboard.press("Control+Enter");
    expect((await own).status).toBe("done");
    await denyAll();
    await Promise.all(answers);
    for (const session_id of others) await person.pty_close({ session_id });
  });

  test("M2: what a command would read, its folder and both ends of its input are part of the card", async () => {
    const stdin = `${"echo harmless\n".repeat(200)}rm -rf the-end\n`;
    const answer = asksFor("bash", { mode: "pipe", stdin });
    await tab.card.getByText("and reads:").waitFor();
    await unseen(tab).getByText("the end of what it reads").waitFor();
    expect(await tab.card.locator("pre").nth(1).textContent()).toContain("rm -rf the-end");
    await inSight(tab);
    await tries(tab);
    await tab.card
      .locator("pre")
      .nth(1)
      .evaluate((el) => el.scrollTo(0, el.scrollHeight));
    await armed(tab);
    await tab.page.keyboard.press("Control+Backspace");
    await tab.page.keyboard.press("Enter");
    expect((await answer).status).toBe("denied");
  });

  test("a card behind a dialog is not seen", async () => {
    await tab.page.keyboard.press("Control+Shift+P");
    await tab.page.locator("dialog[open]").waitFor();
    const answer = asks("covered");
    await tab.card.waitFor({ state: "attached" });
    await inSight(tab);
    expect(await tab.card.getAttribute("data-armed")).toBe("false");
    await tab.page.keyboard.press("Escape");
    await armed(tab);
    await person.stop({ session_id: id });
    expect((await answer).status).toBe("denied");
    await person.release({ session_id: id });
  });
});
