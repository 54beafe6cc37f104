// The past in a real browser: every moment looks as the daemon says it did, playing ends where the session is, keys and
// pointer lead through it, and nothing of it can be typed into.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { seeded } from "../fixtures/seeded.ts";
import { SOON_MS, until } from "../fixtures/soon.ts";

const LOOKS = 12;
const ESCAPES = "printf '\\033[31mred\\033[0m 漢字 ｆｕｌｌ é ✓\\n'; seq 1 60; printf '\\033[5;10Hfive\\033[9;1H'";

describe("the replay", () => {
  const { person, helper, tab: newTab, openBash } = sharedPages();
  let tab: Tab;
  let page: Page;
  let id: string;

  beforeAll(async () => {
    id = await recorded();
  });

  /** Commands of both, a failure, a question, other sizes, a full screen. */
  async function recorded(): Promise<string> {
    const session_id = await openBash({ cols: 80, rows: 24 });
    const run = (command: string) => person.run_command({ session_id, command });
    await run(ESCAPES);
    await person.pty_resize({ session_id, cols: 60, rows: 18 });
    await run("printf 'wide-%.0s' {1..40}; echo");
    await run("false");
    await helper.run_command({ session_id, command: "echo by-agent" });
    await person.pty_resize({ session_id, cols: 100, rows: 30 });
    await run("echo the-end");
    return session_id;
  }

  async function open(session_id = id): Promise<void> {
    tab = await newTab();
    page = tab.page;
    await tab.show(session_id, "plain");
    await tab.choose("replay this");
    await shown();
  }

  const replay = () => page.locator("section.replay");
  /** The cursor that is shown; nothing while something is under way. */
  const resting = async (): Promise<number | undefined> => {
    const [cursor] = await page
      .locator("section.replay[data-busy=false][data-cursor]")
      .evaluateAll((all) => all.map((own) => own.getAttribute("data-cursor")));
    return cursor ? Number(cursor) : undefined;
  };

  async function shown(): Promise<number> {
    let cursor: number | undefined;
    const rests = async () => {
      cursor = await resting();
      return cursor !== undefined;
    };
    await until(rests, "a picture");
    return cursor ?? 0;
  }

  const rows = () =>
    page
      .locator(".replay .xterm-rows > div")
      .evaluateAll((all) => all.map((row) => (row.textContent ?? "").replaceAll("\u00a0", " ").trimEnd()));

  /** xterm draws with the page's next picture. */
  async function sameAsDaemon(session_id: string, at: number): Promise<void> {
    const truth = (await person.pty_read_screen({ session_id, at })).rows;
    let seen: string[] = [];
    const same = async () => {
      seen = await rows();
      return JSON.stringify(seen) === JSON.stringify(truth);
    };
    await until(same, "agreement").catch(() => expect(seen, `at ${at}`).toEqual(truth));
  }

  async function clickAt(part: number): Promise<number> {
    const box = await replay().getByRole("slider").boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * part, (box?.y ?? 0) + 8);
    return shown();
  }

  test("every moment looks as the daemon says it did", async () => {
    await open();
    const next = seeded(11);
    for (let i = 0; i < LOOKS; i += 1) await sameAsDaemon(id, await clickAt(next()));
  });

  test("playing ends at the session's present screen", async () => {
    await open();
    await page.keyboard.press("Home");
    expect(await shown()).toBe(0);
    for (let i = 0; i < 5; i += 1) await page.keyboard.press("+");
    await page.keyboard.press("Space");
    const { total_bytes } = await person.timeline({ session_id: id });
    await until(async () => (await resting()) === total_bytes, "the end", 2 * SOON_MS);
    await replay().getByRole("button", { name: "Play", exact: true }).waitFor();
    await sameAsDaemon(id, total_bytes);
    expect(await tab.rows()).toEqual((await person.pty_read_screen({ session_id: id })).rows);
  });

  test("keys work as in a video player", async () => {
    await open();
    const slider = replay().getByRole("slider");
    const end = await shown();
    await page.keyboard.press("Home");
    expect(await shown()).toBe(0);
    await page.keyboard.press(".");
    const first = await shown();
    expect(first).toBeGreaterThan(0);
    await page.keyboard.press(".");
    expect(await shown()).toBeGreaterThan(first);
    await page.keyboard.press(",");
    expect(await shown()).toBe(first);
    await page.keyboard.press("]");
    const command = await shown();
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/^\d+ s, printf/);
    await page.keyboard.press("]");
    expect(await shown()).toBeGreaterThan(command);
    await page.keyboard.press("[");
    await page.keyboard.press("5");
    const half = Number(await slider.getAttribute("aria-valuenow"));
    expect(half).toBeCloseTo(Number(await slider.getAttribute("aria-valuemax")) / 2, -0.5);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("End");
    expect(await shown()).toBe(end);
    await page.keyboard.press("?");
    await page.getByRole("region", { name: "Keys of the replay" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("region", { name: "Keys of the replay" }).waitFor({ state: "detached" });
  });

  test("marks show who did what, what failed and what is asked", async () => {
    await helper.run_command({ session_id: id, command: "npm install left-pad", timeout_ms: 0 });
    const { approvals } = await person.approvals({ session_id: id });
    await person.deny({ approval_id: approvals[0]?.approval_id ?? "" });
    await open();
    const pieces = (kind: string) => replay().locator(`.scrub .${kind}`).count();
    await until(async () => (await pieces("asked")) > 0, "the question's mark");
    expect(await pieces("you")).toBeGreaterThan(0);
    expect(await pieces("agent")).toBeGreaterThan(0);
    expect(await pieces("failed")).toBe(1);
    await replay().getByText("read only", { exact: true }).waitFor();
  });

  test("keys are not sent to the session; going live shows the present", async () => {
    await open();
    const before = (await person.timeline({ session_id: id })).total_bytes;
    await clickAt(0.3);
    await replay().locator(".xterm-screen").click();
    await page.keyboard.type("echo never\n");
    await replay().getByRole("button", { name: "Go live" }).click();
    await replay().waitFor({ state: "detached" });
    await page.locator("[data-prompt]").waitFor();
    // A line that reached the shell would have been echoed before this one.
    await person.run_command({ session_id: id, command: "echo after" });
    const { base64 } = await person.pty_read_raw({ session_id: id, from: before });
    expect(Buffer.from(base64, "base64").toString()).not.toContain("never");
    const bar = page.locator(".replay-bar");
    await bar.getByRole("button", { name: "Play" }).click();
    await replay().waitFor();
    // One scrubber at a time. Escape closes the list of keys, then the replay.
    await bar.waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByLabel("Keys of the replay").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Keys of the replay").waitFor({ state: "detached" });
    expect(await replay().isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await replay().waitFor({ state: "detached" });
  });

  test("a long ended session is read in parts", async () => {
    const command = ["/bin/sh", "-c", "seq 1 1200000; echo it-is-over"];
    const { session_id } = await person.pty_open({ command, cols: 80, rows: 24 });
    await person.pty_wait({ session_id, any: [{ exit: true }], timeout_ms: SOON_MS * 2 });
    let largest = 0;
    await open(session_id);
    page.on("response", async (response) => {
      largest = Math.max(largest, Number(response.headers()["content-length"] ?? 0));
    });
    const { total_bytes } = await person.timeline({ session_id });
    expect(total_bytes).toBeGreaterThan(8 << 20);
    expect(await shown()).toBe(total_bytes);
    await sameAsDaemon(session_id, total_bytes);
    await sameAsDaemon(session_id, await clickAt(0.5));
    await page.keyboard.press("Home");
    for (let i = 0; i < 5; i += 1) await page.keyboard.press("+");
    await page.keyboard.press("Space");
    await until(async () => (await resting()) === total_bytes, "the end", 2 * SOON_MS);
    await sameAsDaemon(session_id, total_bytes);
    expect(largest).toBeLessThan(1 << 20);
  });
});
