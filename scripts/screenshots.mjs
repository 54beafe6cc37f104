// npm run screenshots [FOLDER] [VIEW…]: pictures of the page's main views, in three sizes and both themes, of a made-up day of
// work in an installation of its own. For people to look at; nothing is compared.
// npm run screenshots readme: the pictures in docs/pictures, which the README and docs/gate.md show.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { docsPictures } from "./docs-pictures.mjs";
import { openScene } from "./scene.mjs";

const [folder = ".cache/screenshots", ...only] = process.argv.slice(2);
const out = resolve(folder);
const SIZES = { 1360: 860, 900: 700, 390: 844 };
const THEMES = ["dark", "light"];
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge-stable"];
/** Animations are off and the page says when it is ready; fonts and the terminal's last row need a moment more. */
const REST_MS = 250;
const PHONE_PX = 700;
/** From here on the agent has a column of its own. */
const PANE_PX = 1081;

const press = (key) => (page) => page.keyboard.press(key);
const action = (words) => async (page) => {
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
};
const goTo = (name) => async (page, scene) => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${scene.ids[name]}`);
  await page.locator(".crumb").waitFor();
  await page.locator('.scroll[data-settled="true"], .stage').first().waitFor();
};
const away = press("Escape");

/** What leads to a view and what leads back. */
const VIEWS = {
  transcript: [goTo("api")],
  plain: [goTo("api"), action("plain terminal"), action("one card per")],
  running: [goTo("web")],
  needs: [goTo("migrate")],
  vim: [goTo("scratch")],
  ended: [goTo("e2e")],
  palette: [goTo("api"), press("Control+Shift+P"), away],
  settings: [goTo("api"), action("settings"), away],
  share: [goTo("api"), action("share this"), away],
  search: [goTo("api"), press("Control+Shift+F"), away],
  new: [goTo("api"), openNew, away],
  replay: [goTo("api"), replay, action("go live")],
  drawer: [goTo("api"), drawer("open"), drawer("shut")],
  gone: [
    (page) =>
      page.evaluate(() => {
        location.hash = "#/s_00000000";
      }),
  ],
};

async function openNew(page) {
  await page.keyboard.press("Alt+n");
  await page.locator("dialog summary").click();
  await page.getByLabel("Folder").fill("/no/such/folder");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
}

async function replay(page) {
  await action("replay this")(page);
  await page.locator(".replay[data-busy=false][data-cursor]").waitFor();
  await page.keyboard.press("6");
  await page.keyboard.press("?");
}

function drawer(to) {
  return async (page) => {
    if (page.viewportSize().width >= PHONE_PX) return;
    if (to === "open") await page.getByRole("button", { name: "Sessions", exact: true }).click();
    else await page.locator(".scrim").click({ position: { x: 370, y: 400 } });
  };
}

async function shoot(tabs, name) {
  if (only.length > 0 && !only.includes(name)) return;
  for (const { page, width, theme } of tabs) {
    await page.waitForTimeout(REST_MS);
    const file = `${name}-${width}-${theme}.png`;
    await page.screenshot({ path: `${out}/${file}`, animations: "disabled" });
    console.log(file);
  }
}

/** One view in all tabs; what does not work in one is told and does not end the others. */
async function show(tabs, name, [lead, , back], scene, enter = lead) {
  if (only.length > 0 && !only.includes(name)) return;
  for (const tab of tabs) {
    try {
      await enter(tab.page, scene);
      if (VIEWS[name]?.[1]) await VIEWS[name][1](tab.page, scene);
      await shoot([tab], name);
      await back?.(tab.page, scene);
    } catch (error) {
      console.error(`${name} ${tab.width} ${tab.theme}: ${String(error).split("\n")[0]}`);
    }
  }
}

async function openTabs(browser, link) {
  const tabs = [];
  for (const [width, height] of Object.entries(SIZES)) {
    for (const colorScheme of THEMES) {
      const viewport = { width: Number(width), height };
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      if (link) {
        await page.goto(await link());
        await page.waitForURL((url) => url.pathname === "/");
      }
      tabs.push({ page, width, theme: colorScheme });
    }
  }
  return tabs;
}

const browser = await launch();
try {
  if (folder === "readme") await docsPictures(browser);
  else await everyView();
} finally {
  await browser.close();
}

async function everyView() {
  mkdirSync(out, { recursive: true });
  const scene = await openScene();
  try {
    const tabs = await openTabs(browser, scene.link);
    await shoot(tabs, "empty");
    await scene.work();
    for (const [name, view] of Object.entries(VIEWS)) await show(tabs, name, view, scene);
    await scene.ask();
    await show(tabs, "approval", [goTo("api")], scene);
    await show(tabs, "agent", [(page) => page.viewportSize().width < PANE_PX && action("show the agent")(page)], scene);
    const strangers = await openTabs(browser);
    for (const { page } of strangers) await page.goto(scene.address());
    await shoot(strangers, "signed-out");
    await scene.leave();
    for (const { page } of tabs)
      await page
        .getByText("Reconnecting…")
        .first()
        .waitFor()
        .catch(() => undefined);
    await shoot(tabs, "offline");
  } finally {
    await scene.close();
  }
  console.log(`in ${out}`);
}

async function launch() {
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run"];
  const wanted = process.env.CHROMIUM_PATH;
  for (const executablePath of wanted
    ? [wanted]
    : (process.env.PATH ?? "").split(":").flatMap((at) => NAMES.map((name) => `${at}/${name}`))) {
    try {
      return await chromium.launch({ executablePath, args });
    } catch (error) {
      if (wanted || !/doesn't exist/.test(String(error))) throw error;
    }
  }
  throw new Error("no Chromium found: set CHROMIUM_PATH");
}
