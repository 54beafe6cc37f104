// The agent's pane in a real browser: a person asks and controls a scripted model behind real HTTP.

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { FakeReply, FakeRequest } from "../fixtures/model/fake-provider.mjs";
import { sharedPages } from "../fixtures/page/pages.ts";
import { until } from "../fixtures/soon.ts";

/** How often the model has seen what came of a call. */
const seen = ({ messages }: FakeRequest) =>
  messages.filter(({ role, result_of }) => role === "tool" || result_of).length;
const run = (command: string) => ({ name: "run_command", args: { command } });
const plan = (at: number) => ({
  name: "plan",
  args: {
    plan: ["look", "mend", "tell"].map((text, i) => ({
      text,
      status: i < at ? "completed" : i === at ? "in_progress" : "pending",
    })),
  },
});

const ATTACKS = [
  "<img src=x onerror='window.pwned=1'>",
  "<script>window.pwned=1</script>",
  "[click](javascript:window.pwned=1)",
  "[click](data:text/html,<script>window.pwned=1</script>)",
  "**<svg onload=window.pwned=1>**",
  "`<iframe srcdoc='<script>parent.pwned=1</script>'>`",
  "```html\n<script>window.pwned=1</script>\n```",
  "- <a href='javascript:window.pwned=1'>x</a>",
  '[a](https://example.com/"onmouseover="window.pwned=1)',
  "# <details open ontoggle=window.pwned=1>",
].join("\n\n");

const RICH = `## What I found

The parser *throws* on **expired** cookies, ~~not~~ on all of them; see [the notes](https://example.com/notes).

| version | expired cookie | behaviour in production | since | tests | reported by |
|:--------|---------------:|-------------------------|-------|------:|-------------|
| \`0.4\`   | 500 | the whole request fails, and nothing is logged | 2019 | 12 | somebody@example.com |
| \`1.0\`   | 401 | **as documented** | 2024 | 1045 | nobody |

> Ask before the upgrade.
> - it changes the lock file

1. Upgrade

   It is one line.
2. Test
   - unit
     - session
   - [x] types
   - [ ] end to end

---

\`\`\`ts
const session = read(cookie) ?? none;
\`\`\`

![picture](https://example.com/picture.png) <b>not bold</b>
`;

