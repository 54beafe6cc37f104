// The transcript in a real browser against a real daemon: one card per command, live while it runs, frozen afterwards, and
// what a card says is what the daemon says.
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { depth } from "../fixtures/depth.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { randomCommands } from "../fixtures/random-commands.ts";
import { BULK_MS, until } from "../fixtures/soon.ts";

const SEED = 20_260;
/** Going through two hundred cards takes ten seconds alone; more where other tests run beside it. */
const LONG_MS = 100_000;
/** Longer than scrolling goes on after a hand. */
const HAND_MS = 1_300;

/** What is in sight is told half a second late, several changes at once, as the standard allows. */
const LATE_OBSERVER = `{
  const Own = window.IntersectionObserver;
  window.IntersectionObserver = class extends Own {
    constructor(heard, options) {
      let kept = [];
      super((entries, self) => {
        kept.push(...entries);
        if (kept.length === entries.length) setTimeout(() => heard(kept.splice(0), self), 500);
      }, options);
    }
  };
}`;

describe("the transcript", () => {
  const { person, tab: newTab, openBash } = sharedPages();
  const look = { viewport: { width: 1100, height: 700 }, permissions: ["clipboard-read", "clipboard-write"] };
  /** Of all tests that leave nothing on the page for the next one. */
  let shared: Tab;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    shared = await newTab(look);
  });

  async function openShell(on?: Tab): Promise<string> {
    const session_id = await openBash();
    await show(session_id, on);
    return session_id;
  }

  async function show(session_id: string, on = shared): Promise<void> {
    [tab, page] = [on, on.page];
    await tab.go(session_id);
    await page.locator(`footer:has-text("${session_id}")`).waitFor();
    await page.locator(".trans .scroll > [aria-busy=false]").waitFor({ state: "attached" });
  }

  const run = (session_id: string, command: string) => person.run_command({ session_id, command });
  const blocksOf = async (session_id: string) => (await person.blocks({ session_id, limit: 1_000 })).blocks;
  const linesOf = async (block_id: string) => {
    const lines: string[] = [];
    for (let total = 1; lines.length < total; ) {
      const answer = await person.block({ block_id, lines: `${lines.length}:` });
      total = answer.lines_total ?? 0;
      if (total > lines.length) lines.push(...(answer.content ?? "").split("\n"));
    }
    return lines;
  };
  const card = (id: string) => page.locator(`[data-block="${id}"] article`);
  const frozen = async (id: string) => {
    await page.locator(`[data-block="${id}"] article[data-shows=frozen]`).waitFor();
    return card(id);
  };
  const scroller = () => page.locator(".scroll");
  /** By hand to a part of the list, on a page that is then too busy to tell of it for a while. */
  const wheel = (part: number, busyMs = 0) =>
    scroller().evaluate(
      async (own, [to, busy]) => {
        own.dispatchEvent(new Event("wheel"));
        own.scrollTop = own.scrollHeight * to;
        for (const end = performance.now() + busy; performance.now() < end; );
        for (let i = 0; i < 2; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      },
      [part, busyMs] as const,
    );

  /** As the card says it, whole lines without the spaces at their end. */
  const read = (of: Locator) =>
    of
      .locator("pre")
      .evaluateAll((all) => all.map((pre) => (pre.textContent ?? "").split("\n").map((line) => line.trimEnd())));

  async function sameAsDaemon(block: Block): Promise<void> {
    // A command that still runs has not printed all of its lines.
    const own = await frozen(block.block_id);
    const lines = await linesOf(block.block_id);
    const parts = await read(own);
    if (lines.length <= 200) expect(parts.flat(), block.cmd ?? "").toEqual(lines);
    else expect(parts, block.cmd ?? "").toEqual([lines.slice(0, 20), lines.slice(-40)]);
  }

  /** Goes through all cards from the first on and tells what they say, in the order of the page. */
  const readAll = () =>
    page.evaluate(async (most) => {
      const own = document.querySelector(".scroll");
      const said = new Map<string, string[][]>();
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      // As a hand does it: what moves by itself is put back to the end.
      const scroll = (top: number) => {
        own?.dispatchEvent(new Event("wheel"));
        if (own) own.scrollTop = top;
      };
      scroll(0);
      const until = performance.now() + most;
      for (let still = 0; own && still < 3; ) {
        await frame();
        if (performance.now() > until) throw new Error(`still waiting: ${own.innerHTML.slice(0, 4_000)}`);
        const edge = own.getBoundingClientRect();
        const rows = [...own.querySelectorAll<HTMLElement>(".row")];
        const inSight = rows.filter((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return bottom > edge.top && top < edge.bottom;
        });
        if (inSight.length === 0 || inSight.some((row) => row.querySelector("[data-shows=waiting]"))) continue;
        for (const row of inSight) {
          const parts = [...row.querySelectorAll("pre")].map((pre) => pre.textContent ?? "");
          said.set(
            row.dataset.block ?? "",
            parts.map((text) => text.split("\n").map((line) => line.trimEnd())),
          );
        }
        const before = own.scrollTop;
        scroll(before + own.clientHeight * 0.8);
        still = own.scrollTop === before ? still + 1 : 0;
      }
      return [...said];
    }, LONG_MS);

  test("cards of many random commands equal the daemon's output, each once and in order", async () => {
    const id = await openShell(await newTab(look));
    const commands = randomCommands(depth(10, 25, 100), SEED);
    // Every text that a card ever showed once it was frozen.
    await page.evaluate(() => {
      const shown: Record<string, string[]> = {};
      const look = () => {
        for (const row of document.querySelectorAll<HTMLElement>(".row:has([data-shows=frozen])")) {
          const text = [...row.querySelectorAll("pre")].map((pre) => pre.textContent ?? "").join("\n…\n");
          const all = shown[row.dataset.block ?? ""] ?? [];
          if (!all.includes(text)) shown[row.dataset.block ?? ""] = [...all, text];
        }
      };
      const follow = () => {
        look();
        requestAnimationFrame(follow);
      };
      follow();
      Object.assign(window, { shown });
    });
    for (const command of commands) await run(id, command);
    const blocks = await blocksOf(id);
    expect(blocks.map(({ cmd }) => cmd)).toEqual(commands);
    await frozen(blocks.at(-1)?.block_id ?? "");
    const shown = await page.evaluate(() => (window as unknown as { shown: Record<string, string[]> }).shown);
    const said = await readAll();
    expect(said.map(([block]) => block)).toEqual(blocks.map(({ block_id }) => block_id));
    for (const [i, block] of blocks.entries()) {
      const lines = await linesOf(block.block_id);
      const parts = said[i]?.[1] ?? [];
      if (lines.length <= 200) expect(parts.flat(), block.cmd ?? "").toEqual(lines);
      else expect(parts, block.cmd ?? "").toEqual([lines.slice(0, 20), lines.slice(-40)]);
      expect(shown[block.block_id]?.length ?? 1, block.cmd ?? "").toBe(1);
    }
  });

  test("every visible card has its output, even when the browser reports visibility late", async () => {
    const session_id = await openBash();
    const lines = Array.from({ length: 60 }, (_, i) => `: ${i}`).join("\n");
    const then = { any: [{ text: "all-2" }], timeout_ms: BULK_MS };
    await person.pty_send({ session_id, text: `${lines}\necho all-$((1+1))\n`, then });
    await show(session_id, await newTab({ ...look, script: LATE_OBSERVER }));
    await page.locator("article[data-shows=frozen]").first().waitFor();
    // Out of sight and back before it is told.
    for (const part of [0, 1, 0, 0.5, 0]) await wheel(part);
    const first = page.locator("article[aria-posinset='1']");
    await until(async () => (await first.getAttribute("data-shows")) === "frozen", "the first card's output");
    expect((await readAll()).length).toBe(61);
  });

  test("scrolling by hand is recognised, even when a busy page hears of it late", async () => {
    const id = await openShell();
    await run(id, "seq 1 100");
    await run(id, "seq 1 100");
    const fromEnd = () => scroller().evaluate((own) => own.scrollHeight - own.scrollTop - own.clientHeight);
    await until(async () => (await scroller().evaluate((own) => own.scrollTop)) > 100, "the end");
    await wheel(0, HAND_MS);
    await run(id, "echo more");
    await page.locator(".latest[data-fresh=true]").waitFor();
    expect(await fromEnd()).toBeGreaterThan(100);
  });

  test("a running card streams output, takes keys and freezes at its end", async () => {
    const id = await openShell();
    await run(id, "echo before");
    await person.pty_send({ session_id: id, text: "echo one; read -r word; echo got:$word; read -r end\n" });
    const live = page.locator("article.live");
    await live.waitFor();
    const text = () => live.locator(".xterm-rows").evaluate((rows) => rows.textContent ?? "");
    await until(async () => (await text()).includes("one"), "the first line");
    // The crop shows the command's rows and nothing of what was before.
    const height = async () => (await live.locator(".crop").boundingBox())?.height ?? 0;
    await until(async () => (await height()) > 30 && (await height()) < 48, "two rows");
    await live.locator(".crop").click();
    await page.keyboard.type("käse 漢\n");
    await until(async () => (await text()).includes("got:käse 漢"), "the answer");
    await tab.sameAs(person, id);
    await page.keyboard.press("Enter");
    await page.locator("article.live").waitFor({ state: "detached" });
    const last = (await blocksOf(id)).at(-1);
    if (!last) throw new Error("no block");
    await sameAsDaemon(last);
    expect((await read(card(last.block_id))).flat().slice(0, 3)).toEqual(["one", "käse 漢", "got:käse 漢"]);
  });

  test("a card shows only its command's rows, also on a page that is opened later", async () => {
    const session_id = await openBash();
    await run(session_id, "seq 1 5");
    const then = { any: [{ text: "late-2" }], timeout_ms: BULK_MS };
    await person.pty_send({ session_id, text: "echo late-$((1+1)); read -r x\n", then });
    await show(session_id, await newTab(look));
    const crop = page.locator("article.live .crop");
    await until(async () => ((await crop.boundingBox())?.height ?? 0) < 48, "two rows");
    await page.setViewportSize({ width: 900, height: 600 });
    const { cols } = await person.pty_read_screen({ session_id });
    const other = async () => (await person.pty_read_screen({ session_id })).cols !== cols;
    await until(other, "another size");
    await until(async () => ((await crop.boundingBox())?.height ?? 0) < 48, "two rows again");
  });

  test("a full-screen program has the whole card, which keeps its last screen", async () => {
    const id = await openShell();
    await run(id, "echo before");
    const vim = "vim -u NONE -i NONE -n -N /etc/services\n";
    await person.pty_send({
      session_id: id,
      text: vim,
      then: { any: [{ text: "Network" }], timeout_ms: BULK_MS },
    });
    const body = page.locator("article.live .live-body[data-alt=true]");
    await body.waitFor();
    await tab.sameAs(person, id);
    const heightOf = async (of: Locator) => (await of.boundingBox())?.height ?? 0;
    const part = async () => (await heightOf(page.locator("article.live"))) / ((await heightOf(scroller())) - 4);
    await until(async () => (await part()) > 0.85 && (await part()) <= 1, "the whole card");
    const { rows } = await person.pty_read_screen({ session_id: id });
    await page.locator("article.live .crop").click();
    await page.keyboard.type(":q!\n");
    await page.locator("article.live").waitFor({ state: "detached" });
    const last = (await blocksOf(id)).at(-1);
    await page.getByRole("button", { name: "show its last screen" }).click();
    await page.locator("[data-kind=screen]").waitFor();
    const kept = await read(await frozen(last?.block_id ?? ""));
    // All but the row in which the person typed.
    expect(kept.flat().slice(0, rows.length - 1)).toEqual(rows.slice(0, -1));
  });

  test("only visible cards are drawn, and the scroll position stays", async () => {
    const session_id = await openBash();
    for (let part = 0; part < 3; part += 1) {
      const lines = Array.from({ length: 100 }, (_, i) => `: ${part * 100 + i}`).join("\n");
      const then = { any: [{ text: `part-${part}-2` }], timeout_ms: BULK_MS };
      await person.pty_send({ session_id, text: `${lines}\necho part-${part}-$((1+1))\n`, then });
    }
    await show(session_id);
    const most = async () => page.locator("article").count();
    const counts = [await most()];
    const top = () => scroller().evaluate((own) => own.scrollTop);
    await until(async () => (await top()) > 100, "the end");
    const { total } = await person.blocks({ session_id, limit: 1 });
    // More than the page asks for at once.
    expect(total).toBeGreaterThan(300);
    const atFirst = async () => {
      await wheel(0);
      counts.push(await most());
      const [earlier, first] = [page.locator(".earlier"), page.locator("article[aria-posinset='1']")];
      return (await earlier.count()) === 0 && (await first.count()) === 1;
    };
    await until(atFirst, "the first command", BULK_MS);
    await wheel(0.5);
    await until(async () => !(await page.locator("article[aria-posinset='1']").count()), "the middle");
    counts.push(await most());
    // Nothing moves while something runs below.
    const place = () =>
      page.evaluate(() => {
        const edge = document.querySelector(".scroll")?.getBoundingClientRect().top ?? 0;
        const rows = [...document.querySelectorAll<HTMLElement>(".row")];
        const first = rows.find((row) => row.getBoundingClientRect().bottom > edge);
        return `${first?.dataset.block} ${Math.round((first?.getBoundingClientRect().top ?? 0) - edge)}`;
      });
    // Outputs that arrive change the heights of cards: nothing may have moved for a while.
    const frames = (count: number) =>
      page.evaluate(async (left) => {
        for (let n = 0; n < left; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      }, count);
    await until(async () => {
      const before = await place();
      await frames(20);
      return before === (await place());
    }, "rest");
    const before = await place();
    await run(session_id, "seq 1 100");
    await page.locator(".latest[data-fresh=true]").waitFor();
    expect(await place()).toBe(before);
    await page.locator(".latest").click();
    await until(async () => (await page.locator(`article[aria-posinset='${total + 1}']`).count()) === 1, "the end");
    expect(Math.max(...counts)).toBeLessThanOrEqual(80);
  });

  test("a long output shows its beginning and end, and all of it in a viewer", async () => {
    const id = await openShell();
    await run(id, "for i in $(seq 1 10000); do echo line-$i; done");
    const last = (await blocksOf(id)).at(-1);
    if (!last) throw new Error("no block");
    await sameAsDaemon(last);
    await page.getByText("9\u202f940 more lines").waitFor();
    // Whoever goes there by Tab stays there.
    const open = page.getByRole("button", { name: "open full output" });
    await open.focus();
    await page.locator(".latest").waitFor();
    await open.click();
    const full = page.locator("dialog.full");
    await full.getByText("10\u202f000 lines").waitFor();
    await full.getByText("line-1", { exact: true }).waitFor();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("LINE-7777");
    await full.getByText("1 of 1").waitFor();
    await full.locator("mark.hit", { hasText: "line-7777" }).waitFor();
    expect(await full.locator(".full-row").count()).toBeLessThan(150);
    await full.getByRole("button", { name: "Regular expression" }).click();
    const field = full.getByRole("searchbox");
    await field.fill("^LINE-(12|34)00$");
    await full.getByText("1 of 2").waitFor();
    await full.locator("mark.hit", { hasText: /^line-1200$/ }).waitFor();
    await field.fill("(");
    await full.getByText("not a regular expression").waitFor();
    await field.fill("");
    await full.locator("section").evaluate((own) => {
      own.scrollTop = own.scrollHeight;
    });
    await full.getByText("line-10000", { exact: true }).waitFor();
    expect(await full.locator(".full-row").count()).toBeLessThan(150);
    await page.keyboard.press("Escape");
    await full.waitFor({ state: "detached" });
  });

  test("terminal output never becomes markup", async () => {
    const id = await openShell();
    const evil = [
      "<img src=x onerror=alert(1)>",
      "<script>alert(1)</script>",
      '" onmouseover="alert(1)" x="',
      "<svg/onload=alert(1)>",
      "&lt;img src=x onerror=alert(1)&gt;",
      "javascript:alert(1)",
    ];
    for (const text of evil) await run(id, `echo '${text}' # ${text}`);
    const osc8 = (link: string) => `\\033]8;;${link}\\033\\\\click\\033]8;;\\033\\\\\\n`;
    for (const link of [
      "javascript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      'https://a/" onclick="alert(1)',
    ])
      await run(id, `printf '${osc8(link)}'`);
    await run(id, "mkdir -p '/tmp/<img src=x onerror=alert(1)>' && cd '/tmp/<img src=x onerror=alert(1)>'");
    await run(id, `printf '\\033[31" onload="alert(1)m%s\\n' x`);
    const blocks = await blocksOf(id);
    for (const block of blocks) await sameAsDaemon(block);
    expect(await page.locator(".scroll :is(img, script, svg, iframe)").count()).toBe(0);
    const links = await page
      .locator(".frozen a")
      .evaluateAll((all) => all.map((a) => a.getAttributeNames().sort().join()));
    expect(links.every((names) => names === "href,rel,target,title")).toBe(true);
    const hrefs = await page
      .locator(".frozen a")
      .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).protocol));
    expect(hrefs.every((protocol) => protocol === "https:")).toBe(true);
    const handlers = await page
      .locator(".trans *")
      .evaluateAll((all) => all.filter((own) => own.getAttributeNames().some((name) => name.startsWith("on"))).length);
    expect(handlers).toBe(0);
  });

  test("cards are copied, run again, linked, filtered and folded by keyboard alone", async () => {
    const id = await openShell(await newTab(look));
    await run(id, "echo first; echo second");
    await run(id, "ls /nonexistent");
    await run(id, "echo third");
    const [first, failed] = await blocksOf(id);
    if (!first || !failed) throw new Error("no blocks");
    await frozen(first.block_id);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    const choose = async (steps: number) => {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator("[role=menu]").waitFor();
      for (let i = 0; i < steps; i += 1) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.locator("[role=menu]").waitFor({ state: "detached" });
    };
    const toFirst = async () => {
      for (let i = 0; i < 4; i += 1) await page.keyboard.press("Control+ArrowUp");
      await until(() => card(first.block_id).evaluate((own) => own === document.activeElement), "focus");
    };
    const wants: readonly (readonly [number, string])[] = [
      [0, "echo first; echo second"],
      [1, "first\nsecond"],
      [2, "$ echo first; echo second\nfirst\nsecond"],
      [3, `#/${id}/${first.block_id}`],
    ];
    for (const [steps, text] of wants) {
      await toFirst();
      await choose(steps);
      await until(async () => (await clipboard()).endsWith(text), text);
    }
    await toFirst();
    await choose(6);
    await page.locator(`[data-block="${first.block_id}"] article[data-shows=folded]`).waitFor();
    await toFirst();
    await choose(5);
    await until(async () => (await blocksOf(id)).length === 4, "another run");
    const again = (await blocksOf(id)).at(-1);
    expect(again?.cmd).toBe(first.cmd);
    await sameAsDaemon(again as Block);
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await until(async () => (await page.locator("article").count()) === 1, "one card");
    await card(failed.block_id).getByText("exit 2").waitFor();
    await page.getByRole("button", { name: "By agents", exact: true }).click();
    await page.getByText("No command matches").waitFor();
    await page.evaluate((wanted) => {
      location.hash = wanted;
    }, `#/${id}/${failed.block_id}`);
    await until(() => card(failed.block_id).evaluate((own) => own === document.activeElement), "the link");
  });

  test("one key switches to the plain terminal and back, and the choice is remembered", async () => {
    const id = await openShell(await newTab(look));
    await run(id, "echo kept");
    await page.keyboard.press("Alt+m");
    await page.locator(".stage .xterm").waitFor();
    await page.reload();
    await page.locator(".stage .xterm").waitFor();
    await until(async () => (await tab.rows()).includes("kept"), "the screen");
    await page.keyboard.press("Alt+m");
    await page.locator("article", { hasText: "echo kept" }).waitFor();
  });
});
