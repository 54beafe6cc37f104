// The WebSocket: greeting, exact resume, repaint, live bytes, slow viewers, sizes. @xterm/headless plays the viewer.
import { describe, expect, it } from "vitest";
import type { Output } from "../../../src/protocol/ops.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";
import { makeXterm, settleXterm } from "../../fixtures/terminal/xterm-engine.ts";

const s = sharedStand();
const { duetty, person, agent } = s;
const watch = (id: string, options: { cursor?: number; role?: string; token?: string } = {}) =>
  TestViewer.open(duetty, id, options);
const open = (...command: string[]) => s.open(command, { cols: 80, rows: 24 });
const see = (session_id: string) => person.pty_read_screen({ session_id });

/** Everything a viewer got, shown by another terminal than ours. */
function shown(viewer: TestViewer): Promise<string[]> {
  return rowsAfter(viewer.repaint ?? Buffer.alloc(0), viewer.bytes);
}

async function rowsAfter(...parts: Buffer[]): Promise<string[]> {
  const screen = makeXterm({ cols: 80, rows: 24, scrollback: 1000 });
  for (const part of parts) screen.feed(part);
  await settleXterm(screen);
  return screen.rows();
}

async function settled(session_id: string): Promise<Output<"pty_read_screen">> {
  return (await person.pty_wait({ session_id, any: [{ idle_ms: 150 }] })).screen;
}

describe("greeting", () => {
  it("hello comes first and has session, cursor and size", async () => {
    const id = await open("cat");
    const viewer = await watch(id).hello();
    expect(viewer.messages[0]).toMatchObject({ type: "hello", session_id: id, cols: 80, rows: 24, state: "running" });
    expect(viewer.message("snapshot")).toMatchObject({ cursor: 0 });
  });

  it("the policy and each change of it are told", async () => {
    const id = await open("cat");
    const viewer = watch(id);
    const policies = () => viewer.messages.flatMap((message) => (message.type === "policy" ? [message.policy] : []));
    await viewer.until(() => policies().length === 1);
    const { session_id: _, ...set } = await person.policy({ session_id: id, agent: "a", level: "always_ask" });
    await viewer.until(() => policies().length === 2);
    expect(policies()).toMatchObject([{ agent_levels: {} }, set]);
  });

  it("bytes go both ways unwrapped", async () => {
    const id = await open("sh", "-c", "stty raw -echo; printf ready; exec cat");
    const viewer = watch(id);
    await viewer.until(() => Buffer.concat([viewer.repaint ?? Buffer.alloc(0), viewer.bytes]).includes("ready"));
    const before = viewer.bytes.length;
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    viewer.socket.send(all);
    await viewer.until(() => viewer.bytes.length >= before + 256);
    expect(viewer.bytes.subarray(before).equals(all)).toBe(true);
  });
});

describe("resume", () => {
  it("continues byte for byte from a cursor", async () => {
    const id = await open("sh", "-c", "for i in $(seq 1 40); do echo line $i; done; exec cat");
    await settled(id);
    const first = await watch(id, { cursor: 0 }).until((v) => v.bytes.includes("line 40"));
    expect(first.repaint).toBeUndefined();
    first.close();
    await person.pty_send({ session_id: id, text: "while away\n", then: { any: [{ settled_ms: 100 }] } });
    const cursor = first.bytes.length;
    const second = await watch(id, { cursor }).until((v) => v.bytes.includes("while away\r\nwhile away\r\n"));
    second.type("and live\n");
    await second.until((v) => v.bytes.includes("and live\r\nand live\r\n"));
    expect(Buffer.concat([first.bytes, second.bytes]).equals(duetty.raw(id))).toBe(true);
  });

  it.each([
    [
      "a shell with colours and wide text",
      ["sh", "-c", "seq 1 200; printf '\\033[31mred \\033[1mbold\\033[m 漢字 e\\314\\201\\n'; exec cat"],
    ],
    ["a full-screen program", ["sh", "-c", "exec vim -u NONE -n -N /etc/services"]],
  ])("repaints an equal screen for a stale cursor: %s", async (_, command) => {
    const id = await open(...command);
    const screen = await settled(id);
    const viewer = await watch(id).hello();
    expect(await shown(viewer)).toEqual(screen.rows);
  });

  it("a cursor beyond the end or from before a resize is stale", async () => {
    const id = await open("sh", "-c", "seq 1 50; exec cat");
    await settled(id);
    const beyond = await watch(id, { cursor: 1_000_000 }).hello();
    expect(beyond.message("snapshot")).toBeDefined();
    await person.pty_send({ session_id: id, text: "x\n", then: { any: [{ settled_ms: 100 }] } });
    await person.pty_resize({ session_id: id, cols: 60, rows: 20 });
    await settled(id);
    const resized = await watch(id, { cursor: 3 }).hello();
    expect(resized.message("hello")).toMatchObject({ cols: 60, rows: 20 });
    expect(resized.message("snapshot")).toBeDefined();
  });

  it("refuses a cursor that is no number", async () => {
    const id = await open("cat");
    const token = duetty.token("person");
    const { status } = await duetty.request(`/v1/sessions/${id}/terminal?cursor=abc`, {
      authorization: `Bearer ${token}`,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    });
    expect(status).toBe(400);
  });
});

