// Escape sequences as attacks on the page: nothing happens but drawing. Each payload is shown, and what the page did meanwhile is
// written down.
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";
import { PAYLOADS, PayloadSession } from "../fixtures/terminal/escape-payloads.ts";

/** What a page can do that a person would notice, or should. */
const WATCHING = `
  window.__did = [];
  const did = (what) => (...words) => { window.__did.push([what, ...words].join(" ").slice(0, 200)); };
  window.open = did("open");
  window.print = did("print");
  window.alert = did("alert");
  window.prompt = did("prompt");
  window.confirm = (text) => { did("confirm")(text); return false; };
  for (const name of ["writeText", "write", "readText", "read"])
    Object.defineProperty(navigator.clipboard, name, { value: (...words) => { did(name)(...words); return Promise.resolve(""); } });
  document.execCommand = did("execCommand");
  Notification = class { constructor(title) { did("notification")(title); } static permission = "granted"; };
  // The page loads its own parts when they are needed first.
  const isOwn = (node) => node.nodeName === "LINK" && /^(modulepreload|stylesheet)$/.test(node.rel)
    && node.href.startsWith(location.origin + "/assets/");
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes)
      if (!isOwn(node) && /^(SCRIPT|IFRAME|OBJECT|EMBED|IMG|VIDEO|AUDIO|LINK|FORM|BASE|META|SVG)$/i.test(node.nodeName)) did("element")(node.nodeName);
  }).observe(document, { childList: true, subtree: true });
`;

const stand = sharedPages();
const did: Record<string, string[]> = {};
let typed: Record<string, string> = {};

/** Requests, navigation and windows, beside what the page's own script sees. */
function watch(tab: Tab, into: string[]): void {
  const { page } = tab;
  const own = new URL(page.url()).origin;
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== own) into.push(`request ${request.url()}`);
  });
  page.on("framenavigated", (frame) => into.push(`navigated ${frame.url()}`));
  page.on("popup", (popup) => into.push(`popup ${popup.url()}`));
  page.on("download", (download) => into.push(`download ${download.url()}`));
}

async function doneBy(tab: Tab, outside: string[]): Promise<string[]> {
  const inside = await tab.page.evaluate(() => (window as unknown as { __did: string[] }).__did.splice(0));
  const title = await tab.page.title();
  const strange = /rm -rf|[\x00-\x1f\x7f-\x9f]/.test(title) || title.length > 300 ? [`title ${title}`] : [];
  const bytes = tab.typed.splice(0).map((text) => `typed ${JSON.stringify(text)}`);
  return [...inside, ...outside.splice(0), ...strange, ...bytes];
}

beforeAll(async () => {
  const tab = await stand.tab({ view: "plain", script: WATCHING });
  const session = await PayloadSession.open(stand, { cols: 80, rows: 18 });
  await tab.show(session.id, "plain");
  await tab.shows("ready");
  const outside: string[] = [];
  watch(tab, outside);
  await doneBy(tab, outside);
  for (const [name] of PAYLOADS) {
    await session.next();
    await tab.shows(`shown ${name}.`);
    did[name] = await doneBy(tab, outside);
  }
  await session.next();
  typed = await session.typed();
});

describe("the page does nothing but draw, and the program is typed no more than without it:", () => {
  test.each(PAYLOADS)("%s", (name, _, allowed) => {
    expect(did[name]).toEqual([]);
    expect(typed[name]).toMatch(allowed);
  });
});

test("a link that a program made opens only to the web, and the page asks first", async () => {
  const tab = await stand.tab({ view: "plain", script: WATCHING });
  const link = (target: string) => `\\033]8;;${target}\\033\\\\click here\\033]8;;\\033\\\\`;
  const done = () => tab.page.evaluate(() => (window as unknown as { __did: string[] }).__did.splice(0));
  const print = `printf '%b' "$1"; exec cat`;
  for (const [target, asked] of [
    ["javascript:alert(1)", ""],
    ["file:///etc/passwd", ""],
    ["data:text/html,x", ""],
    ["https://example.org/a", "https://example.org/a"],
  ] as const) {
    const id = await stand.open(["/bin/sh", "-c", print, "sh", link(target)], { cols: 80, rows: 18 });
    await tab.show(id, "plain");
    await tab.shows("click here");
    await done();
    const place = await tab.page.locator(".xterm-screen").boundingBox();
    if (!place) throw new Error("the terminal is not shown");
    const [x, y] = [place.x + 20, place.y + 8];
    await tab.page.mouse.move(x + 2, y);
    if (asked !== "")
      await until(async () => (await tab.page.locator(".xterm-cursor-pointer").count()) > 0, "the link");
    await tab.page.mouse.click(x, y);
    if (asked !== "") {
      const question = tab.page.getByRole("dialog", { name: "Where this link leads" });
      await question.getByText(asked, { exact: true }).waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
    }
    expect(await done()).toEqual([]);
  }
});
