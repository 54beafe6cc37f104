// `duetty/client` in a real browser: with the cookie of the owner's page, and with a token on a page of another site.
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { sharedPages } from "../../fixtures/page/pages.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";

const BUNDLE = fs.readFileSync(join(ROOT, "dist/browser/entry/client-browser.js"), "utf8");

const site = http.createServer((_, answer) =>
  answer.setHeader("content-type", "text/html").end("<title>a site</title>"),
);
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
afterAll(() => site.close());
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const { duetty, person, tab, browser, open } = sharedPages({ config: { embed_origins: [origin] } });
const COPIES = ["sh", "-c", "stty raw -echo; printf ready; exec cat"];

/** Types on a terminal and reads it back; asks for another session's screen, which is refused. */
function typesOn(page: Page, session_id: string, options: object): Promise<unknown> {
  // The page's own policy lets no script in but its own; a debugger may.
  const script = BUNDLE.replace(/export \{([^}]*)\};?\s*$/, "return {$1};");
  return page.evaluate(`(async () => {
    const { connect, CallError } = (() => { ${script} })();
    const duo = await connect(${JSON.stringify(options)});
    const terminal = duo.attach("${session_id}");
    let printed;
    for await (const event of terminal) {
      // The owner's page may give the session its size, after which everybody gets a picture again.
      if (event.type === "repaint" && printed === undefined) terminal.write("héllo");
      if (event.type === "repaint") printed ??= "";
      if (event.type === "bytes") printed += new TextDecoder().decode(event.bytes);
      if (printed?.endsWith("llo")) break;
    }
    await terminal.settled();
    const refused = await duo.pty_screen_status({ session_id: "s_none" }).catch((error) => error);
    const { state } = await duo.pty_screen_status({ session_id: "${session_id}" });
    await duo.close();
    return { printed, state, refused: refused instanceof CallError && refused.code, cursor: terminal.cursor };
  })()`);
}

it("is built without anything of Node", () => {
  expect(BUNDLE).not.toMatch(/\bimport\b|\brequire\(|node:|process\./);
});

it("works with the cookie of the owner's page", async () => {
  const { page } = await tab();
  // The page shows another one, so nobody gives this one a size.
  const session_id = await open(COPIES);
  await person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const seen = await typesOn(page, session_id, {});
  expect(seen).toMatchObject({ printed: "héllo", refused: "session.not_found", cursor: "readyhéllo".length + 1 });
});

it("works with a token on a page of another site", async () => {
  const session_id = await open(COPIES);
  await person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const { token } = await person.share({ session_id, role: "type" });
  const page = await browser().newPage();
  onTestFinished(() => page.close());
  await page.goto(origin);
  const seen = await typesOn(page, session_id, { url: `http://127.0.0.1:${duetty.port}`, token });
  expect(seen).toMatchObject({ printed: "héllo", refused: "auth.forbidden" });
});
