// <duetty-terminal> in pages of other sites, in a real browser: same site and another one, two in a page, colours by variables,
// vim, a transcript, refusals, removal.
import fs from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import { Site } from "../fixtures/page/site.ts";
import { until } from "../fixtures/soon.ts";
import { ROOT } from "../fixtures/stand/installation.ts";

const site = await Site.start();
afterAll(() => site.close());
/** The daemon is at 127.0.0.1: for a browser the second is another site. */
const ORIGINS = [`http://127.0.0.1:${site.port}`, `http://localhost:${site.port}`] as const;
const { duetty, person, browser, openBash, helper, trust, foregroundOf } = sharedPages({
  config: { embed_origins: ORIGINS },
});

interface Shown {
  readonly page: Page;
  readonly complaints: string[];
}

async function show(
  body: string,
  { style = "", origin = ORIGINS[1] as string, theme = "dark" as "dark" | "light" } = {},
) {
  site.show(body.replaceAll("URL", `http://127.0.0.1:${duetty.port}`), style);
  const page = await browser().newPage({ viewport: { width: 900, height: 600 }, colorScheme: theme });
  const complaints: string[] = [];
  page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  onTestFinished(() => page.close());
  await page.goto(origin);
  return { page, complaints } satisfies Shown;
}

const tag = (session: string, token: string, more = "") =>
  `<duetty-terminal session="${session}" token="${token}" url="URL" ${more}></duetty-terminal>`;
const rows = (page: Page, n = 0) => page.locator("duetty-terminal").nth(n).locator(".xterm-rows");
const click = (page: Page) => page.locator("duetty-terminal .xterm-screen").first().click();
const shows = (page: Page, text: string, n = 0) =>
  until(async () => ((await rows(page, n).textContent()) ?? "").includes(text), `"${text}" on the page`);

