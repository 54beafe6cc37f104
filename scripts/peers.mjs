// Packages that want a newer Node than duetty: those that users may install beside it, and the one that drives Firefox in
// tests. They are no part of our lock. The tests have them from test/peers, through links where npm would put them.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LINKED = ["ai", "@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/openai-compatible", "puppeteer-core"];

/** `npm ci` and `npm install` remove links that they do not know, so every run of tests looks. */
export function linkPeers() {
  for (const name of LINKED) {
    const from = join(ROOT, "test/peers/node_modules", name);
    const to = join(ROOT, "node_modules", name);
    if (existsSync(to) || !existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    link(relative(dirname(to), from), to);
  }
}

function link(from, to) {
  try {
    symlinkSync(from, to);
  } catch (error) {
    // Another run of tests was faster.
    if (error.code !== "EEXIST") throw error;
  }
}
