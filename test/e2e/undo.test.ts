// Undo on the page: the difference is shown first, then the files come back.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";

describe("undo", () => {
  const { agent, folder, tab: newTab, openBash, trust } = sharedPages({ config: { restore: { budget_ms: 60_000 } } });

  test("since a command, by its menu; and back again, by the palette", async () => {
    const cwd = folder({ "notes.txt": "one\ntwo\n", "old.txt": "old\n" });
    const session_id = await openBash({ cwd });
    await trust(session_id);
    await agent("one").run_command({ session_id, command: "rm old.txt; echo three >> notes.txt" });
    await agent("one").run_command({ session_id, command: "echo four >> notes.txt" });
    const tab = await newTab();
    await tab.show(session_id);
    const { page } = tab;
    const card = page.locator("article", { hasText: "rm old.txt" }).first();
    await card.hover();
    await card.getByRole("button", { name: "What to do with this command" }).click();
    await page.getByRole("menuitem", { name: "Undo the changes since here…" }).click();
    const panel = page.getByRole("dialog", { name: "Undo changes" });
    await panel.getByText("old.txt", { exact: true }).waitFor();
    await panel.getByText("-four").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(fs.existsSync(join(cwd, "old.txt"))).toBe(false);
    await panel.getByRole("button", { name: "Bring 2 paths back" }).click();
    await panel.waitFor({ state: "detached" });
    expect(fs.readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("one\ntwo\n");
    expect(fs.readFileSync(join(cwd, "old.txt"), "utf8")).toBe("old\n");
    await tab.choose("undo the agent");
    await panel.getByText("+four").waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(fs.existsSync(join(cwd, "old.txt"))).toBe(true);
  });
});
