// Tasks on the page, with a scripted agent in a box: the board, what a task changed, comments that go back, what is taken back.
import fs from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { git } from "../fixtures/git.ts";
import { violations } from "../fixtures/page/axe.ts";
import { crowded } from "../fixtures/page/crowded.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import { soon } from "../fixtures/soon.ts";

const AGENT = new URL("../fixtures/agent-cli/task-agent.mjs", import.meta.url);
const MIDDLE = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n");
const [BEFORE, HALF, AFTER] = [
  ["one", "last"],
  ["ONE", "last"],
  ["ONE", "LAST"],
].map(([first, last]) => `${first}\n${MIDDLE}\n${last}\n`);
/** A check that the agent's change breaks. */
const CHECK =
  'require("node:test").test("first", () => { if (/^ONE/.test(require("fs").readFileSync("notes.txt"))) throw 1; })';

describe("tasks", () => {
  const { duetty, person, folder, tab: newTab, openBash } = sharedPages({ config: { restore: { budget_ms: 60_000 } } });
  const bin = folder();
  fs.copyFileSync(AGENT, join(bin, "claude"));
  duetty.env.PATH = `${bin}:${process.env.PATH}`;

  function repository(): string {
    const repo = folder({
      "notes.txt": BEFORE ?? "",
      "notes.test.js": CHECK,
      "package.json": '{"scripts":{"test":"node --test"}}',
    });
    git(repo, "init", "-q", "-b", "main");
    git(repo, "add", "-A");
    git(repo, "commit", "-qm", "first");
    return repo;
  }

  const wrongIn = async (page: Page) => [...(await violations(page)), ...(await crowded(page))];

  async function begin(page: Page, repo: string, text: string): Promise<void> {
    await page.getByRole("link", { name: "Board" }).click();
    await page.getByText("No tasks yet").waitFor();
    await page.getByRole("button", { name: "New task" }).click();
    const form = page.getByRole("dialog", { name: "New task" });
    await form.getByRole("textbox", { name: "What to do" }).fill(text);
    await form.getByRole("combobox", { name: "Agent" }).fill("claude");
    await form.getByRole("combobox", { name: "Repository" }).fill(repo);
    await form.getByRole("button", { name: "Begin" }).click();
    await form.waitFor({ state: "detached" });
  }

  test("from the board to the diff, a comment, checks, a hunk taken back and brought again, a merge offered", async () => {
    const repo = repository();
    const shell = await openBash({ cwd: repo });
    const { page } = await newTab();
    await begin(page, repo, "shout louder");
    const column = (name: string) => page.getByRole("region", { name });
    const card = column("Ready to look at").getByRole("listitem").filter({ hasText: "shout louder" });
    await card.getByText("merges into main").waitFor();
    await expect
      .poll(async () => (await card.allInnerTexts()).join())
      .toMatch(/claude[\s\S]*⎇ duetty\/shout-louder\S*\s+↑1[\s\S]*\+2\s+−2\s+1 file/);
    const needed = async () => (await person.needs({})).needs.map(({ kind, label }) => `${kind} ${label}`);
    await expect.poll(needed).toEqual(["done shout louder"]);
    await page.reload();
    await card.locator(".last").waitFor();
    expect(await wrongIn(page)).toEqual([]);
    expect(await needed()).toEqual(["done shout louder"]);
    await card.getByText("shout louder", { exact: true }).click();
    await page.locator(".crumb .branch", { hasText: "⎇ duetty/shout-louder" }).waitFor();
    await page.keyboard.press("Alt+r");

    const file = page.getByRole("region", { name: "notes.txt", exact: true });
    await file.getByText("LAST", { exact: true }).waitFor();
    await file.getByRole("button", { name: "Comment on line 22" }).last().click();
    await page.getByRole("textbox", { name: "Comment" }).fill("not so loud");
    await page.keyboard.press("Control+Enter");
    expect(await wrongIn(page)).toEqual([]);
    await page.getByRole("button", { name: "Send 1 comment to claude" }).click();
    const { sessions } = await person.pty_list({});
    const { session_id, worktree } =
      sessions.find(({ task }) => task?.text === "shout louder") ?? expect.fail("no task");
    const read = (name: string) => fs.readFileSync(join(worktree?.path ?? "", name), "utf8");
    await soon(() => expect(read("asked.txt")).toMatch(/^notes\.txt:22: not so loud$/m));
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByRole("region", { name: "asked.txt" }).waitFor();
    await page.getByRole("button", { name: "Run checks" }).click();
    await page.getByRole("region", { name: "Checks" }).getByText("✗ first").waitFor();

    await file.getByRole("button", { name: "Accept lines from 1 of notes.txt" }).click();
    await file.getByText("accepted").waitFor();
    await file.getByRole("button", { name: /^Reject lines from 1\d of notes/ }).click();
    await expect.poll(() => file.getByText("LAST", { exact: true }).count()).toBe(0);
    expect(read("notes.txt")).toBe(HALF);
    await page.getByRole("region", { name: "notes.txt as committed" }).waitFor();
    expect(await page.locator(".review-head .counts").textContent()).toMatch(/−1\s+2 files, 2 not committed$/);
    await page.getByRole("button", { name: "Undo…" }).click();
    await page.getByRole("button", { name: "Bring 1 path back" }).click();
    await file.getByText("LAST", { exact: true }).waitFor();
    expect(read("notes.txt")).toBe(AFTER);
    await page.getByRole("button", { name: "Reject notes.txt" }).click();
    await file.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "notes.txt as committed" }).waitFor();
    expect(read("notes.txt")).toBe(BEFORE);

    await page.getByRole("button", { name: "Into a shell's prompt: Merge into main" }).click();
    await expect.poll(() => page.url()).toMatch(new RegExp(`#/${shell}$`));
    await expect
      .poll(() => page.locator("[data-prompt]").inputValue())
      .toMatch(/^git -C \S+ .*merge .*duetty\/shout-louder/);
    await page.keyboard.press("Alt+b");
    await card.waitFor();
    // The same key leads back, and so does Escape.
    for (const key of ["Alt+b", "Escape"]) {
      await page.keyboard.press(key);
      await expect.poll(() => page.url()).toMatch(new RegExp(`#/${shell}$`));
      await page.locator("[data-prompt]:focus").waitFor();
      await page.keyboard.press("Alt+b");
      await card.waitFor();
    }
    await page.keyboard.press("p");
    await column("Put away").getByText("shout louder").waitFor();
    await person.pty_close({ session_id });

    await page.setViewportSize({ width: 390, height: 780 });
    await page.emulateMedia({ colorScheme: "light" });
    expect(await wrongIn(page)).toEqual([]);
    await column("Put away").getByRole("link", { name: "Changes" }).click();
    await page.getByRole("region", { name: "asked.txt" }).waitFor();
    expect(await wrongIn(page)).toEqual([]);
  });

  test("a new session in a worktree says its branch and what changed there, and text of files is only text", async () => {
    const repo = repository();
    const { page } = await newTab();
    await page.keyboard.press("Alt+n");
    const form = page.getByRole("dialog", { name: "New session" });
    await form.getByRole("combobox", { name: "Folder" }).fill(repo);
    await form.getByRole("checkbox", { name: /^In a worktree/ }).check();
    await form.getByRole("textbox", { name: "Branch" }).fill("mine");
    await page.keyboard.press("Enter");
    await page.locator(".crumb .branch", { hasText: "⎇ mine" }).waitFor();
    await page.locator("[data-prompt]").fill("printf '<img src=x>\\u202e!' >> notes.txt");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Changes ±1" }).click();
    await page.getByRole("region", { name: "notes.txt" }).getByText("<img src=x>⟦U+202E⟧!").waitFor();
    expect(await page.locator(".review img").count()).toBe(0);
  });
});