describe.each(ORIGINS)("on a page of %s", (origin) => {
  it("a person types, in vim too, and the session has the element's size", async () => {
    const session_id = await openBash();
    const { page, complaints } = await show(tag(session_id, duetty.token("person"), 'label="Build"'), { origin });
    await shows(page, "$");
    await click(page);
    await page.keyboard.type("echo sum-$((40+2))\n");
    await shows(page, "sum-42");
    await until(async () => (await person.pty_read_screen({ session_id })).cols > 90, "the element's size");
    await page.keyboard.type("vim -Nu NONE -n notes.txt\n");
    await until(async () => (await foregroundOf(session_id)) === "vim", "vim");
    await page.keyboard.type("ihello from a page");
    await page.keyboard.press("Escape");
    await shows(page, "hello from a page");
    await page.keyboard.type(":q!\n");
    await person.pty_wait({ session_id, any: [{ prompt: true }] });
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** What each file of it weighs at most, compressed. The terminal is loaded where one is shown. */
const GZIP_MAX: Readonly<Record<string, number>> = {
  "addon-webgl.js": 36_000,
  "element.js": 3_500,
  "link.js": 3_200,
  "links.js": 3_000,
  "scheme.js": 200,
  "screen-images.js": 6_144,
  "screen-links.js": 1_500,
  "styles.js": 3_500,
  "terminal-view.js": 100_000,
  "transcript-view.js": 8_000,
};

it("it is small, and harmless where there are no elements", async () => {
  const folder = join(ROOT, "dist/element");
  for (const name of fs.readdirSync(folder).filter((each) => each.endsWith(".js")))
    expect(gzipSync(fs.readFileSync(join(folder, name))).length, name).toBeLessThan(GZIP_MAX[name] ?? 0);
  const loaded = await import(join(folder, "element.js"));
  loaded.defineDuettyTerminal();
});

describe("an element", () => {
  it("only watches with a link's token, and hears when it is taken back", async () => {
    const session_id = await openBash();
    const { token, share } = await person.share({ session_id, role: "watch" });
    const { page } = await show(tag(session_id, token, 'access="watch"'));
    await person.pty_send({ session_id, text: "echo for all\n" });
    await shows(page, "for all");
    await page.evaluate(() => {
      const { body } = document;
      body.addEventListener("duetty-error", ({ detail }) => Object.assign(window, { wrong: detail.code }));
    });
    await click(page);
    await page.keyboard.type("echo from-a-guest\n");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
    await person.unshare({ id: share.id });
    await until(
      async () => (await page.evaluate(() => Reflect.get(window, "wrong"))) === "auth.required",
      "the refusal",
    );
    expect(duetty.raw(session_id).toString()).not.toContain("from-a-guest");
  });

  it("is one of several, has the page's colours, and leaves no socket behind", async () => {
    const [one, two] = [await openBash(), await openBash()];
    const style =
      "duetty-terminal { height: 200px; --duetty-bg: #102030; --duetty-ansi-1: #ff00aa; --duetty-fg: #fafafa }";
    const { page } = await show(tag(one, duetty.token("person")) + tag(two, duetty.token("person")), { style });
    await person.pty_send({ session_id: one, text: "printf '\\033[31mREDDISH\\033[m\\n'\n" });
    await person.pty_send({ session_id: two, text: "echo second\n" });
    await shows(page, "second", 1);
    const red = rows(page).locator("span", { hasText: /^REDDISH$/ });
    await red.waitFor();
    expect(await red.evaluate((span) => getComputedStyle(span).color)).toBe("rgb(255, 0, 170)");
    const background = () =>
      page
        .locator("duetty-terminal .xterm-scrollable-element")
        .first()
        .evaluate((e) => getComputedStyle(e).backgroundColor);
    expect(await background()).toBe("rgb(16, 32, 48)");
    expect(await page.locator("duetty-terminal .xterm-viewport").first().isVisible(), "a black box").toBe(false);
    const address = () =>
      page.evaluate(
        () => document.querySelector<HTMLElementTagNameMap["duetty-terminal"]>("duetty-terminal:not([url])")?.url,
      );
    await page.evaluate(() => {
      history.replaceState(null, "", "/a/page?with=query#hash");
      document.body.append(document.createElement("duetty-terminal"));
    });
    expect(await address()).toBe(new URL(page.url()).origin);
    await page.evaluate(() => document.querySelector("duetty-terminal:not([url])")?.remove());
    await page.evaluate(() => {
      document.documentElement.style.setProperty("--duetty-bg", "#fff");
      for (const each of document.querySelectorAll("duetty-terminal")) each.style.setProperty("--duetty-bg", "#405060");
      document.documentElement.className = "other";
    });
    await until(async () => (await background()) === "rgb(64, 80, 96)", "the new colour");
    const watchers = async () => (await person.metrics({})).text.match(/^duetty_viewers\S* (\d+)$/m)?.[1];
    // The daemon hears of the end of earlier pages a moment later.
    await until(async () => (await watchers()) === "2", "these two alone");
    // Moved, not removed: the same terminal.
    await page.evaluate(() =>
      document.querySelector("main")?.append(document.querySelector("duetty-terminal") as Node),
    );
    expect(await watchers()).toBe("2");
    await page.evaluate(() => {
      for (const each of document.querySelectorAll("duetty-terminal")) each.remove();
    });
    await until(async () => (await watchers()) === "0", "no socket");
  });

  it("shows another session when its attribute changes, tells of its end, and comes back after the daemon", async () => {
    const [one, two] = [await openBash(), await openBash()];
    const { page } = await show(tag(one, duetty.token("person")));
    await shows(page, "$");
    await page.evaluate((id) => {
      const element = document.querySelector("duetty-terminal");
      element?.addEventListener("duetty-exit", ({ detail }) => Object.assign(window, { exit: detail.exit_code }));
      element?.setAttribute("session", id);
    }, two);
    await person.pty_send({ session_id: two, text: "echo the other\n" });
    await shows(page, "the other");
    await duetty.killDaemon();
    await duetty.start();
    await person.pty_send({ session_id: two, text: "echo again; exit 3\n" });
    await until(async () => (await page.evaluate(() => Reflect.get(window, "exit"))) === 3, "the exit code");
    await page.locator("duetty-terminal").getByText("Ended with exit code 3.").waitFor();
  });

  it("tells why it is refused, and of questions, which a person's token answers", async () => {
    const session_id = await openBash();
    const { page } = await show(tag("s_00000000", duetty.token("person")));
    await page.locator("duetty-terminal [role=status]", { hasText: "s_00000000" }).waitFor();
    await page.evaluate((id) => {
      const element = document.querySelector("duetty-terminal");
      element?.addEventListener("duetty-approval", ({ detail }) => {
        if (!detail.settled) element.answer(detail.approval.approval_id, "deny");
      });
      element?.setAttribute("session", id);
    }, session_id);
    await shows(page, "$");
    const run = await helper.run_command({ session_id, command: "rm -rf /tmp/nowhere-at-all", timeout_ms: 20_000 });
    expect(run.status).toBe("denied");
  });

  it("is no way into its page for what is printed or written in its attributes, and repeats no token", async () => {
    const session_id = await openBash();
    const evil = `<img src=x onerror=pwned=1>`;
    const print = String.raw`printf '\e]8;;javascript:pwned=1\e\\click\e]8;;\e\\ \e]0;<script>pwned=1</script>\a %s end-%s\n' '${evil}' $((1+1))`;
    const { page, complaints } = await show(
      tag(session_id, duetty.token("person")) + tag(session_id, duetty.token("person"), 'view="transcript"'),
    );
    page.on("dialog", (dialog) => void dialog.dismiss().then(() => complaints.push("a dialog")));
    await shows(page, "$");
    await person.run_command({ session_id, command: print });
    await shows(page, "end-2");
    const cards = page.locator("duetty-terminal").nth(1);
    await cards.getByText("click").first().click();
    await cards.getByText(`${evil} end-2`).waitFor();
    expect(await cards.locator("img, script, a[href^=javascript]").count()).toBe(0);
    const wrong = (attribute: string, value: string) =>
      page.evaluate(
        ([name = "", given = ""]) => {
          const element = document.createElement("duetty-terminal");
          element.setAttribute("session", "any");
          element.setAttribute(name, given);
          const told = new Promise((resolve) => element.addEventListener("duetty-error", (e) => resolve(e.detail)));
          document.body.append(element);
          const said = () => element.shadowRoot?.querySelector("[role=status]")?.textContent;
          return told.then((detail) => JSON.stringify([detail, said()]));
        },
        [attribute, value],
      );
    for (const url of ["javascript:pwned=1", "data:text/html,x", "http://[", "file:///etc/passwd"])
      expect(await wrong("url", url)).toMatch(/input\.invalid.*no http: or https: address/);
    for (const token of ["top secret", "top\nsecret", "top,secret", "top\u00e9secret"])
      expect(await wrong("token", token)).toMatch(/^(?!.*top).*input\.invalid.*characters/);
    expect(await page.evaluate(() => Reflect.get(window, "pwned"))).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it("is a transcript, live and in colour", async () => {
    const session_id = await openBash();
    await trust(session_id);
    await helper.run_command({ session_id, command: "printf '\\033[32mgreen\\033[m\\n'; false", timeout_ms: 20_000 });
    const { page, complaints } = await show(tag(session_id, duetty.token("person"), 'view="transcript"'));
    const cards = page.locator("duetty-terminal .card");
    await cards.getByText("green", { exact: true }).waitFor();
    await cards.getByText("exit 1").waitFor();
    await person.pty_send({ session_id, text: "for i in 1 2 3; do echo line-$i; done; read -r x\n" });
    await cards.getByText("line-3").waitFor();
    await cards.getByText("running").waitFor();
    await person.pty_send({ session_id, text: "\n" });
    await until(async () => (await cards.getByText("running").count()) === 0, "its end");
    expect(await cards.count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
