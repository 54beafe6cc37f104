// Questions of agents on the page: visible, never in the way, and answered only on purpose.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

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
  const { person, helper, folder, tab: newTab, open, openOn } = sharedPages();
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
    await tab.focused("Why not; the agent is told");
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

  test("cards form a queue and lead to questions of other sessions", async () => {
    const answers = ["q1", "q2", "q3"].map((name) => asks(name));
    await tab.card.getByText("1 of 3").waitFor();
    await tab.button("The next question").click();
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
});
