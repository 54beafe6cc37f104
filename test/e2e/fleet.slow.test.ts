// Sessions of another machine on the page: the list by machine, addresses, cards, questions, search, new sessions, and what is said
// while the machine is away.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { git } from "../fixtures/git.ts";
import { violations } from "../fixtures/page/axe.ts";
import { sharedFleetPages } from "../fixtures/page/fleet-pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

describe("several machines on the page", () => {
  const { person, helper, tab: newTab, openBash, openThere, box, isHere } = sharedFleetPages();
  let near: string;
  let far: string;

  beforeAll(async () => {
    near = await openBash({ name: "near" });
    far = await openThere({ name: "far" });
  });

  const heading = (tab: Tab, name: string) => tab.page.locator("nav .host-head", { hasText: name });
  const sess = (tab: Tab, name: string) => tab.page.locator("nav .sess", { hasText: name });

  test("the list is grouped, and a session over there works like one here: address, line, card, link, reload", async () => {
    const tab = await newTab();
    await heading(tab, "laptop").getByText("this machine").waitFor();
    await heading(tab, "box").getByText("here").waitFor();
    expect(await tab.page.locator("nav .sess .nm").allTextContents()).toEqual(["near", "far"]);
    await sess(tab, "far").click();
    await tab.page.waitForURL(({ hash }) => hash === `#/${far}`);
    await tab.focused("prompt");
    expect(await tab.page.title()).toContain("far on box");
    await tab.page.locator(".crumb .pill.host", { hasText: "box" }).waitFor();
    await tab.page.keyboard.type("echo $((40 + 2))");
    await tab.page.keyboard.press("Enter");
    const card = tab.page.locator("article.card", { hasText: "echo $((40 + 2))" });
    await card.getByText("42", { exact: true }).waitFor();
    await card.locator("header .pill.host", { hasText: "box" }).waitFor();
    const { blocks } = await person.blocks({ session_id: far });
    const block = blocks.at(-1)?.block_id ?? "";
    expect(block).toMatch(/^box\/b_/);
    await tab.go(near);
    await tab.page.locator(".crumb b", { hasText: "near" }).waitFor();
    await tab.go(`${far}/${block.replace("box/", "")}`);
    const linked = tab.page.locator(`[data-block="${block}"] article`);
    await until(() => linked.evaluate((own) => own === document.activeElement), "the link");
    await tab.page.reload();
    await tab.page.locator(".crumb b", { hasText: "far" }).waitFor();
    // Old addresses stay good.
    await tab.go(near);
    await tab.page.locator(".crumb b", { hasText: "near" }).waitFor();
  });

  test("a program over there is typed into; completion, history and the past are those of its machine", async () => {
    const tab = await newTab();
    await tab.show(far);
    await tab.page.keyboard.type("cat");
    await tab.page.keyboard.press("Enter");
    await tab.focused("terminal");
    await tab.page.keyboard.type("over there");
    await tab.page.keyboard.press("Enter");
    await tab.shows("over there");
    await tab.page.keyboard.press("Control+D");
    await tab.focused("prompt");
    await tab.page.keyboard.press("ArrowUp");
    await expect.poll(() => tab.prompt.inputValue()).toBe("cat");
    await tab.prompt.fill("");
    await tab.page.keyboard.press("Control+r");
    await tab.page.getByRole("option", { name: /cat/ }).first().waitFor();
    await tab.page.keyboard.press("Escape");
    await tab.prompt.fill("cd /us");
    await tab.page.keyboard.press("Tab");
    await expect.poll(() => tab.prompt.inputValue()).toContain("/usr/");
    await tab.prompt.fill("");
    await tab.choose("Replay this session");
    await tab.page.getByRole("slider").waitFor();
    await tab.choose("Go live");
    await tab.choose("Share this session");
    await tab.page.getByText("A link to it can only be made there").waitFor();
    await tab.page.keyboard.press("Escape");
  });

  test("two machines share the page, and the layout is kept", async () => {
    const tab = await newTab();
    await tab.show(near);
    await sess(tab, "far").hover();
    await tab.page
      .locator("nav li", { hasText: "far" })
      .getByRole("button", { name: /^What to do with/ })
      .click();
    await tab.page.getByRole("menuitem", { name: "Show on the right" }).click();
    await expect.poll(() => tab.page.locator(".half").count()).toBe(2);
    await tab.page.reload();
    await expect.poll(() => tab.page.locator(".half").count()).toBe(2);
    await tab.page.locator(`.half[data-session="${far}"]`).waitFor();
    await tab.page.locator(`.half[data-session="${near}"] .pill.host`, { hasText: "laptop" }).waitFor();
  });

  test("questions of both machines are one queue, and a yes says which text was shown", async () => {
    const tab = await newTab();
    await tab.show(near);
    const command = "curl -s http://127.0.0.1:9/only-there";
    const run = helper.run_command({ session_id: far, command }).catch((error: unknown) => error);
    const line = tab.page.locator(".note.asks");
    await line.getByText("box").waitFor();
    await line.getByRole("button", { name: "Show" }).click();
    await tab.card.locator(".pill.host", { hasText: "box" }).waitFor();
    const said = tab.page.waitForRequest((request) => request.url().endsWith("/v1/approve"));
    await tab.page.locator(".appr[data-armed=true]").waitFor();
    await tab.button(/^Approve once/).click();
    const { approval_id, shown } = (await said).postDataJSON();
    expect(approval_id).toMatch(/^box\/a_/);
    expect(shown).toBe(createHash("sha256").update(command).digest("hex"));
    await tab.card.waitFor({ state: "detached" });
    expect(await run).toMatchObject({ exit_code: 7 });
  });

  test("search finds on all machines and names those that are not here", async () => {
    await person.run_command({ session_id: near, command: "echo needle-$((1 + 1))" });
    await person.run_command({ session_id: far, command: "echo needle-$((1 + 1))" });
    const tab = await newTab();
    await tab.show(near);
    let answered: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answered = resolve;
    });
    await tab.page.route("**/v1/search", async (route) => {
      if (route.request().postDataJSON().hosts === "all") await held;
      await route.continue();
    });
    await tab.page.keyboard.press("Control+Shift+F");
    await tab.page.keyboard.type("needle-2");
    await tab.page.locator(".search .group", { hasText: "near" }).waitFor();
    // What is here is shown while another machine still looks.
    await tab.page.locator(".search .foot").getByText("Asking the other machine…").waitFor();
    answered();
    const group = tab.page.locator(".search .group", { hasText: "far" });
    await group.locator(".pill.host", { hasText: "box" }).waitFor();
    await tab.page.locator(".search .hit").last().click();
    await tab.page.waitForURL(({ hash }) => hash.startsWith(`#/${far}`));
  });

  test("a new session and a task begin on the machine that was chosen", async () => {
    const tab = await newTab();
    await tab.show(near);
    await tab.choose("New session on box");
    const dialog = tab.page.getByRole("dialog", { name: "New session" });
    expect(await dialog.getByLabel("Machine").inputValue()).toBe("box");
    // A folder of this machine means nothing there.
    expect(await dialog.getByLabel("Folder").inputValue()).toBe("");
    await dialog.getByLabel("Name").fill("made there");
    await tab.page.keyboard.press("Enter");
    await tab.page.waitForURL(({ hash }) => hash.startsWith("#/box/s_"));
    await until(
      async () => (await box().there.person.pty_list()).sessions.some(({ name }) => name === "made there"),
      "the session there",
    );
    const id = new URL(tab.page.url()).hash.slice(2);
    await person.pty_close({ session_id: id });
    await tab.page.keyboard.press("Alt+B");
    await tab.button(/^New task/).click();
    await tab.page.getByRole("dialog", { name: "New task" }).getByLabel("Machine").selectOption("box");
    await tab.page.keyboard.press("Escape");
  });

  test("the board has tasks of all machines, each with its machine", async () => {
    const repo = box().there.folder({ "notes.txt": "one\n" });
    git(repo, "init", "-q", "-b", "main");
    git(repo, "add", "-A");
    git(repo, "commit", "-qm", "first");
    const session_id = await openThere({ name: "task there", cwd: repo, worktree: {} });
    await person.run_command({ session_id, command: "echo two >> notes.txt" });
    const tab = await newTab();
    await tab.page.keyboard.press("Alt+B");
    const card = tab.page.locator(".board .task", { hasText: "task there" });
    await card.locator(".pill.host", { hasText: "box" }).waitFor();
    await card.getByText("1 file").waitFor();
    await card.getByRole("link", { name: "Changes" }).click();
    await tab.page.waitForURL(({ hash }) => hash === `#/${session_id}/diff`);
    await tab.page.getByText("notes.txt").first().waitFor();
    await person.pty_close({ session_id });
  });

  test("folding hides the sessions of a machine, and is kept", async () => {
    const tab = await newTab();
    await tab.show(near);
    await tab.page.locator("nav .to-board").focus();
    const isThere = () => heading(tab, "box").evaluate((own) => own === document.activeElement);
    for (let i = 0; i < 20 && !(await isThere()); i += 1) await tab.page.keyboard.press("Tab");
    await tab.page.keyboard.press("Enter");
    await expect.poll(() => sess(tab, "far").count()).toBe(0);
    await tab.page.reload();
    await heading(tab, "box").waitFor();
    expect(await heading(tab, "box").getAttribute("aria-expanded")).toBe("false");
    // What needs the person there is told all the same.
    const asked = helper
      .run_command({ session_id: far, command: "rm -r nothing-here" })
      .catch((error: unknown) => error);
    await heading(tab, "box").getByText("needs you").waitFor();
    await heading(tab, "box").click();
    await sess(tab, "far").getByText("needs you").waitFor();
    await heading(tab, "box").getByText("needs you").waitFor({ state: "detached" });
    const { approvals } = await person.approvals({ hosts: "all" });
    for (const { approval_id } of approvals) await person.deny({ approval_id });
    await asked;
  });

  test("a line that is entered while the machine is away stays in the prompt, and what is said of it goes when it is back", async () => {
    // Of itself no message would leave.
    const lasting = `const own = window.setTimeout; window.setTimeout = (run, ms, ...more) => (ms === 8000 ? 0 : own(run, ms, ...more));`;
    const tab = await newTab({ view: "plain", script: lasting });
    const session_id = await openThere({ name: "cut" });
    await tab.show(session_id, "plain");
    // Keys of this page stand at the shell's own prompt: a line that is entered waits for them.
    await tab.page.locator(".xterm-helper-textarea").first().focus();
    await tab.page.keyboard.type("echo ne");
    await tab.shows("echo ne");
    await box().sshd.halt();
    const banner = tab.page.locator(".banner", { hasText: "box" });
    await banner.getByText("a line stays in the prompt").waitFor();
    await tab.page.keyboard.press("Alt+m");
    await tab.prompt.fill("ver");
    await tab.prompt.press("Enter");
    const said = await tab.page.locator(".wrong").textContent();
    expect(said).toContain("box is not here: the line was not sent. Enter it again");
    expect(await tab.prompt.inputValue()).toBe("ver");
    await tab.page.keyboard.press("Control+Backquote");
    const toast = tab.page.locator(".toast", { hasText: "box is not here" });
    await toast.waitFor();
    expect(await coveredButtons(tab)).toEqual([]);
    await box().sshd.start();
    await isHere();
    await toast.waitFor({ state: "detached" });
    await expect.poll(() => tab.prompt.inputValue()).toBe("echo never");
    expect((await person.blocks({ session_id })).blocks).toEqual([]);
    await tab.prompt.press("Control+u");
    expect(await tab.prompt.inputValue()).toBe("");
    await person.pty_close({ session_id });
  });

  test("one that is away keeps its list, grey, says so where its session is, and comes alive when it is back", async () => {
    const tab = await newTab();
    // Nobody has looked at it.
    const silent = (await person.pty_open({ host: "box", command: ["/bin/sleep", "600"], name: "silent" })).session_id;
    await sess(tab, "silent").waitFor();
    await tab.show(near);
    await box().sshd.halt();
    await tab.page.locator('.of-host[data-away="true"]', { hasText: "box" }).waitFor();
    await expect.poll(() => heading(tab, "box").getAttribute("title")).toMatch(/gone|connecting/);
    await sess(tab, "far").click();
    const banner = tab.page.locator(".banner", { hasText: /box/ });
    await banner.getByText(/is away|Connecting to box/).waitFor();
    await sess(tab, "silent").click();
    await tab.page.locator(".veil").getByText("Its screen is shown when box is back.").waitFor();
    await tab.choose("Search everywhere");
    await tab.page.keyboard.type("needle-2");
    await tab.page.getByText("box was not searched").waitFor();
    await tab.page.keyboard.press("Escape");
    // A new page knows the last list, too.
    const other = await newTab();
    await sess(other, "far").waitFor();
    await other.go("box/s_00000000");
    await other.page.getByRole("heading", { name: "box is away" }).waitFor();
    await other.go("nowhere/s_00000000");
    await other.page.getByText("No machine is called nowhere").waitFor();
    await box().sshd.start();
    await isHere();
    await tab.page.locator(".veil").getByText("Nothing was printed yet.").waitFor();
    await banner.waitFor({ state: "detached" });
    await person.pty_close({ session_id: silent });
  });

  test("axe-core finds nothing, and nothing has to be scrolled sideways, here and away, in three widths and both themes", async () => {
    const wrong = new Set<string>();
    const look = async (tab: Tab, view: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await tab.page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        for (const text of await violations(tab.page)) wrong.add(`${view}, ${colorScheme}: ${text}`);
        const folder = process.env.PICTURES;
        if (folder) await tab.page.screenshot({ path: `${folder}/${view.replaceAll(/\W+/g, "-")}-${colorScheme}.png` });
      }
      const isWide = () => document.documentElement.scrollWidth > window.innerWidth;
      if (await tab.page.evaluate(isWide)) wrong.add(`${view}: wide`);
    };
    const tabs: { readonly tab: Tab; readonly width: number }[] = [];
    for (const viewport of SIZES) {
      const tab = await newTab({ viewport });
      await tab.go(far);
      await tab.page.locator(".crumb b", { hasText: "far" }).waitFor();
      await tab.prompt.waitFor();
      tabs.push({ tab, width: viewport.width });
      if (viewport.width < 700)
        await tab
          .button(/sessions/i)
          .first()
          .click();
      await look(tab, `here ${viewport.width}`);
      if (viewport.width < 700) await tab.button("Close the list").click({ position: { x: 380, y: 400 } });
      await tab.choose("New session on box");
      await tab.page.getByRole("dialog", { name: "New session" }).waitFor();
      await look(tab, `new ${viewport.width}`);
      await tab.page.keyboard.press("Escape");
    }
    await box().sshd.halt();
    for (const { tab, width } of tabs) {
      await tab.page.locator(".banner", { hasText: /box is away/ }).waitFor();
      await look(tab, `away ${width}`);
    }
    await box().sshd.start();
    await isHere();
    expect([...wrong]).toEqual([]);
  });
});

/** Buttons that lie under a message. */
function coveredButtons(tab: Tab): Promise<string[]> {
  return tab.page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".toast")].map((one) => one.getBoundingClientRect());
    const isUnder = (own: DOMRect) =>
      boxes.some((box) => own.left < box.right && own.right > box.left && own.top < box.bottom && own.bottom > box.top);
    return [...document.querySelectorAll("button")]
      .filter((own) => own.closest(".toast") === null && own.checkVisibility() && isUnder(own.getBoundingClientRect()))
      .map((own) => own.textContent ?? "");
  });
}
