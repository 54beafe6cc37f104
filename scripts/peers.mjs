// Packages that users may install beside duetty, and that want a newer Node than it: they are no part of our lock. The
// tests have them from test/peers, through links where a user's npm would put them.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OPTIONAL = ["ai", "@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/openai-compatible"];

/** `npm ci` and `npm install` remove links that they do not know, so every run of tests looks. */
export function linkPeers() {
  for (const name of OPTIONAL) {
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
