// The agents' pane without a built-in agent: it shows who is really here, hides itself when nobody is, and leads through the set-up.
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";

describe("agents that are here", () => {
  const { person, helper, duetty, tab: newTab, openOn, denyAll } = sharedPages({ own: true });
  let tab: Tab;
  beforeAll(async () => {
    tab = await newTab();
  });
  const pane = (of = tab) => of.page.getByRole("complementary", { name: "Agent" });

  test("with nobody there the pane hides itself; opened by hand it leads through the set-up", async () => {
    await openOn(tab);
    await expect.poll(() => pane().isVisible()).toBe(false);
    await tab.page.keyboard.press("Control+k");
    await tab.page.keyboard.type("Show the agent's pane");
    await tab.page.keyboard.press("Enter");
    await pane().getByText("duetty setup claude").waitFor();
    expect(await pane().textContent()).toContain(duetty.home.config);
    expect(await pane().textContent()).toContain("npm install -g ai@7 @ai-sdk/anthropic@4");
    await pane().getByRole("button", { name: "Test" }).click();
    await pane().getByRole("status").getByText("No language model is set up").waitFor();
    await tab.page.evaluate(() => localStorage.clear());
    await tab.page.reload();
  });

  test("an agent from outside is listed with what it did last and what it waits for", async () => {
    const session_id = await openOn(tab);
    await helper.run_command({ session_id, command: "echo from outside" });
    await tab.page.reload();
    const row = pane().locator(".here li", { hasText: "helper" });
    await row.getByText("ran echo from outside").waitFor();
    const asked = helper.run_command({ session_id, command: "rm -rf build" }).catch(() => undefined);
    await expect.poll(async () => (await person.approvals({ session_id })).approvals.length).toBe(1);
    await row.getByText("waits for your answer").waitFor();
    await row.getByText("asks to run rm -rf build").waitFor();
    await denyAll();
    await asked;
    await row.getByText("wanted to run rm -rf build").waitFor();
    // It went on with something else: its question is open, and the pane says of it what the question itself says.
    await helper.run_command({ session_id, command: "rm -rf dist" }, { approvalWaitMs: 1 }).catch(() => undefined);
    await tab.card.getByText("helper is no longer waiting").waitFor();
    await row.getByText("no longer waits for your answer").waitFor();
    await row.getByText("wanted to run rm -rf dist").waitFor();
    await helper.run_command({ session_id, command: "echo something else" });
    await row.getByText("ran echo something else").waitFor();
    await denyAll();
  });

  test("a command that is typed as soon as there is a prompt runs at the size that the page keeps", async () => {
    const session_id = await openOn(tab);
    await helper.run_command({ session_id, command: "true" });
    const fresh = await newTab();
    // The answer that opens the pane comes after the session's own.
    let listed: () => void = () => undefined;
    const isListed = new Promise<void>((resolve) => {
      listed = resolve;
    });
    await fresh.page.route("**/v1/blocks", async (route) => {
      await route.continue();
      listed();
    });
    await fresh.page.route("**/v1/agents", async (route) => {
      await isListed;
      await route.continue();
    });
    await fresh.page.evaluate(() => localStorage.clear());
    await fresh.go(session_id);
    await fresh.page.reload();
    await fresh.prompt.focus();
    await fresh.page.keyboard.type("stty size\n");
    await pane(fresh).waitFor();
    const blocks = async () => (await person.blocks({ session_id })).blocks;
    await expect.poll(async () => (await blocks()).at(-1)?.state).toBe("done");
    await fresh.prompt.focus();
    await fresh.page.keyboard.type("stty size\n");
    await expect.poll(async () => (await blocks()).map(({ cmd }) => cmd)).toEqual(["true", "stty size", "stty size"]);
    await expect.poll(async () => (await blocks()).at(-1)?.state).toBe("done");
    const [, first, second] = await Promise.all((await blocks()).map(({ block_id }) => person.block({ block_id })));
    expect(first?.content).toBe(second?.content);
  });

  test("a session that an agent opened begins in Shared mode: what a person types there runs", async () => {
    const { session_id } = await helper.pty_open({ shell: "/bin/bash" });
    await tab.show(session_id);
    await tab.page.getByRole("radio", { name: "Shared", checked: true }).waitFor();
    await tab.page.keyboard.type("echo typed-there\n");
    const commands = async () => (await person.blocks({ session_id })).blocks.map(({ cmd }) => cmd);
    await expect.poll(commands).toContain("echo typed-there");
    await person.pty_close({ session_id });
  });
});
