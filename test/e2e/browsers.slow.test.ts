// The core set: what a person must be able to do in every browser, written once. Chromium by default; `npm run
// test:browsers` has Firefox and WebKit, too. docs/browsers.md lists what differs.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openChromium } from "../fixtures/browsers/chromium.ts";
import { CorePage } from "../fixtures/browsers/core-page.ts";
import type { Driver, Size } from "../fixtures/browsers/driver.ts";
import { crowded } from "../fixtures/page/crowded.ts";
import { soon } from "../fixtures/soon.ts";
import { sharedStand, UNBOXED } from "../fixtures/stand/stand.ts";

const DRIVERS: Readonly<Record<string, (size: Size) => Promise<Driver>>> = {
  chromium: openChromium,
  firefox: async (size) => (await import("../fixtures/browsers/firefox.ts")).openFirefox(size),
  webkit: async (size) => (await import("../fixtures/browsers/webkit.ts")).openWebKit(size),
};
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describe.each((process.env.BROWSERS ?? "chromium").split(" "))("the page in %s", (browser) => {
  const s = sharedStand({ config: UNBOXED });
  const { person } = s;
  const helper = s.agent("helper");
  const cwd = s.folder({ "alpha one.txt": "1\n", "alpha-two.txt": "2\n", "beta.txt": "3\n" });
  let driver: Driver | undefined;
  let page: CorePage;
  let id: string;

  beforeAll(async () => {
    driver = await DRIVERS[browser]?.(DESK);
    if (!driver) throw new Error(`there is no driver for ${browser}`);
    page = new CorePage(driver, person);
    await page.signIn();
  });
  afterAll(() => driver?.close());
  beforeEach(async () => {
    id = await s.openBash({ cwd });
    await page.show(id);
  });
  afterEach(async () => {
    await person.pty_close({ session_id: id });
    expect(await page.complaints()).toEqual([]);
  });

  const type = (text: string) => page.driver.type(text);
  const press = (keys: string) => page.driver.press(keys);
  const asks = (name: string) => {
    mkdirSync(join(cwd, name));
    return helper.run_command({ session_id: id, command: `rm -r ${name}`, timeout_ms: 100_000 });
  };

  test("a command runs, and its card has what it printed and how it ended", async () => {
    await page.enter("echo one-$((1+1)); false");
    await page.sees("article .frozen", "one-2");
    await page.sees(".ended", "exit 1");
    await page.focused("prompt");
    expect(await crowded(page)).toEqual([]);
    const ends = (selector: string) =>
      page.evaluate((own) => Math.round(document.querySelector(own)?.getBoundingClientRect().right ?? 0), selector);
    expect(await ends("article")).toBe(await ends(".compose .inp"));
  });

  test("Tab completes, and offers a list", async () => {
    await type("cat be");
    await press("Tab");
    await page.writes("cat beta.txt ");
    await press("Control+c");
    await type("cat al");
    await press("Tab");
    await page.sees("[role=listbox] .what", "alpha-two.txt");
    await press("ArrowDown");
    await press("Enter");
    await page.writes("cat alpha\\ one.txt");
    await page.focused("prompt");
    await press("Control+c");
  });

  test("a question is answered by keys, or by a click", async () => {
    const first = asks("one");
    await page.sees('.appr[data-armed="true"]', "rm -r one");
    await page.focused("prompt");
    await press("Control+Enter");
    expect(await first).toMatchObject({ status: "done" });
    await page.misses(".appr");
    const second = asks("two");
    await page.sees('.appr[data-armed="true"]', "rm -r two");
    expect(await crowded(page)).toEqual([]);
    await page.click(".appr button", "Deny…");
    await page.click(".appr button.bad", "Deny");
    expect(await second).toMatchObject({ status: "denied" });
    expect(existsSync(join(cwd, "two"))).toBe(true);
    await page.misses(".appr");
  });

  test("vim in the live terminal has the keys, and follows the window's size", async () => {
    await page.enter("vim -u NONE -N note.txt");
    await page.shows("[New");
    await page.focused("terminal");
    await type("iHello, Wörld {}");
    await press("Escape");
    await page.shows("Hello, Wörld {}");
    const size = async () => {
      const { cols, rows_count } = await person.pty_read_screen({ session_id: id });
      return `${cols}×${rows_count}`;
    };
    const before = await size();
    await page.driver.resize({ width: 1000, height: 600 });
    await soon(async () => expect(await size()).not.toEqual(before));
    await page.sameAsDaemon(id);
    await page.driver.resize(DESK);
    await soon(async () => expect(await size()).toEqual(before));
    await page.sameAsDaemon(id);
    await page.enter(":wq");
    await page.focused("prompt");
    expect(readFileSync(join(cwd, "note.txt"), "utf8")).toBe("Hello, Wörld {}\n");
  });

  test("another daemon takes over after a kill, and keys typed meanwhile arrive once", async () => {
    await page.enter("read x; echo got-$x");
    await page.focused("terminal");
    // As high as a finished card's, so that nothing moves at the end.
    expect(await page.rowPx("live")).toBe(await page.rowPx("finished"));
    await s.duetty.killDaemon();
    await type("kept");
    await page.shows("kept");
    await page.misses("body", "Reconnecting…");
    await type("-through");
    await press("Enter");
    await page.sees("article .frozen", "got-kept-through");
    await page.focused("prompt");
    await page.enter("echo after-$((1+1))");
    await page.sees("article .frozen", "after-2");
  });

  test("the palette leads to the dark theme and to a replay that looks as the session did", async () => {
    await person.run_command({ session_id: id, command: "printf '\\033[31mred\\033[0m 漢字 é\\n'; seq 40" });
    await press("Alt+Shift+P");
    await page.holds(
      "a list with room for many",
      () => (document.querySelector(".over .list")?.clientHeight ?? 0) > 300,
    );
    await press("Escape");
    await page.misses("dialog");
    await page.act("dark theme");
    await page.holds("the dark theme", () => document.documentElement.dataset.theme === "dark");
    await page.focused("prompt");
    await page.act("replay this");
    await page.sees(".replay[data-busy=false][data-cursor]");
    const shown = () =>
      page.evaluate(() => {
        const rows = [...document.querySelectorAll(".replay .xterm-rows > div")];
        const at = Number(document.querySelector(".replay[data-busy=false]")?.getAttribute("data-cursor") ?? -1);
        return { at, rows: rows.map((row) => (row.textContent ?? "").replaceAll("\u00a0", " ").trimEnd()) };
      });
    await soon(async () => {
      const { at, rows } = await shown();
      expect(rows).toEqual((await person.pty_read_screen({ session_id: id, at })).rows);
    });
    await page.act("go live");
    await page.focused("prompt");
  });

  test("a phone has room for everything, and runs a command", async () => {
    await page.driver.resize(PHONE);
    onTestFinished(() => page.driver.resize(DESK));
    await page.enter("seq 30");
    await page.sees(".ended", "exit 0");
    expect(await crowded(page)).toEqual([]);
    await page.click("button[aria-label=Sessions]");
    await page.sees("nav", "New session");
    expect(await crowded(page)).toEqual([]);
  });
});
