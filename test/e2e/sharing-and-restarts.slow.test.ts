// A guest's page while the connection is lost: it comes back by itself, with what was typed meanwhile, or says that the visit is over.
import { expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import { soon } from "../fixtures/soon.ts";

// Browsers complain of sockets that are refused.
const { person, duetty, guest: newGuest, open } = sharedPages({ complaints: "expected" });

/**
 * The page's own way out, which a test shuts. A browser that is told to be offline while its socket ends turns in a circle for as
 * long as it lives, and hears nothing more.
 */
const DOOR = `
  const { WebSocket, fetch } = window;
  window.WebSocket = class extends WebSocket {
    constructor(to, words) { super(window.isShut ? new URL("/nowhere", to) : to, words); }
  };
  window.fetch = (...asked) => (window.isShut ? Promise.reject(new TypeError("shut")) : fetch(...asked));
`;

test("a daemon that died and began again: the page goes on, and the link stays what it was", async () => {
  const session_id = await open(["cat"], { name: "lasting" });
  const { url } = await person.share({ session_id, role: "type", name: "Ann", uses: 1 });
  const ann = await newGuest(url);
  await ann.page.locator(".xterm").click();
  await ann.page.keyboard.type("before\n");
  await ann.shows("before");
  await duetty.killDaemon();
  await ann.page.keyboard.type("meanwhile\n");
  await soon(() => person.status({}));
  await ann.shows("meanwhile");
  await ann.page.getByText("live", { exact: true }).waitFor();
  // Once by the terminal's echo, once by cat: it was typed once.
  const typed = duetty.raw(session_id).toString().split("meanwhile").length - 1;
  expect(typed).toBe(2);
});

test("a link that is taken back while its page has no connection: the page says so when it has one again", async () => {
  const session_id = await open(["cat"]);
  const { url, share } = await person.share({ session_id });
  const guest = await newGuest(url, { script: DOOR });
  await guest.page.getByText("live", { exact: true }).waitFor();
  await guest.page.evaluate("window.isShut = true");
  await duetty.killDaemon();
  await guest.page.getByText("Reconnecting…").waitFor();
  await soon(() => person.unshare({ id: share.id }));
  await guest.page.evaluate("window.isShut = false");
  await guest.page.getByRole("heading", { name: "The link was taken back" }).waitFor();
});

test("a page that is opened while nobody answers tries again by itself, with the link's secret", async () => {
  const session_id = await open(["cat"]);
  const { url } = await person.share({ session_id });
  const guest = await newGuest(url.split("#")[0] ?? "");
  await guest.page.getByRole("heading", { name: "Part of this link is missing" }).waitFor();
  // The page itself is loaded; only its calls are lost.
  let isAway = true;
  await guest.page.route("**/s/*", (route, request) =>
    isAway && request.method() === "POST" ? route.abort() : route.continue(),
  );
  await guest.page.goto("about:blank");
  await guest.page.goto(url);
  await guest.page.getByRole("heading", { name: "Nobody answers" }).waitFor();
  isAway = false;
  await guest.page.getByText("you watch").waitFor();
});
