// What the prompt does while a person writes, in a real browser: suggestions and the search in history.
import type { Route } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

const { person, helper, folder, tab: newTab, openBash, trust } = sharedPages();
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
let tab: Tab;
let here: string;
let other: string;

beforeAll(async () => {
  [here, other] = [await openBash({ cwd: folder() }), await openBash({ cwd: folder() })];
  await trust(other);
  const run = (session_id: string, command: string) => person.run_command({ session_id, command });
  await run(here, "echo near one two");
  await run(here, `echo near ${TOKEN}`);
  await run(other, "echo far three");
  await run(other, "ls no-such-file");
  await trust(here);
  await helper.run_command({ session_id: here, command: "echo by-agent" });
  // While an agent has the keyboard, its shell is not asked.
  await helper.release({ session_id: here });
  tab = await newTab();
  await tab.show(here);
});

const press = (keys: string) => tab.page.keyboard.press(keys);
const type = (text: string) => tab.page.keyboard.type(text);
const ghost = (text: string) => expect.poll(() => tab.page.locator(".ghost").textContent()).toBe(text);
const holds = (text: string) => expect.poll(() => tab.prompt.inputValue()).toBe(text);
const list = () => tab.page.getByRole("listbox", { name: "History" });
const options = () => list().getByRole("option");
const failed = () => tab.page.locator(".past .filters").getByText("Failed");
const ran = async (session_id: string) => (await person.blocks({ session_id })).blocks.length;

test("a grey suggestion from history is taken whole or by words, runs nothing, and can be undone", async () => {
  const before = await ran(here);
  await type("echo ");
  // The one with the key is newer.
  await ghost("near one two");
  expect(await tab.prompt.inputValue()).toBe("echo ");
  expect(await tab.page.locator(".field .unseen[id]").textContent()).toContain("echo near one two");
  await press("Alt+ArrowRight");
  await holds("echo near");
  await press("Control+ArrowRight");
  await holds("echo near one");
  await press("ArrowRight");
  await holds("echo near one two");
  await ghost("");
  await press("Control+z");
  await holds("echo near one");
  await press("End");
  await holds("echo near one two");
  // Not in the middle of the text.
  await tab.prompt.fill("echo ne");
  await ghost("ar one two");
  await press("ArrowLeft");
  await ghost("");
  await press("ArrowRight");
  await ghost("ar one two");
  await tab.prompt.fill("echo f");
  await ghost("ar three");
  await tab.prompt.fill("");
  expect(await ran(here)).toBe(before);
});

test("Ctrl+R finds commands of all sessions with their facts, puts one into the prompt and runs nothing", async () => {
  const before = await ran(here);
  await tab.prompt.fill("half");
  await press("Control+r");
  await tab.page.getByText("History: no match").waitFor();
  await press("Enter");
  expect(await list().count()).toBe(1);
  await press("Escape");
  await holds("half");
  expect(await list().count()).toBe(0);

  await tab.prompt.fill("");
  await press("Control+r");
  await type("far");
  await until(async () => (await options().count()) === 1, "the one");
  expect(await options().first().textContent()).toMatch(/echo far three.*you.*exit 0.*now/);
  await press("Enter");
  await holds("echo far three");
  await tab.focused("prompt");

  await tab.prompt.fill("");
  await press("Control+r");
  await options().filter({ hasText: "near one two" }).waitFor();
  // Agents' are found in their own session only.
  expect(await options().filter({ hasText: "✦ helper" }).count()).toBe(0);
  await press("Control+r");
  await press("Control+r");
  await options().filter({ hasText: "✦ helper" }).waitFor();
  expect(await options().last().textContent()).toContain("echo by-agent");
  await press("Control+r");
  await tab.page.locator("[aria-pressed=true]", { hasText: "All sessions" }).waitFor();
  await failed().click();
  await until(async () => (await options().count()) === 1, "the failed one");
  expect(await options().first().textContent()).toMatch(/ls no-such-file.*exit 2/);
  await press("Control+r");
  await tab.page.locator("[aria-pressed=true]", { hasText: "This folder" }).waitFor();
  await tab.page.getByText("History: no match").waitFor();
  await failed().click();
  await options().filter({ hasText: "near one two" }).waitFor();
  expect(await options().filter({ hasText: "far" }).count()).toBe(0);
  await press("Escape");
  await holds("");
  expect(await ran(here)).toBe(before);
});

