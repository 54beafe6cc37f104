// The page after a restart of the machine: a card offers what ran, and a session that came back has its old commands above the new.
import { describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import { soon } from "../fixtures/soon.ts";
import { FIRST_BOOT, reboot } from "../fixtures/stand/reboot.ts";

describe("restart", () => {
  const stand = sharedPages({ env: FIRST_BOOT });
  const { person, agent, folder, tab: newTab, openBash } = stand;

  test("restore all leaves out an agent's, which has its own button; forget; the old transcript stands above", async () => {
    const cwd = folder();
    const mine = await openBash({ cwd, name: "mine" });
    await person.run_command({ session_id: mine, command: "echo from before" });
    const other = await openBash({ cwd, name: "other" });
    await person.pty_open({ command: ["cat"], name: "unwanted", cwd });
    await agent("helper").pty_open({ shell: "/bin/bash", cwd, name: "theirs" });
    await reboot(stand);
    const tab = await newTab();
    const { page } = tab;
    const card = page.getByRole("region", { name: "Sessions from before the restart" });
    await card.getByText("4 sessions ran before the machine restarted").waitFor();
    await card.getByText("agent:helper opened it").waitFor();
    expect(await violations(page)).toEqual([]);
    const item = (name: string) => card.getByRole("listitem").filter({ hasText: name });
    await item("unwanted").getByRole("button", { name: "Forget" }).click();
    await item("unwanted").waitFor({ state: "detached" });
    expect((await person.pty_list({ all: false })).sessions).toEqual([]);
    await item("mine").getByRole("button", { name: "Restore" }).click();
    const before = page.getByRole("region", { name: "From before the restart" });
    await before.getByRole("article", { name: /^echo from before/ }).waitFor();
    await before.locator(".frozen", { hasText: "from before" }).waitFor();
    await card.getByRole("button", { name: "Restore 1" }).click();
    await item("other").waitFor({ state: "detached" });
    await item("theirs").waitFor();
    const names = async () => (await person.pty_list({ all: false })).sessions.map(({ name }) => name).sort();
    await expect.poll(names).toEqual(["mine", "other"]);
    await item("theirs").getByRole("button", { name: "Restore" }).click();
    await card.waitFor({ state: "detached" });
    await expect.poll(names).toEqual(["mine", "other", "theirs"]);
    const { sessions } = await person.pty_list({});
    // Whoever restores one is shown it.
    const theirs = sessions.find(({ name, restored_from }) => name === "theirs" && restored_from)?.session_id;
    await page.locator(`footer:has-text("${theirs}")`).waitFor();
    expect(sessions.find(({ session_id }) => session_id === other)?.restored_as).toBeDefined();
    // A command in the new session stands below the old ones, and the old session leads to the new one.
    const back = sessions.find(({ restored_from }) => restored_from === mine)?.session_id ?? "";
    await tab.show(back);
    await person.run_command({ session_id: back, command: "echo since then" });
    const since = page.locator(".row article", { hasText: "echo since then" });
    await since.waitFor();
    await soon(async () =>
      expect((await before.boundingBox())?.y ?? 0).toBeLessThan((await since.boundingBox())?.y ?? 0),
    );
    expect(await violations(page)).toEqual([]);
    await before.getByRole("button", { name: "the old session" }).click();
    await page.getByText("It was started again.").waitFor();
    await page.getByRole("button", { name: "Go there" }).click();
    await since.waitFor();
  });
});
