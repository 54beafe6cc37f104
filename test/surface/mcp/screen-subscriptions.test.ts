// Watching screens over MCP: what is not there yet, what ended and came again, who subscribed twice, and what is no screen.
import { describe, expect, test } from "vitest";
import { connectMcp, type Mcp, SOME_PAIRS } from "../../fixtures/mcp/clients.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, openShell } = sharedStand();

let names = 0;
function newName(): string {
  names += 1;
  return `web-${names}`;
}

async function following(mcp: Mcp, name: string) {
  let notices = 0;
  const stop = await mcp.follow(`terminal://${name}/screen`, () => {
    notices += 1;
  });
  return { count: () => notices, stop };
}

describe.concurrent.each(SOME_PAIRS)("client $line over $way", ({ line, way }) => {
  test("a client may subscribe to a session that does not exist yet, and to one that comes again", async () => {
    const name = newName();
    await using mcp = await connectMcp(duetty, { line, way });
    const news = await following(mcp, name);
    const missing = await mcp.call("pty_read_screen", { session_id: name });
    expect(missing.data).toMatchObject({ error: { code: "session.not_found" } });
    expect(news.count()).toBe(0);
    const { session_id } = await openShell("bash", { name });
    await soon(() => expect(news.count()).toBeGreaterThan(0));
    await person.pty_close({ session_id });
    const ended = async () => (await mcp.call("pty_screen_status", { session_id })).data.state;
    await soon(async () => expect(await ended()).toMatch(/done|failed/));
    const before = news.count();
    const again = await openShell("bash", { name });
    await soon(() => expect(news.count()).toBeGreaterThan(before));
    const known = news.count();
    await person.pty_send({ session_id: again.session_id, text: "again" });
    await soon(() => expect(news.count()).toBeGreaterThan(known));
    await news.stop();
  });

  test("a second subscriber of the same screen is told at once as well", async () => {
    const { session_id } = await openShell();
    await using first = await connectMcp(duetty, { line, way });
    await using second = await connectMcp(duetty, { line, way });
    const one = await following(first, session_id);
    await soon(() => expect(one.count()).toBeGreaterThan(0));
    const two = await following(second, session_id);
    await soon(() => expect(two.count()).toBeGreaterThan(0));
    // One who leaves takes nothing from the other.
    await one.stop();
    const before = two.count();
    await person.pty_send({ session_id, text: "news" });
    await soon(() => expect(two.count()).toBeGreaterThan(before));
  });

  test("an invalid screen address gets an error and harms nothing", async () => {
    const { session_id } = await openShell();
    await using mcp = await connectMcp(duetty, { line, way });
    for (const uri of ["terminal://%/screen", "terminal://%E0%A4%A/screen", "file:///etc/passwd"]) {
      await expect(mcp.read(uri)).rejects.toThrow(/not found/i);
      const stop = await mcp.follow(uri, () => undefined);
      await stop();
    }
    const news = await following(mcp, session_id);
    await soon(() => expect(news.count()).toBeGreaterThan(0));
  });
});

test.concurrent.each(SOME_PAIRS.filter(({ line }) => line !== "2.4 in 2026"))(
  "client $line over $way: a client that subscribed twice unsubscribes once",
  async ({ line, way }) => {
    const { session_id } = await openShell();
    await using mcp = await connectMcp(duetty, { line, way });
    await following(mcp, session_id);
    const twice = await following(mcp, session_id);
    await twice.stop();
    await using other = await connectMcp(duetty, { line, way });
    const news = await following(other, session_id);
    await soon(() => expect(news.count()).toBeGreaterThan(0));
    const known = news.count();
    // Over HTTP, what was told before the end of a subscription may come after the answer to it.
    const before = twice.count();
    await person.pty_send({ session_id, text: "news" });
    await soon(() => expect(news.count()).toBeGreaterThan(known));
    // What would have been told came before this answer.
    await mcp.call("pty_screen_status", { session_id });
    expect(twice.count()).toBe(before);
  },
);
