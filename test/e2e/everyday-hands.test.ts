// A person's everyday hands in a real browser: whatever they type arrives, once, in order, and where they meant it.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { BULK_MS, until } from "../fixtures/soon.ts";

/** Whoever waits hears the shell's no, however late it comes. */
const NEVER = { any: [{ exit: true as const }], timeout_ms: BULK_MS };

describe("everyday hands", () => {
  const { person, helper, folder, tab: newTab, openOn } = sharedPages();
  const cwd = folder({ "a.txt": "a\n" });
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    tab = await newTab();
  });
  beforeEach(async () => {
    id = await openOn(tab, { cwd });
  });

  const blocks = async () => (await person.blocks({ session_id: id, limit: 500 })).blocks;
  const commands = async () => (await blocks()).filter(({ state }) => state !== "running").map(({ cmd }) => cmd);
  const ran = (cmd: string) => until(async () => (await commands()).includes(cmd), cmd);
  const output = async (cmd: string) => {
    const block = (await blocks()).findLast((one) => one.cmd === cmd);
    return (await person.block({ block_id: block?.block_id ?? "" })).content;
  };
  const press = (keys: string) => tab.page.keyboard.press(keys);
  const type = (text: string) => tab.page.keyboard.type(text);
  const enter = async (text: string) => {
    await type(text);
    await press("Enter");
  };
  const holds = (text: string) =>
    until(async () => (await tab.prompt.inputValue()) === text, JSON.stringify(text)).catch(async () =>
      expect(await tab.prompt.inputValue()).toBe(text),
    );
  const live = () => tab.page.getByText("Keys go to").waitFor();
  /** A command that runs until it is told to end. */
  const lasting = (name: string) => ({
    line: `until [ -e ${name} ]; do sleep 0.1; done`,
    end: () => fs.writeFileSync(join(cwd, name), ""),
  });

  test("what was typed ahead stands in the prompt when the command ends", async () => {
    const { line, end } = lasting("first-end");
    await enter(line);
    await live();
    await type("echo ahead");
    end();
    await holds("echo ahead");
    await type(" and-after");
    await press("Enter");
    await ran("echo ahead and-after");
  });

  test("a whole line typed ahead runs once, and the half line after it stands in the prompt", async () => {
    const { line, end } = lasting("second-end");
    await enter(line);
    await live();
    await type("echo one\necho two\necho half");
    end();
    await holds("echo half");
    await ran("echo two");
    expect(await commands()).toEqual([line, "echo one", "echo two"]);
    await holds("echo half");
  });

  test("what was typed ahead stands in the prompt, too, when another session was shown meanwhile", async () => {
    const first = id;
    const { line, end } = lasting("third-end");
    await enter(line);
    await live();
    await type(": typed-ahead\n: ha");
    await openOn(tab, { cwd });
    end();
    await ran(": typed-ahead");
    await tab.show(first);
    await holds(": ha");
    await type("lf\n");
    await ran(": half");
    expect(await commands()).toEqual([line, ": typed-ahead", ": half"]);
    await holds("");
  });

  test("what is typed right after Enter goes to the program", async () => {
    await type("read -p 'name? ' n; echo hello-$n");
    await press("Enter");
    await type("somebody\n");
    await ran("read -p 'name? ' n; echo hello-$n");
    expect(await output("read -p 'name? ' n; echo hello-$n")).toContain("hello-somebody");
    expect(await commands()).toHaveLength(1);
    await holds("");
  });

  test("many commands, typed as fast as the page takes keys, run once each and in order", async () => {
    const lines = Array.from({ length: depth(24, 50, 100) }, (_, n) => (n % 10 === 3 ? `sleep 0.3; : ${n}` : `: ${n}`));
    for (const line of lines) await enter(line);
    await until(async () => (await commands()).length >= lines.length, "all of them").catch(() => undefined);
    expect(await commands()).toEqual(lines);
    await holds("");
  });

  test("a denied line of an agent is cleared from the shell", async () => {
    const typed = helper.pty_send({ session_id: id, text: "rm -rf build", keys: ["Enter"], then: NEVER });
    await expect(typed).rejects.toMatchObject({ code: "approval.pending" });
    const asked = () => person.approvals({ session_id: id });
    await until(async () => (await asked()).approvals.length === 1, "a question");
    const [question] = (await asked()).approvals;
    await person.deny({ approval_id: question?.approval_id ?? "" });
    await until(
      async () => !(await person.pty_read_screen({ session_id: id })).rows.some((row) => row.includes("rm -rf build")),
      "an empty line",
    );
    await enter("echo mine");
    await ran("echo mine");
    expect(await commands()).toEqual(["echo mine"]);
  });

  test("an agent's half line is shown with its name, and can be taken over", async () => {
    await helper.pty_send({ session_id: id, text: "echo from-agent" });
    await tab.page.getByText("(typed by helper)").waitFor();
    await tab.button("Edit it").click();
    await holds("echo from-agent");
    await tab.page.getByText("Typed by helper").waitFor();
    await tab.prompt.focus();
    await press("Enter");
    await ran("echo from-agent");
    expect((await blocks()).at(-1)?.actor).toBe("person");
  });

  test("Enter on an incomplete line begins a new line", async () => {
    await enter("for i in a b; do");
    await holds("for i in a b; do\n");
    await enter("echo it-$i");
    await holds("for i in a b; do\necho it-$i\n");
    await enter("done");
    await ran("for i in a b; do\necho it-$i\ndone");
    await holds("");
  });

  test("keys go to the prompt after a new session, a switch, a card, a selection and a dialog", async () => {
    const safe = tab.page.getByRole("switch", { name: "Safe mode" });
    await enter("echo first-$((20+1))");
    await tab.page.getByText("first-21").last().waitFor();
    for (const checked of [false, true]) {
      await safe.click();
      await tab.page.getByRole("switch", { name: "Safe mode", checked }).waitFor();
    }
    await enter(" echo after-switch");
    await ran("echo after-switch");
    expect(await safe.getAttribute("aria-checked")).toBe("true");

    await tab.page.locator(".frozen", { hasText: "first-21" }).first().click();
    await enter("echo after-card");
    await ran("echo after-card");

    await tab.page.locator(".frozen", { hasText: "first-21" }).first().click({ clickCount: 3 });
    await enter("echo after-selection");
    await ran("echo after-selection");

    await press("Control+k");
    await tab.page.getByRole("dialog").waitFor();
    await press("Escape");
    await enter("echo after-palette");
    await ran("echo after-palette");

    await tab.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await enter("echo after-nothing");
    await ran("echo after-nothing");

    await press("Alt+n");
    await tab.page.getByRole("dialog", { name: "New session" }).waitFor();
    await press("Enter");
    await tab.page.getByRole("dialog", { name: "New session" }).waitFor({ state: "detached" });
    const shown = () => new URL(tab.page.url()).hash.slice(2);
    await expect.poll(shown).not.toBe(id);
    const fresh = shown();
    await tab.page.locator("[data-prompt]").waitFor();
    onTestFinished(async () => void (await person.pty_close({ session_id: fresh })));
    await enter("echo in-the-new-one");
    const there = async () => (await person.blocks({ session_id: fresh })).blocks.map(({ cmd }) => cmd);
    await until(async () => (await there()).includes("echo in-the-new-one"), "the command there");
  });

  test("two quick clicks on a switch leave it as it was", async () => {
    const safe = tab.page.getByRole("switch", { name: "Safe mode" });
    const asked: string[] = [];
    tab.page.on("request", (request) => {
      if (request.url().endsWith("/v1/policy")) asked.push(String(JSON.parse(request.postData() ?? "{}").safe_mode));
    });
    await safe.evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
    await expect.poll(() => asked).toEqual(["off", "on"]);
    await tab.page.getByRole("switch", { name: "Safe mode", checked: true }).waitFor();
  });

  test("keys go to the running program, too, when something else was clicked", async () => {
    await enter("read -p 'more? ' a; echo got-$a");
    await live();
    await tab.page.locator("article.card .cmd, article.card header").first().click();
    await tab.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await enter("some more");
    await ran("read -p 'more? ' a; echo got-$a");
    expect(await output("read -p 'more? ' a; echo got-$a")).toContain("got-some more");
  });

  test("the folder and its branch are right at once after cd and a checkout, everywhere", async () => {
    const repo = folder({ ".git/HEAD": "ref: refs/heads/fix/session-500\n", "inner/x.txt": "x\n" });
    const seen = async () => {
      const [crumb, foot] = [tab.page.locator(".crumb"), tab.page.locator(".hint")];
      const item = tab.page.locator("nav [aria-current=true]");
      return Promise.all([crumb, foot, item].map((one) => one.textContent()));
    };
    const shows = async (words: readonly string[]) => {
      const isThere = async () => (await seen()).every((text) => words.every((word) => text?.includes(word)));
      await until(isThere, words.join(" and ")).catch(async () => expect(await seen()).toEqual(words));
    };
    await enter(`cd ${repo}/inner`);
    await shows(["/inner", "⎇ fix/session-500"]);
    await enter("echo 'ref: refs/heads/main' > ../.git/HEAD");
    await shows(["/inner", "⎇ main"]);
    await enter("cd /var/log");
    await shows(["/var/log"]);
    // The branch of a folder is told just after the folder.
    await expect.poll(async () => (await seen()).join()).not.toContain("⎇");
    expect((await person.pty_list({})).sessions.find(({ session_id }) => session_id === id)).toMatchObject({
      cwd: "/var/log",
      branch: null,
    });
  });

  test("what a background job prints stands after its command, with its name, also after a reload", async () => {
    // It prints when it is told to: however late the prompt is, nothing of it comes before.
    fs.writeFileSync(join(cwd, "hold"), "until test -e bg-end; do sleep 0.05; done\n");
    await enter("{ sh hold; echo BG-$((40+2)); } &");
    await ran("{ sh hold; echo BG-$((40+2)); } &");
    fs.writeFileSync(join(cwd, "bg-end"), "");
    const row = tab.page.locator(".after");
    await row.getByText("BG-42").waitFor();
    expect(await row.locator("p").textContent()).toContain("{ sh hold; echo BG-$((40+2)); }");
    await enter("echo next");
    await tab.page.locator(".after", { hasText: "Done" }).waitFor();
    await tab.page.reload();
    await row.getByText("BG-42").waitFor();
    await expect.poll(() => row.count()).toBe(2);
    await holds("");
  });
});
