// The prompt in a real browser: what is written there runs in the shell, and nothing that was written is lost.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

describe("the prompt", () => {
  const { person, helper, folder, tab: newTab, openBash, openOn, trust } = sharedPages();
  const cwd = folder(
    Object.fromEntries(["alpha one.txt", "alpha-two.txt", "beta.txt"].map((name) => [name, `${name}\n`])),
  );
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    mkdirSync(join(cwd, "inner"));
    tab = await newTab();
  });
  beforeEach(async () => {
    id = await openOn(tab, { cwd });
  });

  const blocks = async () => (await person.blocks({ session_id: id })).blocks;
  const ran = (cmd: string) =>
    until(async () => (await blocks()).some((block) => block.cmd === cmd && block.state !== "running"), cmd);
  const press = (keys: string) => tab.page.keyboard.press(keys);
  const type = (text: string) => tab.page.keyboard.type(text);
  const holds = (text: string) =>
    until(async () => (await tab.prompt.inputValue()) === text, JSON.stringify(text)).catch(async () =>
      expect(await tab.prompt.inputValue()).toBe(text),
    );

  test("a line runs as the person's, and the prompt shows folder and exit code", async () => {
    await type("echo one-$((1+1))");
    await press("Enter");
    await ran("echo one-$((1+1))");
    await holds("");
    await tab.page.locator(".ended", { hasText: "exit 0" }).waitFor();
    await type("cd inner; false");
    await press("Enter");
    await tab.page.locator(".ended", { hasText: "exit 1" }).waitFor();
    await tab.page.locator(".where", { hasText: "inner" }).waitFor();
    expect((await blocks()).at(-1)?.actor).toBe("person");
    await tab.focused("prompt");
  });

  test("the arrow keys go through past commands with the same beginning", async () => {
    for (const cmd of ["echo a1", "printf b1", "echo a2"]) await person.run_command({ session_id: id, command: cmd });
    await press("ArrowUp");
    await holds("echo a2");
    await press("ArrowUp");
    await holds("printf b1");
    await press("ArrowDown");
    await press("ArrowDown");
    await holds("");
    await type("ec");
    await press("ArrowUp");
    await holds("echo a2");
    await press("ArrowUp");
    await holds("echo a1");
    await press("ArrowDown");
    await press("ArrowDown");
    await holds("ec");
  });

  test("Tab completes the common part of a path, then offers a list", async () => {
    await type("cat be");
    await press("Tab");
    await holds("cat beta.txt ");
    await tab.prompt.fill("cat al");
    await press("Tab");
    await holds("cat alpha");
    const list = tab.page.getByRole("listbox");
    await list.waitFor();
    expect(await list.locator(".what").allTextContents()).toEqual(["alpha\\ one.txt", "alpha-two.txt"]);
    await press("Escape");
    await list.waitFor({ state: "detached" });
    await tab.focused("prompt");
    await press("Tab");
    await list.waitFor();
    await press("ArrowDown");
    const chosen = await tab.prompt.getAttribute("aria-activedescendant");
    expect(await tab.page.locator(`#${chosen}`).getAttribute("aria-selected")).toBe("true");
    await press("Enter");
    await holds("cat alpha\\ one.txt");
    await press("Enter");
    await ran("cat alpha\\ one.txt");
    expect((await blocks()).at(-1)?.exit_code).toBe(0);
  });

  test("the prompt takes several lines and grows with them", async () => {
    const height = () => tab.prompt.evaluate((el) => el.clientHeight);
    const before = await height();
    await type("for i in 1 2; do");
    await press("Shift+Enter");
    await type("echo n-$i");
    await press("Alt+Enter");
    await type("done");
    await until(async () => (await height()) > before + 20, "a prompt for three lines");
    await press("Enter");
    await ran("for i in 1 2; do\necho n-$i\ndone");
    await holds("");
    await until(async () => (await height()) === before, "a small prompt again");
  });

  test("Ctrl+C empties the prompt, unless something is selected", async () => {
    await type("not this");
    await press("Shift+Home");
    await press("Control+c");
    await holds("not this");
    await press("End");
    await press("Control+c");
    await holds("");
  });

  test("a half line in the shell is shown with its owner, and refuses nothing for good", async () => {
    // Somebody has half a line in the terminal.
    await person.pty_send({ session_id: id, text: "half a li", then: { any: [{ text: "half a li" }] } });
    await tab.prompt.fill("echo whole");
    await press("Enter");
    const said = tab.page.getByRole("alert");
    await said.getByText("there is unfinished text at the shell prompt: `half a li` (typed by you)").waitFor();
    await holds("echo whole");
    await tab.button("Discard it").click();
    await said.waitFor({ state: "detached" });
    await press("Enter");
    await ran("echo whole");
    expect((await blocks()).map((block) => block.cmd)).not.toContain("half a li");
  });

  test("keys go to the program while one runs, then to the prompt again", async () => {
    await type("read -p 'name? ' n; echo hello-$n");
    await press("Enter");
    await tab.page.getByText("Keys go to").waitFor();
    await tab.focused("terminal");
    await type("you\n");
    await ran("read -p 'name? ' n; echo hello-$n");
    await tab.focused("prompt");
    const { content } = await person.block({ block_id: `${id}:last` });
    expect(content).toContain("hello-you");
    await type("sleep 60");
    await press("Enter");
    await tab.button("^C Interrupt").click();
    await ran("sleep 60");
    await tab.focused("prompt");
  });

  test("text with a slash asks the agent, but a program's path runs it", async () => {
    await type("/bin/echo by-path");
    await press("Enter");
    await ran("/bin/echo by-path");
    await type("/why is it slow");
    await press("Enter");
    // No model is set up here: the person is told, and keeps the text.
    await tab.page.locator(".toast").waitFor();
    await holds("/why is it slow");
    await tab.prompt.fill(" /nothing");
    await press("Enter");
    await ran("/nothing");
    await person.mode({ session_id: id, mode: "agent" });
    await tab.page.getByPlaceholder("Ask the agent…").waitFor();
    await tab.prompt.fill("!echo bang");
    await press("Enter");
    await ran("echo bang");
  });

  test("a draft stays while another session is shown", async () => {
    const other = await person.pty_open({ command: ["/bin/bash", "--norc", "-i"], name: "other" });
    await type("half-written");
    await tab.page.locator("nav").getByText("other").click();
    await holds("");
    await tab.page.goBack();
    await holds("half-written");
    await person.pty_close({ session_id: other.session_id });
  });

  test("lines that were entered run where they were entered, though another session is shown by then", async () => {
    const cwd = folder();
    const from = await openOn(tab, { cwd });
    const other = await openBash({ name: "elsewhere" });
    await trust(from);
    const slow = helper.run_command({ session_id: from, command: "until [ -e go ]; do sleep 0.05; done" });
    await tab.page.locator("article", { hasText: "until [ -e go ]" }).waitFor();
    await type("echo first\necho second\necho third\n");
    await holds("");
    await tab.show(other);
    await holds("");
    writeFileSync(join(cwd, "go"), "");
    await slow;
    const commands = async (session_id: string) => (await person.blocks({ session_id })).blocks.map(({ cmd }) => cmd);
    await expect.poll(async () => (await commands(from)).slice(1)).toEqual(["echo first", "echo second", "echo third"]);
    expect(await commands(other)).toEqual([]);
    await tab.show(from);
    await holds("");
    await person.pty_close({ session_id: other });
  });
});
