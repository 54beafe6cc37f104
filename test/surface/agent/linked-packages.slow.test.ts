// Packages that are links, as pnpm and `npm link` lay them, are loaded whatever the daemon looked at before.
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../fixtures/stand/installation.ts";
import { stand } from "../../fixtures/stand/stand.ts";

const SEES_SOCKETS = join(ROOT, "test/fixtures/faults/sees-sockets.mjs");

test.each(["anthropic/m", "openai/m", "openai-compatible/m"])(
  "%s: its package is found beside sockets",
  async (name) => {
    await using s = await stand({ daemon: "later", model: { text: "found" } });
    const seen = { NODE_OPTIONS: `--import=${SEES_SOCKETS}`, SEEN_SOCKET: join(s.duetty.folder, "seen") };
    Object.assign(s.duetty.env, seen);
    await s.duetty.start();
    delete s.duetty.env.NODE_OPTIONS;
    const { code, stdout, stderr } = await s.duetty.cli("ask", "--model", name, "are you there?");
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: "found\n" });
  },
);
