// The page of examples/electron in a real Chromium: the real preload code exposes `window.pty`, the real main code answers. Only
// the process boundary is a WebSocket instead of Electron's.
import fs from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Connection } from "../../src/client/connection.ts";
import type { PtyApi } from "../../src/embed/electron/contract.ts";
import { type Registered, registerPty } from "../../src/embed/electron/main.ts";
import { connectionOf } from "../fixtures/electron/connection.ts";
import { PageApp } from "../fixtures/electron/page-app.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import { soon, until } from "../fixtures/soon.ts";

declare global {
  interface Window {
    pty: PtyApi;
    terminal: import("@xterm/xterm").Terminal;
  }
}

const s = sharedPages();
const app = new PageApp();
let registered: Registered;
let terminals: Connection;
let page: Page;

beforeAll(async () => {
  await app.start();
  terminals = await connectionOf(s);
  registered = registerPty(app.ipcMain, { terminals, allowFrame: [app.origin] });
  page = await s.browser().newPage();
  await app.window(page);
  await page.goto(app.origin);
  await page.waitForFunction(() => window.terminal?.buffer !== undefined);
});
afterAll(async () => {
  await page.close();
  await registered.close();
  await terminals.close();
  await app.close();
});

const rows = () =>
  page.evaluate(() => {
    const { active } = window.terminal.buffer;
    const at = (row: number) => active.getLine(active.viewportY + row)?.translateToString(true) ?? "";
    return Array.from({ length: window.terminal.rows }, (_, row) => at(row)).join("\n");
  });
const shows = (what: RegExp) => soon(async () => expect(await rows()).toMatch(what));
const enter = async (line: string) => {
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
};

it("edits a file in vim, follows the window's size, and ends with the page", async () => {
  const cwd = s.folder();
  await page.locator(".xterm-screen").click();
  await enter(`cd ${cwd}`);
  await enter("vim -u NONE -N note.txt");
  await shows(/\[New/);
  await page.keyboard.type("ifrom a window");
  await page.keyboard.press("Escape");
  await shows(/^from a window/);
  await enter(":wq");
  await soon(() => expect(fs.readFileSync(join(cwd, "note.txt"), "utf8")).toBe("from a window\n"));
  await page.setViewportSize({ width: 640, height: 300 });
  const size = await soon(async () => {
    const { cols, rows } = await page.evaluate(() => ({ cols: window.terminal.cols, rows: window.terminal.rows }));
    expect(cols).toBeLessThan(80);
    return `${rows} ${cols}`;
  });
  await enter("clear; stty size; sleep 1000");
  await shows(new RegExp(`^${size}$`, "m"));
  const running = async () => (await s.person.pty_list({ all: false })).sessions.map(({ session_id }) => session_id);
  const [before] = await running();
  await page.reload();
  await page.waitForFunction(() => window.terminal?.buffer !== undefined);
  await until(async () => !(await running()).includes(before ?? ""), "the end of the first session");
  await shows(/[$#]/);
});

it("keeps the contract of window.pty: bytes, exit code, unsubscribe, errors", async () => {
  const told = await page.evaluate(async () => {
    const { pty } = window;
    const heard: number[] = [];
    const { sessionId } = await pty.create({ shell: "/bin/bash" });
    const stop = pty.onData((event) => void (event.sessionId === sessionId && heard.push(...event.data)));
    const exit = new Promise<number>((resolve) => {
      pty.onExit((event) => event.sessionId === sessionId && resolve(event.exitCode));
    });
    const line =
      "stty raw -echo; printf rea; printf dy:; head -c 4 | od -An -tx1; printf 'out\\377\\200\\303('; exit 9\r";
    const typed = await pty.write({ sessionId, data: line });
    const has = (...bytes: number[]) => heard.join().includes(bytes.join());
    // Not in the echo of the line.
    const ready = [...new TextEncoder().encode("ready:")];
    while (!has(...ready)) await new Promise((resolve) => setTimeout(resolve, 10));
    await pty.write({ sessionId, data: new Uint8Array([0, 255, 254, 128]) });
    const exitCode = await exit;
    stop();
    const wrong = await pty.resize({ sessionId, cols: 0, rows: 1 }).catch((error: Error) => error.message);
    const late = await pty.dispose({ sessionId });
    return { typed, exitCode, late, wrong, text: String.fromCharCode(...heard), isExact: has(255, 128, 195, 40) };
  });
  expect(told).toMatchObject({ typed: { ok: true }, exitCode: 9, late: { ok: false }, isExact: true });
  expect(told.text).toContain("00 ff fe 80");
  expect(told.wrong).toContain("cols must be at least");
});

it("lets the person of the window answer an agent", async () => {
  const { sessions } = await s.person.pty_list({ all: false });
  const session_id = sessions.at(0)?.session_id ?? "";
  const run = s.helper.run_command({ session_id, command: "rm -rf /tmp/no-such-thing", timeout_ms: 100_000 });
  await page.getByRole("button", { name: "Allow" }).click();
  expect(await run).toMatchObject({ status: "done", exit_code: 0 });
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
});
