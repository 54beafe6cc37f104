// The pictures of the README, docs/gate.md and docs/side-by-side.md: the page, an approval card, halves, `attach`. Small files: people load them with
// the text. Owns: docs/pictures.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openScene } from "./scene.mjs";
import { tellStory } from "./story/tell.mjs";

const FOLDER = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const BYTES_MAX = 120_000;
const QUALITY = 88;
/** Fonts and the terminal's last row need a moment. */
const REST_MS = 400;

export async function docsPictures(browser) {
  mkdirSync(FOLDER, { recursive: true });
  await picturesOfPage(browser);
  await pictureOfAttach(browser);
}

async function picturesOfPage(browser) {
  const scene = await openScene({ place: "/tmp/you", tests: 3 });
  try {
    const page = await openPage(browser, { width: 1200, height: 760 });
    await page.goto(await scene.link());
    await page.waitForURL((url) => url.pathname === "/");
    await scene.work();
    await scene.ask();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${scene.ids.api}`);
    await page.locator(".appr").waitFor();
    await shoot(page, "page");
    await shoot(page, "approval", { part: page.locator(".appr"), scale: 1.5 });
    await sideBySide(page, scene.ids);
    await shoot(page, "splits");
  } finally {
    await scene.close();
  }
}

/** As the page itself keeps it. */
async function sideBySide(page, { api, web, scratch, migrate }) {
  const column = (first, second) => ({ dir: "column", share: 0.5, first, second });
  const tree = { dir: "row", share: 0.5, first: column(api, scratch), second: column(web, migrate) };
  await page.setViewportSize({ width: 1500, height: 900 });
  await page.evaluate(
    (kept) => sessionStorage.setItem("duetty.layout", kept),
    JSON.stringify({ tree, focus: api, zoomed: false }),
  );
  await page.reload();
  await page.locator(".half").nth(3).waitFor();
  await page.locator(".appr").first().waitFor();
}

/** The composed view of `attach`, as the recorder of the story saw it. */
async function pictureOfAttach(browser) {
  await tellStory({
    pace: 0,
    async moment(name, { person, session_id }) {
      if (name !== "asked") return;
      const { content: whole } = await person.export({ session_id, format: "html" });
      const { content } = await person.pty_read_screen({ session_id, format: "html" });
      const page = await openPage(browser, { width: 800, height: 600 });
      const head = whole.slice(0, whole.indexOf("<pre"));
      await page.setContent(`${head}<style>${TERMINAL_STYLE}</style>${content}`);
      await shoot(page, "attach", { part: page.locator("pre"), scale: 1.5 });
    },
  });
}

const TERMINAL_STYLE =
  "pre { display: inline-block; margin: 0; padding: 14px; white-space: pre; line-height: 1.25;" +
  ' font-family: "DejaVu Sans Mono", monospace; background: #121418 }';

async function openPage(browser, viewport) {
  const context = await browser.newContext({ viewport, colorScheme: "dark", reducedMotion: "reduce" });
  return context.newPage();
}

/** WebP, which Playwright does not write by itself. */
async function shoot(page, name, { part, scale } = {}) {
  await page.waitForTimeout(REST_MS);
  const box = await part?.boundingBox();
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", {
    ...{ format: "webp", quality: QUALITY },
    ...(box && { clip: { ...box, scale } }),
  });
  const bytes = Buffer.from(data, "base64");
  writeFileSync(`${FOLDER}${name}.webp`, bytes);
  console.log(`${name}.webp: ${bytes.length} bytes`);
  if (bytes.length > BYTES_MAX) throw new Error(`${name}.webp has more than ${BYTES_MAX} bytes`);
}
