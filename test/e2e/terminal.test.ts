// The page in a real browser against a real daemon: what a person sees is what the daemon says, and nothing else happens.
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { SOON_MS, until } from "../fixtures/soon.ts";

const AGENT_TUI = fileURLToPath(new URL("../fixtures/programs/agent-tui.mjs", import.meta.url));

/** Everything a terminal can be asked, and focus reports, which xterm sends as soon as they are turned on. */
const QUESTIONS =
  "\\033[c\\033[>c\\033[=c\\033[5n\\033[6n\\033[?6n\\033[?2004$p\\033[4$p\\033[14t\\033[18t\\033[>q\\033[?u" +
  "\\033P$qr\\033\\\\\\033P+q544e\\033\\\\\\033]4;1;?\\007\\033]10;?\\007\\033]11;?\\007\\033]12;?\\007\\033[?1004h";
const ENDLESS =
  ["L", "M", "S", "T", "@", "P", "X", "I", "Z"].map((final) => `\\033[2147483647${final}`).join("") +
  "x\\033[2147483647b";

describe("the page", () => {
  const { duetty, person, tab: newTab, openBash } = sharedPages();
  let tab: Tab;
  let page: Page;

  /** The terminal alone; cards have a test of their own. */
  async function signIn(session_id: string): Promise<void> {
    tab = await newTab({ viewport: { width: 1100, height: 640 }, view: "plain" });
    page = tab.page;
    await tab.go(session_id);
  }

  const rows = () => tab.rows();
  const shows = (text: string) => tab.shows(text);
  const sameAsDaemon = (id: string) => tab.sameAs(person, id);

  /** A shell on the page that has taken the page's size. */
  async function openShell(): Promise<string> {
    const session_id = await openBash();
    await signIn(session_id);
    await page.locator(".crumb .pill", { hasText: "×" }).waitFor();
    await shows("$");
    return session_id;
  }

  async function send(id: string, text: string, until: string): Promise<void> {
    const then = { any: [{ text: until }], timeout_ms: SOON_MS };
    const { outcome } = await person.pty_send({ session_id: id, text, then });
    expect(outcome).toBe("matched");
  }

  test("the terminal sends what is typed and shows the output", async () => {
    const id = await openShell();
    await page.locator(".xterm").click();
    await page.keyboard.type("echo hello-$((40+2))\n");
    await shows("hello-42");
    await sameAsDaemon(id);
    await tab.titled("bash");
  });

  test("the terminal shows the same rows as the daemon", async () => {
    const id = await openShell();
    await send(
      id,
      "printf '\\033[31mred\\033[1;44m bold\\033[0m %s\\n' 漢字 ｆｕｌｌ é ✓; seq 1 200; echo one-$((1+1))\n",
      "one-2",
    );
    await sameAsDaemon(id);
    await send(id, "clear; printf '\\033[5;10Hfive\\033[2;3Htwo\\033[7;1Hseven-%s\\n' $((1+1))\n", "seven-2");
    await sameAsDaemon(id);
    await send(id, `clear; printf 'a\\nb\\nc\\033[2;1H${ENDLESS}'; echo still-$((1+1))\n`, "still-2");
    await sameAsDaemon(id);
    await send(id, "vim -u NONE -i NONE -n -N /etc/services\n", "Network");
    await sameAsDaemon(id);
    await send(id, "Gdggihello 漢字\u001b", "hello 漢字");
    await sameAsDaemon(id);
    await person.pty_send({
      session_id: id,
      text: ":q!\n",
      then: { any: [{ prompt: true }], timeout_ms: SOON_MS },
    });
    await send(id, "echo left-$((1+1))\n", "left-2");
    await sameAsDaemon(id);
  });

  test("full-screen programs look as in the daemon: htop, and one like those of agents", async () => {
    // Slow enough to stand still while both are looked at.
    const { session_id } = await person.pty_open({ command: ["htop", "-d", "100"] });
    await signIn(session_id);
    await shows("Load average");
    await sameAsDaemon(session_id);
    await person.pty_send({ session_id, text: "t", then: { any: [{ settled_ms: 300 }], timeout_ms: SOON_MS } });
    await sameAsDaemon(session_id);
    const tui = await person.pty_open({ command: [process.execPath, AGENT_TUI] });
    await tab.go(tui.session_id);
    await shows("carefully");
    // It draws all the time; held between two frames, both show the same.
    await person.pty_send({ session_id: tui.session_id, text: "p" });
    await shows("Held at");
    await sameAsDaemon(tui.session_id);
    await shows("三行");
  });

  test("session and screen survive a reload", async () => {
    const id = await openShell();
    await send(id, "clear; printf '\\033[33mkept\\033[0m-%s\\n' this\n", "kept-this");
    await until(async () => (await rows())[1]?.includes("$") ?? false, "the prompt after it");
    await sameAsDaemon(id);
    const before = await rows();
    await page.reload();
    await shows("kept-this");
    expect(new URL(page.url()).hash).toBe(`#/${id}`);
    await sameAsDaemon(id);
    expect(await rows()).toEqual(before);
  });

  test("the session follows the window's size", async () => {
    const id = await openShell();
    // Wide characters: xterm alone would wrap them anew in another way than the daemon's engine, and lose some.
    await send(id, "clear; seq -s, 1 300; printf '漢字%.0s' {1..120}; echo wide-$((1+1))\n", "wide-2");
    await page.setViewportSize({ width: 800, height: 480 });
    const cols = async () => (await person.pty_read_screen({ session_id: id })).cols;
    await until(async () => (await cols()) < 90, "a narrower session");
    await sameAsDaemon(id);
  });

  test("the page does not answer a program's terminal queries", async () => {
    const ask = `stty raw -echo; printf ready; head -c1 >/dev/null; printf '${QUESTIONS}'; printf asked; cat >/dev/null`;
    const { session_id } = await person.pty_open({ command: ["/bin/bash", "-c", ask] });
    await signIn(session_id);
    await shows("ready");
    tab.typed.length = 0;
    await person.pty_send({ session_id, text: "x" });
    await shows("asked");
    // One round trip later nothing can be under way any more.
    await page.locator("footer").waitFor();
    expect(tab.typed).toEqual([]);
  });

  test("without a daemon the page says what to type, keeps keys and shows them, and sends them once", async () => {
    const id = await openShell();
    const other = await openBash({ name: "another" });
    await send(id, "clear; echo before-$((1+1))\n", "before-2");
    await shows("before-2");
    await page.locator("nav").getByText("another").waitFor();
    await person.shutdown({ keep_sessions: true });
    await page.getByText("Reconnecting…").waitFor();
    await page.locator(".xterm").click();
    await page.keyboard.type("echo unwanted");
    const banner = page.locator(".banner.over");
    await banner.getByText("echo unwanted").waitFor();
    await banner.getByRole("button", { name: "Discard" }).click();
    await page.locator(".xterm").click();
    await page.keyboard.type("echo kept-$((1+1))\n");
    await banner.getByText("echo kept-$((1+1))⏎").waitFor();
    await banner.getByText("duetty is not running. Start it again with: duetty").waitFor();
    // Kept keys stay their session's, wherever the person looks meanwhile.
    await tab.go(other);
    await page.locator(".crumb b", { hasText: "another" }).waitFor();
    await banner.getByText("kept").waitFor({ state: "detached" });
    await duetty.status();
    await banner.waitFor({ state: "detached" });
    await expect.poll(async () => (await person.blocks({ session_id: id })).blocks.at(-1)?.cmd).toContain("echo kept");
    expect((await person.blocks({ session_id: other })).blocks).toEqual([]);
    await tab.go(id);
    await shows("kept-2");
    await page.keyboard.type("echo after-$((1+1))\n");
    await shows("after-2");
    await sameAsDaemon(id);
    const ran = (await person.blocks({ session_id: id })).blocks.map(({ cmd }) => cmd ?? "");
    expect(ran.filter((cmd) => cmd.startsWith("echo kept"))).toHaveLength(1);
    expect(ran.join()).not.toContain("unwanted");
    // A browser complains of a socket that is gone.
    tab.complaints.length = 0;
  });

  test("the page says how a session ended", async () => {
    const { session_id } = await person.pty_open({ command: ["/bin/sh", "-c", "echo last words; exit 3"] });
    await person.pty_wait({ session_id, any: [{ exit: true }] });
    await signIn(session_id);
    await shows("last words");
    await page.getByText("Exited with code 3").waitFor();
  });

  test("the page opens, names and ends a session", async () => {
    const { session: here } = await person.status({ session_id: await openShell() });
    await page.keyboard.press("Alt+n");
    expect(await page.getByLabel("Folder").inputValue()).toBe(here?.cwd);
    await page.keyboard.type("cat -v");
    await page.getByLabel("Name").fill("kitten");
    await page.keyboard.press("Enter");
    await page.locator(".crumb b", { hasText: "kitten" }).waitFor();
    await page.getByRole("button", { name: "What to do with kitten" }).click();
    await page.getByRole("menuitem", { name: "End…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "End", exact: true }).click();
    await page.locator(".banner", { hasText: "This session was ended" }).waitFor();
    const { session } = await person.status({ session_id: "kitten" });
    expect(session?.state).toMatch(/done|failed/);
    await page.getByRole("button", { name: /Ended \(/ }).click();
    await page.getByRole("button", { name: "What to do with kitten" }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "What to do with kitten" }).waitFor({ state: "detached" });
    await expect(person.status({ session_id: "kitten" })).rejects.toMatchObject({ code: "session.not_found" });
  });
});