test("Enter before the answer has come counts when it comes", async () => {
  const questions: Route[] = [];
  let isHeld = true;
  await tab.page.route("**/v1/history", (route) => (isHeld ? void questions.push(route) : route.continue()));
  await tab.prompt.fill("");
  await press("Control+r");
  await type("far");
  await press("Enter");
  expect(await tab.prompt.inputValue()).toBe("far");
  await until(() => questions.length >= 4, "the questions");
  isHeld = false;
  await Promise.all(questions.map((route) => route.continue()));
  await holds("echo far three");
  expect(await list().count()).toBe(0);
  await tab.prompt.fill("");
});

test("a written command is in colour, each letter under its own", async () => {
  const line = `git commit -m "a $HOME" | wc > /tmp/x # ${"long ".repeat(60)}\n<b>&amp; 'open`;
  await tab.prompt.fill(line);
  const ink = tab.page.locator(".ink");
  await ink.locator(".ink-command", { hasText: "git" }).waitFor();
  for (const [tone, text] of Object.entries({ option: "-m", variable: "$HOME", operator: "|", path: "/tmp/x" }))
    expect((await ink.locator(`.ink-${tone}`).first().textContent())?.trim()).toBe(text);
  const same = await ink.evaluate((layer) => {
    const area = layer.parentElement?.querySelector("textarea");
    const whole = (layer.textContent ?? "").replace(/\u200b$/, "");
    return [
      whole === area?.value,
      layer.clientWidth - (area?.clientWidth ?? 0),
      layer.scrollHeight - (area?.scrollHeight ?? 0),
    ];
  });
  expect(same).toEqual([true, 0, 0]);
  // What is not what it looks like is named.
  await tab.prompt.fill("sh report\u202efdp.sh --safe");
  await expect.poll(() => ink.textContent()).toContain("sh report⟦U+202E⟧fdp.sh --safe");
  // Words for the agent have none.
  await tab.prompt.fill("/why is git slow");
  await ink.locator(".ink-command").waitFor({ state: "detached" });
  await tab.prompt.fill("");
});

test("a command that the shell would not find is marked once it is written, not by colour alone", async () => {
  const marked = tab.page.locator(".ink-unknown");
  await tab.prompt.fill("gti status | grep x");
  await marked.waitFor();
  expect(await marked.allTextContents()).toEqual(["gti"]);
  expect(await marked.evaluate((el) => getComputedStyle(el).textDecorationStyle)).toBe("wavy");
  await tab.page.getByRole("status").getByText("The shell knows no command gti.").waitFor({ state: "attached" });
  expect(await violations(tab.page)).toEqual([]);
  // It is known at the next prompt.
  await person.run_command({ session_id: here, command: "gti() { :; }" });
  await marked.waitFor({ state: "detached" });
  await tab.prompt.fill("");
});

test("who masks secrets gets no suggestion, and a history with dots", async () => {
  await press("Alt+KeyS");
  await tab.button(/Secrets masked/).waitFor();
  await tab.prompt.focus();
  await press("Control+r");
  await options().filter({ hasText: "••••github••••" }).waitFor();
  expect(await tab.page.content()).not.toContain(TOKEN.slice(8, 20));
  await press("Escape");
  await type("echo f");
  const asked = await person.history({ session_id: here, text: "echo f", use: "suggest" });
  expect(asked.commands.map(({ cmd }) => cmd)).toEqual(["echo far three"]);
  await ghost("");
  await tab.prompt.fill("");
  await tab.button(/Secrets masked/).click();
});
