// The page when things go badly: floods, a window that cannot keep up, a daemon that is killed.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

/** 22 million bytes: more than any window or ring on the way holds. */
const FLOOD = "seq 1 2900000";
const FLOOD_BYTES = 20_000_000;
const SMALL_FLOOD = "seq 1 150000";
/** A browser on two loaded cores shows that much in this time. */
const FLOOD_MS = 120_000;

describe("floods, slow windows and restarts", () => {
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

  test("the page reconnects when the daemon is killed and started again", async () => {
    await tab.page.keyboard.type("echo before-$((1+1)); read x; echo got-$x\n");
    await tab.shows("before-2");
    await tab.focused("terminal");
    await same(tab);
    const before = await tab.rows();
    await duetty.killDaemon();
    await tab.page.getByText("Reconnecting…").waitFor();
    await tab.page.keyboard.type("lost");
    await tab.page.getByText("Your keys are not sent.").waitFor();
    await duetty.status();
    await tab.page.getByText("Reconnecting…").waitFor({ state: "detached" });
    await same(tab);
    expect(await tab.rows()).toEqual(before);
    await tab.focused("terminal");
    await tab.page.keyboard.type("through\n");
    await tab.focused("prompt");
    await until(async () => (await screen()).some((row) => row.includes("got-through")), "what was typed afterwards");
    await tab.page.keyboard.type("echo again-$((1+1))\n");
    await until(async () => (await screen()).some((row) => row.includes("again-2")), "a command after the restart");
    expect((await screen()).join()).not.toContain("lost");
  });

  test("typing works after twenty million bytes, and the screen equals the daemon's", async () => {
    await tab.page.keyboard.type(`${FLOOD}; echo flood-$((1+1)); read x\n`);
    await tab.shows("flood-2", FLOOD_MS);
    const { session } = await person.status({ session_id: id });
    expect(session?.cursor).toBeGreaterThan(FLOOD_BYTES);
    await tab.focused("terminal");
    await tab.page.keyboard.type("yes\n");
    await tab.focused("prompt");
    await tab.page.keyboard.type("echo after-$((1+1))\n");
    await until(async () => (await screen()).some((row) => row.includes("after-2")), "what was typed after the flood");
    await exitShown(tab);
    await same(tab);
    expect(tab.complaints).toEqual([]);
  });

  test("a slow window does not slow another one", async () => {
    const slow = await newTab();
    await slow.show(id);
    await tab.page.bringToFront();
    await tab.prompt.focus();
    const flood = async (word: string) => {
      const began = performance.now();
      await tab.page.keyboard.type(`${SMALL_FLOOD}; echo ${word}-$((1+1)); read x\n`);
      await tab.shows(`${word}-2`, FLOOD_MS);
      return Math.round(performance.now() - began);
    };
    const alone = await flood("alone");
    await tab.focused("terminal");
    await tab.page.keyboard.press("Enter");
    await tab.focused("prompt");
    await slow.throttle(20);
    const beside = await flood("beside");
    const behind = !(await slow.rows()).some((row) => row.includes("beside-2"));
    console.log(`1 MB: ${alone} ms alone, ${beside} ms beside a window that is ${behind ? "behind" : "not behind"}`);
    await tab.focused("terminal");
    await tab.page.keyboard.type("typed");
    await tab.shows("typed");
    await slow.throttle(1);
    await slow.shows("typed", FLOOD_MS);
    await same(slow);
    await tab.page.keyboard.press("Enter");
    await tab.focused("prompt");
    await slow.close();
    // Both share two cores with everything else that is tested: an order of magnitude would be the slow one's doing.
    expect(beside).toBeLessThan(10 * alone);
  });
});
