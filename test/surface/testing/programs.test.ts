// The test kit drives real programs and small ones of our own, as the author of such a program would.
import fs from "node:fs";
import { join } from "node:path";
import { it, expect as plain } from "vitest";
import { expect, type LaunchOptions, launch, shell } from "../../../src/entry/testing.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { SOON_MS } from "../../fixtures/soon.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";

const options: LaunchOptions = { timeout: SOON_MS, trace: "off" };
const tui = (name: string) => [process.execPath, join(ROOT, "test/fixtures/programs/tui", `${name}.mjs`)];

it("vim: text is typed, found in its place and style, and written", async () => {
  const cwd = testFolder({ "notes.txt": "one\ntwo\n", vimrc: "set laststatus=2 ruler nocompatible\nsyntax off\n" });
  await using term = await launch(["vim", "-u", "vimrc", "notes.txt"], { ...options, cwd });
  await expect(term.getByRole("status")).toHaveText(/^notes\.txt .*1,1/);
  await term.type("ihello ");
  await expect(term).toShow("-- INSERT --");
  plain(await term.getByText("hello").rect()).toEqual({ row: 0, col: 0, width: 5, height: 1 });
  await expect(term.getByRole("status")).toHaveStyle("reverse");
  await term.press("Escape");
  await expect(term).not.toShow("-- INSERT --");
  await term.type(":wq\n");
  await expect(term).toHaveExited(0);
  plain(fs.readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("hello one\ntwo\n");
});

it("less: it scrolls, searches and highlights, in a terminal that changes its size", async () => {
  const text = Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n");
  const env = { LESS: null, LESSOPEN: null };
  await using term = await launch(["less", "text"], { ...options, env, cwd: testFolder({ text }) });
  await expect(term.getByText(/^line \d+$/)).toHaveCount(23);
  await term.resize(40, 10);
  await expect(term.getByText(/^line \d+$/)).toHaveCount(9);
  await term.press("PageDown");
  await expect(term).not.toShow(/^line 0$/);
  await term.type("/line 150\n");
  await expect(term.getByRole("highlighted", { name: "line 150" })).toBeVisible();
  await expect(term.getByText("line 150")).toHaveStyle("reverse");
  await term.press("q");
  plain(await term.waitForExit()).toEqual({ code: 0, signal: null });
});

it("htop: zones of a screen that never rests", async () => {
  const env = { XDG_CONFIG_HOME: testFolder(), HOME: testFolder() };
  await using term = await launch(["htop"], { ...options, env, cols: 100, rows: 30 });
  await expect(term.getByRole("status")).toHaveText(/F1\s?Help.*F10\s?Quit/);
  await expect(term.getByText("Load average")).toHaveCount(1);
  await term.press("F1");
  await expect(term).toShow("show this help screen");
  await term.press("Escape");
  await expect(term).not.toShow("show this help screen");
  await term.press("F10");
  await expect(term).toHaveExited(0);
});

it("a menu: the selection moves by colour alone, by keys and by clicks inside of a box", async () => {
  await using term = await launch(tui("menu"), options);
  const box = term.getByRole("box", { name: "File" });
  const selected = term.getByRole("selected");
  await expect(box).toBeVisible();
  plain(await box.rect()).toEqual({ row: 2, col: 4, width: 24, height: 6 });
  // The bar is drawn as a selection is; inside of the box there is one.
  await expect(box.getByRole("selected")).toHaveText("Open file");
  await term.press("Down");
  await expect(box.getByRole("selected")).toHaveText("Save file");
  await expect(term.getByText("Save file")).toHaveStyle("reverse");
  await expect(term.getByText("Open file")).not.toHaveStyle("reverse");
  await expect(term.getByText("file")).toHaveCount(3);
  await expect(term.getByText("file", { exact: true })).toHaveCount(0);
  await expect(term.getByText("Save file", { exact: true })).toHaveCount(1);
  await box.getByText("Delete file").click();
  await expect(selected.first()).toHaveText("Delete file");
  await term.press("Enter");
  await expect(term.getByRole("status")).toHaveText("Delete file: done");
  await expect(term.getByRole("status")).toHaveStyle(["bold", "bg-blue"]);
  await expect(term.getByRole("title")).toHaveText("menu");
  await expect(term.getByRole("cursor")).toHaveCount(0);
  await term.getByText("Quit").click();
  await expect(selected.first()).toHaveText("Quit");
  await term.press("Enter");
  await expect(term).toHaveExited(0);
});

it("a form: a password is typed and never shown, also not in a failure", async () => {
  await using term = await launch(tui("form"), options);
  await expect(term.getByText("Name")).toHaveStyle("bold");
  await term.type("Ada\t");
  await expect(term.getByText("Password")).toHaveStyle("bold");
  await term.type("open sesame!", { secret: true });
  await expect(term.getByText(/•+/)).toHaveText("•".repeat(12));
  plain(await term.screen()).toMatchObject({ cursor: { row: 2, col: 23, visible: true }, cols: 80, rows: 24 });
  const failure = await expect(term).toShow("Welcome", { timeout: 0 }).catch(String);
  plain(failure).toMatch(/inputs +type "Ada\\t", type a secret\n/);
  plain(failure).not.toContain("sesame");
  await term.press("Backspace");
  await term.press("Enter");
  await expect(term.getByText("Welcome, Ada")).toHaveStyle("green");
  await expect(term).toHaveExited(0);
});

it("progress: what is redrawn all the time is waited for, also when only its colour changes", async () => {
  await using term = await launch(tui("spinner"), options);
  await expect(term.getByText(/^[⠋-⠿] building after \d+ ms$/)).toBeVisible();
  await term.press("Space");
  await expect(term).toShow("PASS build");
  await expect(term).not.toShow("building");
  await expect(term.getByText("PASS")).not.toHaveStyle("green");
  await term.press("Space");
  await expect(term.getByText("PASS")).toHaveStyle("green");
  await term.signal("TERM");
  plain(await term.waitForExit()).toEqual({ code: null, signal: "SIGTERM" });
});

it("a shell: commands run with their exit codes, and its prompt and input are zones", async () => {
  await using term = await shell(options);
  plain(await term.run("echo one; false")).toEqual({ exitCode: 1, output: plain.stringMatching(/^one\r?\n?$/) });
  await term.type("echo tw");
  await expect(term.getByRole("input").last()).toHaveText("echo tw");
  await expect(term.getByRole("prompt").last()).toHaveText("$");
  await term.paste("o three");
  await term.press("Enter");
  await expect(term.getByText("two three", { exact: true })).toBeVisible();
});