describe("several viewers", () => {
  it("see the same as `see`, whatever the output", async () => {
    const id = await open("bash", "--norc");
    const [a, b] = [await watch(id).hello(), await watch(id).hello()];
    const then = { any: [{ regex: "^END" }] };
    for (const text of [
      "ls -la --color=always /usr; echo E''ND1",
      "printf '\\033[5;10Hhere\\033[K\\n'; echo E''ND2",
      "seq 1 300; echo E''ND3",
    ]) {
      await person.pty_send({ session_id: id, text: `${text}\n`, then });
    }
    const screen = await settled(id);
    await Promise.all([a, b].map((viewer) => viewer.until((v) => v.bytes.includes("\nEND3\r\n"))));
    for (const viewer of [a, b]) await soon(async () => expect(await shown(viewer)).toEqual(screen.rows));
  });

  it("a slow viewer cannot stall the session and gets a repaint", async () => {
    const id = await open("sh", "-c", "read x; seq 1 1500000; echo THE END; exec cat");
    const slow = await watch(id).hello();
    slow.tell({ type: "ack", cursor: 0 });
    // It never acks again: its window of 512 KiB closes and stays closed.
    const { outcome } = await person.pty_send({
      session_id: id,
      text: "\n",
      then: { any: [{ text: "THE END" }], timeout_ms: 60_000 },
    });
    expect(outcome).toBe("matched");
    expect(slow.bytes.length).toBeLessThan(2 << 20);
    // The cursor of the last picture: nothing came after it.
    slow.tell({ type: "ack", cursor: slow.cursor });
    await slow.until((v) => v.messages.filter(({ type }) => type === "snapshot").length >= 2);
    await slow.until((v) => v.repaint?.includes("THE END") === true);
    expect(await rowsAfter(slow.repaint ?? Buffer.alloc(0))).toEqual((await see(id)).rows);
  });

  it("a viewer that is behind sees what is visible now, keeps its lines above, and gets all of it when it is quiet", async () => {
    // Without echo while it floods: a kernel whose terminal is full echoes a key behind what waits to be printed.
    const id = await open(
      "sh",
      "-c",
      "stty -echo; echo EARLIER; read x; yes $(seq -s- 9) & read y; kill $!; wait; stty echo; printf '\\nTHE E'; cat",
    );
    const viewer = await watch(id).hello();
    await viewer.until(() => viewer.repaint?.includes("EARLIER") === true || viewer.bytes.includes("EARLIER"));
    const drawn: string[] = [];
    viewer.socket.on("message", (_: Buffer, binary: boolean) => {
      const picture = viewer.message("snapshot");
      if (binary && picture?.part && viewer.repaint) drawn.push(`${viewer.repaint}`);
      // What follows a whole one begins with it. Of bytes it confirms nothing, so it falls behind.
      if (!binary && viewer.awaitsRepaint && !picture?.part) viewer.bytes = Buffer.alloc(0);
      if (picture?.part) viewer.tell({ type: "ack", cursor: picture.cursor });
    });
    viewer.tell({ type: "ack", cursor: viewer.cursor });
    viewer.type("\n");
    await viewer.until(() => drawn.length > 5);
    for (const ansi of drawn) expect(ansi).not.toMatch(/\x1bc|\x1b\[[23]J/);
    expect(await rowsAfter(Buffer.from(drawn[5] ?? ""))).toContain("1-2-3-4-5-6-7-8-9");
    viewer.type("\n");
    await soon(async () => expect((await see(id)).rows.join("\n")).toContain("THE E"));
    viewer.type("ND\n");
    await soon(async () => {
      expect(viewer.message("snapshot")?.part).toBeUndefined();
      const { rows } = await see(id);
      expect(rows.join("\n")).toContain("THE END");
      expect(await shown(viewer)).toEqual(rows);
    });
  });

  it("hidden viewers get nothing until they are visible again", async () => {
    const id = await open("cat");
    const viewer = await watch(id).hello();
    viewer.tell({ type: "visible", visible: false });
    viewer.tell({ type: "bogus" });
    await viewer.until((v) => v.message("notice") !== undefined);
    await person.pty_send({ session_id: id, text: "unseen\n", then: { any: [{ settled_ms: 100 }] } });
    expect(viewer.bytes.includes("unseen")).toBe(false);
    viewer.tell({ type: "visible", visible: true });
    await viewer.until((v) => v.bytes.includes("unseen"));
  });
});

describe("size", () => {
  it("M4: an agent's viewer does not decide the size of a session that a person opened", async () => {
    const id = (await person.pty_open({ command: ["cat"], cwd: "/" })).session_id;
    const theirs = await watch(id, { token: duetty.token("agent") }).hello();
    theirs.tell({ type: "resize", cols: 2, rows: 1, asks: true });
    theirs.type("x");
    const mine = await watch(id).hello();
    mine.tell({ type: "resize", cols: 90, rows: 30, asks: true });
    await mine.until((v) => v.message("resize")?.cols === 90);
    theirs.tell({ type: "resize", cols: 3, rows: 2, asks: true });
    mine.tell({ type: "resize", cols: 95, rows: 30, asks: true });
    await mine.until((v) => v.message("resize")?.cols === 95);
    const sizes = mine.messages.flatMap((one) => (one.type === "resize" || one.type === "hello" ? [one.cols] : []));
    expect(Math.min(...sizes)).toBeGreaterThan(3);
  });

  it("follows who typed last, in a session that a person opened without a size", async () => {
    const { session_id } = await person.pty_open({ command: ["cat"] });
    const [large, small] = [await watch(session_id).hello(), await watch(session_id).hello()];
    large.tell({ type: "resize", cols: 140, rows: 50 });
    await large.until((v) => v.message("resize")?.cols === 140);
    small.tell({ type: "resize", cols: 100, rows: 60 });
    small.type("s");
    await large.until((v) => v.message("resize")?.cols === 100 && v.message("resize")?.rows === 60);
    large.type("l");
    await large.until((v) => v.message("resize")?.cols === 140);
    small.tell({ type: "resize", cols: 90, rows: 60, asks: true });
    await large.until((v) => v.message("resize")?.cols === 90);
    small.close();
    await large.until((v) => v.message("resize")?.cols === 140);
    expect(await see(session_id)).toMatchObject({ cols: 140, rows_count: 50 });
  });

  it("a size that was asked for stays, and an agent's session keeps its size", async () => {
    const pinned = await open("cat");
    const { session_id: agents } = await agent().pty_open({ command: ["cat"] });
    for (const id of [pinned, agents]) {
      const before = await see(id);
      const viewer = await watch(id).hello();
      viewer.tell({ type: "resize", cols: 33, rows: 11 });
      viewer.tell({ type: "bogus" });
      await viewer.until((v) => v.message("notice") !== undefined);
      expect(await see(id)).toMatchObject({ cols: before.cols, rows_count: before.rows_count });
    }
  });
});

describe("the end", () => {
  it("the end is told after the last byte was sent", async () => {
    const id = await open("sh", "-c", "read x; echo bye; exit 5");
    const viewer = await watch(id).hello();
    viewer.type("\n");
    await viewer.until((v) => v.message("exit") !== undefined);
    expect(viewer.message("exit")).toMatchObject({ exit_code: 5, signal: null });
    expect(viewer.bytes.toString()).toContain("bye");
    const late = await watch(id).until((v) => v.message("exit") !== undefined);
    expect(await shown(late)).toEqual((await see(id)).rows);
  });
});

it("a program's terminal queries are answered exactly once with many viewers", async () => {
  // DSR is asked last, so its answer ends the round; whatever a second answerer sent would be in the next one.
  const round = "printf '\\033[c\\033[6n\\033[5n'; IFS= read -r -s -d n got; printf 'got %q\\r\\n' \"$got\"";
  const script = `stty raw -echo; IFS= read -r -s -n1 go; for i in 1 2 3; do ${round}; sleep 0.1; done; echo DONE; exec sleep 600`;
  const id = await open("bash", "-c", script);
  const [a, b] = [await watch(id).hello(), await watch(id).hello()];
  await settled(id);
  a.type("x");
  await a.until((v) => v.bytes.includes("DONE"));
  const rounds = [
    ...duetty
      .raw(id)
      .toString("latin1")
      .matchAll(/got (.*?)\r\n/g),
  ].map(([, got]) => got);
  expect(rounds).toHaveLength(3);
  for (const got of rounds) expect(got).toMatch(/^\$'\\E\[\?62;4;22c\\E\[\d+;\d+R\\E\[0'$/);
  b.close();
});
