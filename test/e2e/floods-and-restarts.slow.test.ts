// The page under floods, beside a window that hangs, and after its daemon was killed.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

/** 11 million bytes: more than any window or ring on the way holds. */
const FLOOD = "seq 1 1500000";
const FLOOD_BYTES = 10_000_000;
/** A browser on a small busy machine shows that much in this time. */
const FLOOD_MS = 120_000;

describe("floods, windows that hang, and restarts", () => {
  const { duetty, person, tab: newTab, openOn } = sharedPages({ complaints: "expected" });
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    tab = await newTab();
  });
  beforeEach(async () => {
    id = await openOn(tab);
  });

  const screen = async () => (await person.pty_read_screen({ session_id: id })).rows;
  const same = (one: Tab) => one.sameAs(person, id);
  const exitShown = (one: Tab) => one.page.locator(".ended", { hasText: "exit" }).waitFor({ timeout: FLOOD_MS });

  test("the daemon is killed: another one comes by itself, and keys typed meanwhile arrive once", async () => {
    await tab.page.keyboard.type("echo before-$((1+1)); read x; echo got-$x\n");
    await tab.shows("before-2");
    await tab.focused("terminal");
    await same(tab);
    const before = await tab.rows();
    expect(before.join()).not.toContain("kept");
    await duetty.killDaemon();
    await tab.page.keyboard.type("kept");
    await tab.shows("kept");
    await tab.page.getByText("Reconnecting…").waitFor({ state: "detached" });
    await same(tab);
    await tab.focused("terminal");
    await tab.page.keyboard.type("-through\n");
    await tab.focused("prompt");
    const arrived = async () => (await screen()).some((row) => row.trim() === "got-kept-through");
    await until(arrived, "what was typed meanwhile and afterwards");
    await tab.page.keyboard.type("echo again-$((1+1))\n");
    await until(async () => (await screen()).some((row) => row.includes("again-2")), "a command after the restart");
  });

  test("a line that is entered while the daemon is dead runs once when another one is there", async () => {
    await duetty.killDaemon();
    await tab.page.getByText("Reconnecting…").waitFor();
    await tab.page.keyboard.type("echo entered-$((1+1))\n: and-after\n");
    expect(await tab.prompt.inputValue()).toBe("");
    const commands = async () => (await person.blocks({ session_id: id })).blocks.map(({ cmd }) => cmd);
    await expect.poll(commands).toEqual(["echo entered-$((1+1))", ": and-after"]);
    expect(await tab.prompt.inputValue()).toBe("");
  });

  test("a card whose output is long in coming shows nothing of the screen that came after it", async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await tab.page.route("**/v1/block", async (route) => {
      await held;
      await route.continue();
    });
    await tab.page.keyboard.type(`${FLOOD}\n`);
    await exitShown(tab);
    const card = tab.page.locator("article.card");
    await card.getByText("Reading its output…").waitFor({ timeout: FLOOD_MS });
    expect(await card.locator(".xterm").count()).toBe(0);
    answer();
    await expect.poll(() => card.locator(".frozen").textContent()).toContain("1500000");
    await tab.page.unroute("**/v1/block");
  });

  test("ten million bytes beside a window that hangs: the other one takes keys, both show what the daemon does", async () => {
    const other = await newTab();
    await other.show(id);
    await tab.page.bringToFront();
    await tab.prompt.focus();
    const { stopped, goOn } = await other.hang();
    await tab.page.keyboard.type(`${FLOOD}; echo beside-$((1+1)); read x\n`);
    await stopped;
    await tab.shows("beside-2", FLOOD_MS);
    const { session } = await person.status({ session_id: id });
    expect(session?.cursor).toBeGreaterThan(FLOOD_BYTES);
    await tab.focused("terminal");
    await tab.page.keyboard.type("typed");
    await tab.shows("typed");
    await goOn();
    await other.shows("typed", FLOOD_MS);
    await same(other);
    await tab.page.keyboard.press("Enter");
    await tab.focused("prompt");
    await tab.page.keyboard.type("echo after-$((1+1))\n");
    await until(async () => (await screen()).some((row) => row.includes("after-2")), "what was typed after the flood");
    await exitShown(tab);
    await same(tab);
    expect(tab.complaints).toEqual([]);
    await other.close();
  });
});
