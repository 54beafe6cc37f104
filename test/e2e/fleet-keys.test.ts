// Keys to another machine while the way there is cut: what arrives is in order and never doubled, and the page says what may be lost.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sharedFleetPages } from "../fixtures/page/fleet-pages.ts";
import { until } from "../fixtures/soon.ts";

/** Each letter once, so that a doubled one and one out of order show. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const CUT_AT = [15, 40];

const { tab: newTab, openThere, person, box, isHere } = sharedFleetPages();

test("keys typed while the connection is killed are never doubled or reordered, and what may be lost is told", async () => {
  const folder = box().there.folder();
  const file = path.join(folder, "typed");
  const session_id = await openThere({ name: "far", cwd: folder });
  const tab = await newTab({ view: "plain" });
  await tab.show(session_id, "plain");
  // Each byte is written as it comes.
  await person.pty_send({ session_id, text: `stty raw -echo; cat > ${file}\r` });
  await until(() => fs.existsSync(file), "the program there");
  await tab.page.locator(".xterm-helper-textarea").first().focus();
  const told: number[] = [];
  let seen = "";
  for (const [i, letter] of LETTERS.entries()) {
    if (CUT_AT.includes(i)) {
      await box().sshd.halt();
      await tab.page.locator(".banner", { hasText: "box" }).waitFor();
      // Nothing is kept: this one is refused, and the page says so.
      await tab.page.keyboard.type("!");
      await tab.page.locator('.banner[data-nudged="true"]').getByText("Your keys are not sent.").waitFor();
      await box().sshd.start();
      await isHere();
      await tab.page.locator(".banner", { hasText: "box" }).waitFor({ state: "detached" });
      const note = tab.page.locator(".note", { hasText: "may not have been typed on box" });
      if ((await note.count()) > 0) {
        seen = (await note.textContent()) ?? "";
        told.push(Number(/(\d+) keys?/.exec(seen)?.[1]));
        await note.getByRole("button", { name: "Dismiss" }).click();
      }
    }
    await tab.page.keyboard.type(letter);
  }
  const typed = () => fs.readFileSync(file, "latin1").replaceAll(/\x1b\[[IO]/g, "");
  await until(() => typed().endsWith("9"), "the last key");
  const arrived = [...typed()];
  expect(arrived).not.toContain("!");
  expect(new Set(arrived).size).toBe(arrived.length);
  expect(arrived.map((letter) => LETTERS.indexOf(letter))).toEqual(
    arrived.map((letter) => LETTERS.indexOf(letter)).sort((a, b) => a - b),
  );
  const lost = LETTERS.length - arrived.length;
  expect(lost).toBeLessThanOrEqual(told.reduce((sum, keys) => sum + keys, 0));
});

test("keys that the other machine has not confirmed are dropped when the connection is lost, and counted", async () => {
  const session_id = await openThere({ name: "held" });
  // The page's socket hears no confirmation, so what is typed stays unconfirmed.
  const tab = await newTab({ view: "plain", script: DEAF });
  await tab.show(session_id, "plain");
  await tab.page.locator(".xterm-helper-textarea").first().focus();
  await tab.page.keyboard.type("abcdefghijkl");
  await tab.shows("abcdefghijkl");
  box().sshd.kill();
  await tab.page.getByText("12 keys may not have been typed on box.").first().waitFor();
  await isHere();
  await tab.page.locator(".banner", { hasText: "box" }).waitFor({ state: "detached" });
  await tab.page.keyboard.type("m");
  await tab.shows("abcdefghijklm");
  expect((await person.pty_read_screen({ session_id })).rows.join("\n")).not.toMatch(/abcdefghijkl.*a/s);
});

/** Takes confirmations of keys out of what the page hears. */
const DEAF = `
  const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    ...own,
    set(run) {
      own.set.call(this, (event) => {
        if (typeof event.data === "string" && event.data.includes('"type":"typed"')) return;
        run(event);
      });
    },
  });
`;