describe("the agent's pane", () => {
  const { person, model, tab: newTab, openBash, trust } = sharedPages({ model: { text: "nothing to say" } });
  let page: Page;

  async function signIn(session_id: string): Promise<void> {
    const tab = await newTab();
    page = tab.page;
    await tab.show(session_id, "plain");
  }

  const pane = () => page.getByRole("complementary", { name: "Agent" });
  const steps = () => pane().locator(".step");

  async function ask(text: string): Promise<void> {
    const box = pane().getByRole("textbox", { name: "Ask the agent" });
    await box.fill(text);
    await box.press("Enter");
  }

  test("a person asks, sees steps and plan, answers a question and reads the result", async () => {
    const id = await openBash();
    await signIn(id);
    await until(async () => (await pane().locator("option").count()) > 1, "the list of agents");
    const missing = pane().locator("option:disabled").first();
    expect(await missing.textContent()).toContain("not available");
    expect(await missing.getAttribute("title")).toContain("install");
    model().say((request): FakeReply => {
      if (seen(request) === 0) return { text: "I **look** first.", calls: [plan(1), run("echo looked")] };
      if (seen(request) === 2) return { calls: [run("npm install left-pad")] };
      return { text: "All is `well` now.", calls: [] };
    });
    await ask("mend it");
    await pane().locator(".msg.you", { hasText: "mend it" }).waitFor();
    await pane().locator(".msg.agent strong", { hasText: "look" }).waitFor();
    await pane().locator('.step[data-state="waiting"]', { hasText: "npm install left-pad" }).waitFor();
    expect(await pane().locator(".plan li[aria-current=step]").textContent()).toContain("mend");
    expect(await pane().getByText("1 of 3").count()).toBe(1);
    await pane().getByText("waiting for you").waitFor();
    await page.getByText("wants to run").first().waitFor();
    expect(await pane().getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true);
    const { approvals } = await person.approvals({ session_id: id });
    await person.deny({ approval_id: approvals[0]?.approval_id ?? "", reason: "not needed" });
    await pane().locator(".msg.agent code", { hasText: "well" }).waitFor();
    await pane().locator(".ended", { hasText: "done · " }).waitFor();
    await pane().locator('.step[data-state="failed"]', { hasText: "npm install" }).getByRole("button").click();
    await pane().locator(".step pre", { hasText: "not needed" }).waitFor();
    await steps().filter({ hasText: "echo looked" }).getByRole("link").click();
    await until(() => page.url().includes(`#/${id}/b_`), "the way to the card");
  });

  test("the pane pauses, steps and stops the agent; the conversation survives a reload", async () => {
    const id = await openBash();
    await trust(id);
    await signIn(id);
    model().say(({ n }) => ({ calls: [run(`echo step-${n}`)] }));
    await pane().getByRole("switch", { name: "Step by step" }).click();
    await ask("count");
    const press = (name: string) => pane().getByRole("button", { name, exact: true }).click();
    await pane().getByText("paused").waitFor();
    await press("Step");
    await until(async () => (await pane().locator('.step[data-state="ok"]').count()) === 1, "one step");
    await pane().getByText("paused").waitFor();
    await press("Resume");
    await until(async () => (await pane().locator('.step[data-state="ok"]').count()) >= 3, "more steps");
    await press("Pause");
    await pane().getByText("paused").waitFor();
    await press("Stop");
    await pane().locator(".ended", { hasText: "stopped" }).waitFor();
    const before = await pane().locator(".talk").textContent();
    await page.reload();
    await until(
      async () =>
        (await pane()
          .locator(".talk")
          .textContent()
          .catch(() => "")) === before,
      "the same words",
    );
  });

  test("nothing an agent says is executed, complete or streaming", async () => {
    const id = await openBash();
    await trust(id);
    await signIn(id);
    let goOn: () => void = () => undefined;
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    model().say(() => ({ text: `${ATTACKS}\n\nthe end`, pause }));
    await ask("attack");
    await pane().locator(".msg.now").waitFor();
    goOn();
    await pane().locator(".talk .msg.agent", { hasText: "the end" }).waitFor();
    const found = await page.evaluate(() => ({
      pwned: "pwned" in window,
      tags: [...new Set([...document.querySelectorAll(".md *")].map((node) => node.localName))].sort(),
      links: [...document.querySelectorAll(".md a")].map((node) => node.getAttribute("href") ?? ""),
    }));
    expect(found.pwned).toBe(false);
    expect(found.tags.filter((tag) => !["a", "code", "li", "ol", "p", "pre", "strong", "ul"].includes(tag))).toEqual(
      [],
    );
    expect(found.links.every((href) => href.startsWith("https://"))).toBe(true);
  });

  test("Markdown is formatted, loads nothing, and a wide table scrolls on a phone", async () => {
    await signIn(await openBash());
    const strangers: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).host !== new URL(page.url()).host) strangers.push(request.url());
    });
    model().say(() => ({ text: RICH }));
    await ask("look");
    const message = pane().locator(".talk .msg.agent");
    await message.getByRole("columnheader", { name: "expired cookie" }).waitFor();
    const counts: Readonly<Record<string, number>> = {
      "table tbody tr": 2,
      'td[data-align="right"]': 4,
      "p em": 1,
      "p strong": 2,
      "p del": 1,
      "blockquote li": 1,
      ".md > ol > li": 2,
      "ol ul ul > li": 1,
      '.task [aria-label="done"]': 1,
      '.task [aria-label="to do"]': 1,
      hr: 1,
      'pre[data-language="ts"]': 1,
      "img, b": 0,
    };
    for (const [selector, count] of Object.entries(counts))
      expect([selector, await message.locator(selector).count()]).toEqual([selector, count]);
    expect(await message.getByRole("link").evaluateAll((all) => all.map((one) => one.getAttribute("title")))).toEqual([
      "https://example.com/notes",
      "mailto:somebody@example.com",
      "https://example.com/picture.png",
    ]);
    // Whatever comes later, its end is in sight.
    const fromEnd = () =>
      pane()
        .locator(".talk-scroll")
        .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await until(async () => (await fromEnd()) < 2, "the end of the message");
    // What shrinks and grows again moves the list, and no hand did.
    await message.last().evaluate((row) => {
      row.style.display = "none";
      row.parentElement?.getBoundingClientRect();
      row.style.display = "";
      return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
    await until(async () => (await fromEnd()) < 2, "the end after it moved");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".pane-tabs").getByRole("button", { name: "Agents" }).click();
    const widths = await message.locator(".table").evaluate((box) => [box.scrollWidth > box.clientWidth, innerWidth]);
    expect(widths).toEqual([true, await page.evaluate(() => document.documentElement.scrollWidth)]);
    expect(await message.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    expect(strangers).toEqual([]);
  });

  test("an error is shown with what helps", async () => {
    await signIn(await openBash());
    model().say(() => ({ status: 401 }));
    await ask("hello");
    await pane().locator(".trouble").waitFor();
    await pane().locator(".ended", { hasText: "failed" }).waitFor();
    // The text box is free again.
    await pane().getByRole("textbox", { name: "Ask the agent" }).fill("again");
    await until(() => pane().getByRole("button", { name: "Ask", exact: true }).isEnabled(), "the ask button");
    // Where there is no column for it, it is a sheet over the terminal.
    await page.setViewportSize({ width: 390, height: 844 });
    await pane().waitFor({ state: "hidden" });
    await page.locator(".pane-tabs").getByRole("button", { name: "Agents" }).click();
    await pane().locator(".trouble").waitFor();
    await page.locator(".pane-tabs").getByRole("button", { name: "Commands" }).click();
    await pane().waitFor({ state: "hidden" });
  });
});
