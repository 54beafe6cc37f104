// A session's screen as others show it: xterm.js on its raw bytes, `duetty attach` in a terminal of its own, and the page.
import fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BIN } from "./parts.mjs";

const require = createRequire(import.meta.url);
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");
const pty = require("@lydell/node-pty");

function terminal({ cols, rows }) {
  const made = new Terminal({ cols, rows, scrollback: 1_000, allowProposedApi: true });
  made.loadAddon(new Unicode11Addon());
  made.unicode.activeVersion = "11";
  return made;
}

function rowsOf({ buffer: { active }, rows }) {
  return Array.from({ length: rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? "");
}

export async function replayed(file, bytes, size) {
  const made = terminal(size);
  await new Promise((done) => made.write(fs.readFileSync(file).subarray(0, bytes), done));
  const rows = rowsOf(made);
  made.dispose();
  return rows;
}

export class AttachedView {
  name = "attach";
  #terminal;
  #program;

  static async open(env, session_id, size) {
    const view = new AttachedView();
    view.#terminal = terminal(size);
    const options = { name: "xterm-256color", ...size, env, cwd: "/", encoding: null };
    view.#program = pty.spawn(process.execPath, [BIN, "attach", session_id, "--raw", "--watch"], options);
    view.#program.onData((data) => view.#terminal.write(Buffer.from(data)));
    return view;
  }

  async rows() {
    await new Promise((done) => this.#terminal.write("", done));
    return rowsOf(this.#terminal);
  }

  async close() {
    this.#program.kill();
  }
}

export class PageView {
  name = "page";
  #browser;
  #page;

  static async open(person, session_id) {
    const view = new PageView();
    const paths = (process.env.PATH ?? "").split(":").map((folder) => join(folder, "chromium"));
    const executablePath = process.env.CHROMIUM_PATH ?? paths.find((path) => fs.existsSync(path));
    view.#browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    const context = await view.#browser.newContext({ viewport: { width: 1_360, height: 860 } });
    view.#page = await context.newPage();
    const { url } = await person.login_code({});
    await view.#page.goto(url);
    await view.#page.waitForURL(({ pathname }) => pathname === "/");
    await view.#page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${session_id}`);
    await view.#page.locator(`footer:has-text("${session_id}")`).getByText("connected").waitFor();
    return view;
  }

  rows() {
    return this.#page.evaluate(() => [...document.querySelectorAll(".xterm-rows > div")].map((row) => row.textContent));
  }

  async close() {
    await this.#browser.close();
  }
}
