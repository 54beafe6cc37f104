// What programs and names say is never executed on the page, the page can be installed, and it is small.
import fs from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import { until } from "../fixtures/soon.ts";
import { ROOT } from "../fixtures/stand/installation.ts";

/** All JavaScript that every visit begins with. */
const JS_GZIP_MAX = 171 * 1024;
/** What is loaded later: Markdown when an agent first says something, patterns when somebody first searches by one, dialogs. */
const LATER_GZIP_MAX: Readonly<Record<string, number>> = {
  "agent-names": 512,
  away: 1_024,
  bar: 3_584,
  "before-restart": 1_536,
  bitmaps: 1_024,
  "board-view": 5_632,
  "broadcast-view": 2_048,
  cells: 2_048,
  choice: 1_024,
  copies: 3_584,
  decoder: 5_120,
  diff: 1_536,
  "drawn-view": 4_608,
  following: 2_048,
  "full-output-view": 3_072,
  fuzzy: 1_024,
  "in-lines": 1_024,
  "keys-panel": 1_024,
  links: 1_536,
  "lost-sessions": 2_048,
  markdown: 18 * 1024,
  "markdown-view": 2_048,
  more: 1_024,
  "needs-panel": 1_024,
  opening: 1_024,
  outside: 1_536,
  overlays: 7_168,
  pair: 1_024,
  pane: 6_144,
  panel: 10_240,
  "past-list": 2_048,
  pattern: 50 * 1024,
  "pattern-button": 512,
  pieces: 2_048,
  "replay-view": 3_072,
  "review-view": 9_216,
  saving: 512,
  "screen-images": 6_144,
  "screen-links": 3_072,
  "set-up": 2_048,
  "share-panel": 2_304,
  "undo-panel": 2_048,
  "write-sheet": 1_024,
};

const XSS = [
  "<img src=x onerror=window.__hit=1>",
  "<script>window.__hit=1</script>",
  '"><svg onload=window.__hit=1>',
  "javascript:window.__hit=1",
  "{{constructor.constructor('window.__hit=1')()}}",
];

describe("safety and size", () => {
  const { person, folder, tab: newTab } = sharedPages();

  test("names, titles, folders and commands are always shown as text", async () => {
    const cwd = join(folder(), "<img src=x onerror=window.__hit=1>");
    fs.mkdirSync(cwd);
    for (const [i, text] of XSS.entries()) {
      const command = ["/bin/sh", "-c", `printf '\\033]0;%s\\007%s\\n' "$1" "$1"; exec cat`, "sh", text];
      await person.pty_open({ name: `${i}${text}`.slice(0, 100), command, cwd });
    }
    const tab = await newTab();
    const { sessions } = await person.pty_list({ all: false });
    for (const { session_id, name } of sessions.filter((session) => session.cwd === cwd)) {
      await tab.go(session_id);
      await tab.page.locator(".crumb b", { hasText: name ?? "" }).waitFor();
      await tab.page.keyboard.press("Control+Shift+P");
      await tab.page.keyboard.press("Escape");
    }
    await until(async () => (await tab.page.locator("nav .item").count()) >= XSS.length, "all of them");
    expect(
      await tab.page.evaluate(() => [
        (window as { __hit?: number }).__hit,
        document.querySelectorAll("nav img, .crumb img, nav script").length,
      ]),
    ).toEqual([undefined, 0]);
  });

  test("the page can be installed as an app, and is small", async () => {
    const tab = await newTab();
    const { origin } = new URL(tab.page.url());
    const answer = await fetch(`${origin}/manifest.webmanifest`);
    expect(answer.headers.get("content-type")).toBe("application/manifest+json");
    const manifest = (await answer.json()) as { display: string; icons: { src: string }[] };
    expect(manifest.display).toBe("standalone");
    for (const { src } of manifest.icons) expect((await fetch(new URL(src, origin))).status, src).toBe(200);
    const assets = join(ROOT, "dist/web/assets");
    const gzipped = (files: readonly string[]) =>
      files.reduce((sum, file) => sum + gzipSync(fs.readFileSync(join(assets, file))).length, 0);
    const index = fs.readFileSync(join(assets, "../index.html"), "utf8");
    const first = [...index.matchAll(/assets\/([\w-]+\.js)/g)].map(([, file = ""]) => file);
    expect(first.length).toBeGreaterThan(0);
    expect(gzipped(first)).toBeLessThanOrEqual(JS_GZIP_MAX);
    // Later comes only what is known here, and the WebGL renderer, which only some machines load.
    const all = fs.readdirSync(assets).filter((file) => /\.js$/.test(file) && !/^(?:docs|guest)-|webgl/.test(file));
    const later = all.filter((file) => !first.includes(file));
    const nameOf = (file: string) => file.replace(/-[\w-]{8}\.js$/, "");
    // The page behind a link has its own copy of some.
    expect([...new Set(later.map(nameOf))].sort()).toEqual(Object.keys(LATER_GZIP_MAX));
    for (const file of later) expect(gzipped([file]), file).toBeLessThanOrEqual(LATER_GZIP_MAX[nameOf(file)] ?? 0);
  });
});
