// The list of sessions, their form and their size in a real browser: what is there is shown, what is written stays, and a
// phone never changes what a desktop sees.
import { afterEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { SOON_MS, until } from "../fixtures/soon.ts";

const PHONE = { width: 390, height: 844 };

describe("sessions", () => {
  const { person, helper, tab: newTab, openBash } = sharedPages();
  afterEach(async () => {
    const { sessions } = await person.pty_list({ all: false });
    await Promise.all(sessions.map(({ session_id }) => person.pty_close({ session_id })));
  });

  const open = async (name: string, command: string[]) => (await person.pty_open({ name, command })).session_id;
  const shown = (on: Tab, session_id: string) =>
    on.page.waitForURL((url) => url.hash === `#/${session_id}`, { timeout: SOON_MS });
  const item = (on: Tab, name: string) => on.page.locator("nav .item", { hasText: name });

  test("the list shows who holds each session, what runs and where a person is needed", async () => {
    await open("quiet", ["cat"]);
    await open("secret", ["/bin/bash", "-c", "read -rsp 'password: ' word"]);
    const failed = await open("broken", ["/bin/sh", "-c", "exit 3"]);
    await person.pty_wait({ session_id: failed, any: [{ exit: true }] });
    const asked = await openBash({ name: "asked" });
    await helper.run_command({ session_id: asked, command: "npm install left-pad", timeout_ms: 0 });
    const on = await newTab();
    await item(on, "secret").getByText("needs you").waitFor();
    await item(on, "asked").getByText("needs you").waitFor();
    await item(on, "secret").locator(".meta", { hasText: "waiting: bash password" }).waitFor();
    await on.button(/Ended \(1\)/).click();
    await item(on, "broken").getByText("failed 3").waitFor();
    await item(on, "broken").locator(".sess").click();
    await on.page.getByText("Exited with code 3").waitFor();
    expect(await item(on, "quiet").locator(".digit").textContent()).toBe("1");
    // "Needs you" is what the top bar counts. A program that asks for a line waits; one that reads single keys does not even that.
    const keys = await open("menu", ["/bin/bash", "-c", "stty -icanon -echo; printf 'choose: '; head -c 1"]);
    const isWaiting = async () => (await person.status({ session_id: keys })).session?.waiting?.kind === "keys";
    await until(isWaiting, "the program that reads keys");
    await open("wizard", ["/bin/bash", "-c", "read -rp 'name? ' name"]);
    await item(on, "wizard").getByText("waits", { exact: true }).waitFor();
    expect(await item(on, "menu").locator(".pill").count()).toBe(0);
    const { needs } = await person.needs({});
    const needed = await on.page.locator("nav .item", { hasText: "needs you" }).count();
    expect(needed).toBe(needs.filter(({ kind }) => kind === "approval" || kind === "password").length);
    // A program that the person looks at waits for nobody else.
    await item(on, "wizard").locator(".sess").click();
    await item(on, "wizard").locator(".pill").waitFor({ state: "detached" });
    await on.page.locator(".crumb .state", { hasText: "running" }).waitFor();
    expect(await item(on, "wizard").locator(".meta").textContent()).toContain("waiting: bash");
  });

  test("sessions are selected by digits, renamed and ended by keyboard alone", async () => {
    const [first, second] = [await open("one", ["cat"]), await open("two", ["cat"])];
    const on = await newTab();
    await item(on, "two").waitFor();
    await on.page.keyboard.press("Alt+2");
    await shown(on, second);
    await on.page.keyboard.press("Alt+1");
    await shown(on, first);
    await on.button("What to do with two").focus();
    await on.page.keyboard.press("Enter");
    await on.page.getByRole("menuitem", { name: "Rename…" }).waitFor();
    await on.page.keyboard.press("Enter");
    const box = on.page.getByRole("textbox", { name: "What to call two" });
    await box.fill("never");
    await on.page.keyboard.press("Escape");
    await item(on, "two").waitFor();
    await on.button("What to do with two").click();
    await on.page.keyboard.press("Enter");
    await box.fill("<b>deux</b>");
    await on.page.keyboard.press("Enter");
    await item(on, "<b>deux</b>").waitFor();
    await until(async () => (await person.status({ session_id: second })).session?.name === "<b>deux</b>", "the name");
    await on.button("What to do with <b>deux</b>").click();
    await on.page.keyboard.press("End");
    await on.page.keyboard.press("Enter");
    await on.page.getByRole("alertdialog").waitFor();
    await on.page.keyboard.press("Enter");
    const isOver = async () => (await person.status({ session_id: second })).session?.ended_at !== null;
    await until(isOver, "its end");
  });

  test("a refused form keeps its text", async () => {
    const on = await newTab();
    await on.button("New session Alt N").first().waitFor();
    await on.page.keyboard.press("Alt+n");
    const form = on.page.getByRole("dialog", { name: "New session" });
    await form.getByLabel("Command").fill('sh -c "echo $FLAVOUR; cat"');
    await form.getByLabel("Folder").fill("/no/such/folder");
    await form.locator("summary").click();
    await form.getByLabel("Size").fill("90x20");
    await form.getByLabel(/Environment/).fill("wrong line");
    await form.getByRole("button", { name: /Open/ }).click();
    await form.getByRole("alert").filter({ hasText: "KEY=VALUE" }).waitFor();
    await form.getByLabel(/Environment/).fill("FLAVOUR=salty\nHOME");
    await form.getByRole("button", { name: /Open/ }).click();
    await form.getByRole("alert").filter({ hasText: "/no/such/folder" }).waitFor();
    expect(await form.getByLabel("Size").inputValue()).toBe("90x20");
    await form.getByLabel("Folder").fill("/");
    await form.getByRole("button", { name: /Open/ }).click();
    await form.waitFor({ state: "detached" });
    await on.shows("salty");
    await on.page.locator(".crumb", { hasText: "90×20" }).waitFor();
    await on.page.keyboard.press("Alt+n");
    await form.waitFor();
    for (let i = 0; i < 12; i += 1) await on.page.keyboard.press("Tab");
    expect(
      await on.page.evaluate(
        () => document.activeElement?.closest("dialog") !== null || document.activeElement === document.body,
      ),
    ).toBe(true);
    await on.page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  test("a phone watches, fits the session on request and gives the size back", async () => {
    const { session_id } = await person.pty_open({ shell: "/bin/bash" });
    const size = async () => {
      const { session } = await person.status({ session_id });
      return `${session?.cols}×${session?.rows}`;
    };
    const first = await size();
    const desktop = await newTab();
    await desktop.show(session_id);
    await until(async () => (await size()) !== first, "the desktop's size");
    const phone = await newTab({ viewport: PHONE });
    await shown(phone, session_id);
    await phone.button("Fit to me").waitFor();
    // Both ways: what the phone would have asked for came before what it types.
    await person.pty_send({
      session_id,
      text: "echo over-$((1+1))\n",
      then: { any: [{ text: "over-2" }], timeout_ms: SOON_MS },
    });
    await phone.shows("over-2");
    // No phone has room for as many columns, and the pane of agents may take some of a desktop.
    const large = await size();
    expect(Number.parseInt(large, 10)).toBeGreaterThan(70);
    await phone.button("Fit to me").click();
    await until(async () => (await size()) !== large, "the phone's size");
    await phone.page.goto("about:blank");
    await until(async () => (await size()) === large, "the desktop's size again");
  });

  test("on a phone, whole texts go to a program that takes the whole screen, and keys that a phone lacks", async () => {
    const program = "stty raw -echo; printf '\\033[?1049h\\033[?2004hready\\r\\n'; exec cat -v";
    const session_id = await open("tui", ["/bin/bash", "-c", program]);
    const phone = await newTab({ viewport: PHONE });
    await shown(phone, session_id);
    await phone.shows("ready");
    await phone.page
      .getByPlaceholder("Write to bash")
      .or(phone.page.getByPlaceholder("Write to cat"))
      .fill("two\nlines");
    await phone.button("Send").click();
    await until(async () => (await phone.rows()).join("").includes("^[[200~two^Mlines^[[201~^M"), "the text and Enter");
    await phone.button("⇧Tab").click();
    await until(async () => (await phone.rows()).join("").includes("^[[Z"), "Shift+Tab");
    expect(await phone.page.locator("form.write textarea").inputValue()).toBe("");
    await phone.page.setViewportSize({ width: 1280, height: 800 });
    await phone.page.locator("form.write").waitFor({ state: "detached" });
  });

  test("a shell inside is told, integrated from its card or by name, and its commands are cards with their place", async () => {
    const on = await newTab();
    const session_id = await openBash({ name: "far" });
    await on.show(session_id);
    const place = on.page.locator(".crumb .place");
    const prompt = on.page.locator("[data-prompt]");
    const run = async (line: string) => {
      await prompt.fill(line);
      await on.page.keyboard.press("Enter");
    };
    await run("unshare --uts bash --norc");
    await on.page.locator(".crumb .place[data-marks=false]", { hasText: "⇢ unshare, no marks" }).waitFor();
    await on.page.locator("article.card").getByRole("button", { name: "Integrate" }).click();
    await on.page.locator(".crumb .place[data-marks=true]", { hasText: "⇢ unshare" }).waitFor();
    await item(on, "far").getByText("⇢ unshare").waitFor();
    await run("cd /; echo in-$((40+2))");
    await on.page.locator("article.card", { hasText: "in-42" }).locator(".cwd", { hasText: "unshare:/" }).waitFor();
    // Nobody here knows what Tab would offer there.
    expect(await person.complete({ session_id, line: "ls /et" })).toMatchObject({ candidates: [] });
    await run("exit 3");
    await until(async () => (await place.count()) === 0, "the shell outside is in front again");
    // By name, for what has no card.
    await run("unshare --uts bash --norc");
    await on.page.locator(".crumb .place[data-marks=false]").waitFor();
    await on.page.keyboard.press("F6");
    await on.page.keyboard.press("Control+KeyK");
    await on.page.locator("dialog input").fill("integrate");
    await on.page.keyboard.press("Enter");
    await on.page.locator(".crumb .place[data-marks=true]").waitFor();
  });

  test("a filter finds sessions by words", async () => {
    for (let i = 1; i <= 9; i += 1) await open(`worker-${i}`, ["cat"]);
    const on = await newTab();
    const find = on.page.getByRole("searchbox", { name: "Find a session" });
    await find.fill("worker-7");
    await until(async () => (await on.page.locator("nav .item").count()) === 1, "one session");
    expect(await item(on, "worker-7").locator(".digit").textContent()).toBe("7");
    await find.fill("nothing like it");
    await on.page.getByText("No running session matches.").waitFor();
  });
});
